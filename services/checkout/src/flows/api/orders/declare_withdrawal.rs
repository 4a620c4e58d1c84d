//! Stores a withdrawal declaration. The declaration, the key and the event commit together: a page that
//! asks again gets the same one, and it is confirmed by mail once.

use kit::idempotency::{self, Key};

use crate::domain::ids::{UserId, WithdrawalId};
use crate::domain::withdrawal::{self, Declaration, Withdrawal};
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::withdrawals;

pub struct DeclareWithdrawal {
    pub declaration: Declaration,
    /// The signed-in member.
    pub user_id: Option<UserId>,
    /// Absent: every call declares.
    pub key: Option<Key>,
}

pub async fn declare_withdrawal(checkout: &Checkout, command: DeclareWithdrawal) -> Result<Withdrawal> {
    let DeclareWithdrawal {
        declaration,
        user_id,
        key,
    } = command;
    let mut tx = kit::database::begin(&checkout.pool).await?;
    if let Some(id) = idempotency::claim::<_, Error>(&mut tx, &checkout.clock, key.as_ref()).await? {
        let found = withdrawals::find(&mut tx, id).await?;
        return found.ok_or(Error::UnknownWithdrawal);
    }
    let now = checkout.clock.now();
    let since = now - withdrawal::PER_ADDRESS_WITHIN;
    if withdrawals::count_since(&mut tx, &declaration.email, since).await? >= withdrawal::PER_ADDRESS_MAX {
        return Err(Error::TooManyWithdrawals);
    }
    let withdrawal = Withdrawal {
        withdrawal_id: WithdrawalId::new(now),
        declaration,
        user_id,
        received_at: now,
        accepted: None,
    };
    withdrawals::insert(&mut tx, &withdrawal).await?;
    emit::withdrawals::received(&mut tx, &checkout.clock, &withdrawal).await?;
    idempotency::store(&mut tx, &checkout.clock, key.as_ref(), &withdrawal.withdrawal_id).await?;
    tx.commit().await?;
    metrics::counter!("checkout_withdrawals_total", "step" => "received").increment(1);
    tracing::info!(withdrawal.id = %withdrawal.withdrawal_id, "withdrawal declared");
    Ok(withdrawal)
}

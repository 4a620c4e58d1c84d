//! Anonymises a withdrawal declared without an account. Its audit log stays.

use kit::clock::Clock;
use kit::database::Pool;

use crate::domain::ids::WithdrawalId;
use crate::error::{Error, Result};
use crate::store::withdrawals;

/// `false`: it was erased before.
pub async fn erase_withdrawal(pool: &Pool, clock: &Clock, id: WithdrawalId) -> Result<bool> {
    let mut tx = kit::database::begin(pool).await?;
    withdrawals::lock(&mut tx, id)
        .await?
        .ok_or(Error::UnknownWithdrawal)?;
    let is_new = withdrawals::erase(&mut tx, id, clock.now()).await?;
    tx.commit().await?;
    Ok(is_new)
}

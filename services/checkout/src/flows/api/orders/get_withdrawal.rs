//! Reads a withdrawal declaration for the mail that confirms it.

use crate::domain::ids::WithdrawalId;
use crate::domain::withdrawal::Withdrawal;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::withdrawals;

/// `UnknownWithdrawal` once it is erased.
pub async fn get_withdrawal(checkout: &Checkout, id: WithdrawalId) -> Result<Withdrawal> {
    let mut connection = checkout.pool.acquire().await?;
    let found = withdrawals::find(&mut connection, id).await?;
    found
        .filter(|withdrawal| !withdrawal.is_erased())
        .ok_or(Error::UnknownWithdrawal)
}

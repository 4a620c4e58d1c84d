//! Withdrawals from a contract: proto to domain and back.

use proto::checkout::v1 as wire;

use super::convert;
use crate::domain::withdrawal::{Declaration, WithdrawalRequest};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::orders::declare_withdrawal::{DeclareWithdrawal, declare_withdrawal};
use crate::flows::api::orders::get_withdrawal::get_withdrawal;

pub async fn declare(
    checkout: &Checkout,
    request: wire::DeclareWithdrawalRequest,
) -> Result<wire::DeclareWithdrawalResponse> {
    let user_id = match request.user_id.as_str() {
        "" => None,
        text => Some(convert::user_id(text)?),
    };
    // Callers may be anonymous: the key is not bound to a member.
    let key = convert::idempotency_key("visitor/declare_withdrawal", &request.idempotency_key, &request)?;
    let declaration = Declaration::accept(&WithdrawalRequest {
        full_name: request.full_name,
        email: request.email,
        reference: request.reference,
        language: request.language,
    })
    .map_err(Error::Fields)?;
    let command = DeclareWithdrawal {
        declaration,
        user_id,
        key,
    };
    let withdrawal = declare_withdrawal(checkout, command).await?;
    Ok(wire::DeclareWithdrawalResponse {
        withdrawal_id: withdrawal.withdrawal_id.to_string(),
        received_at: Some(withdrawal.received_at.into()),
    })
}

pub async fn get(
    checkout: &Checkout,
    request: &wire::GetWithdrawalRequest,
) -> Result<wire::GetWithdrawalResponse> {
    let id = request
        .withdrawal_id
        .parse()
        .map_err(|_| Error::UnknownWithdrawal)?;
    let withdrawal = get_withdrawal(checkout, id).await?;
    Ok(wire::GetWithdrawalResponse {
        withdrawal_id: withdrawal.withdrawal_id.to_string(),
        full_name: withdrawal.declaration.full_name,
        email: withdrawal.declaration.email,
        reference: withdrawal.declaration.reference,
        language: withdrawal.declaration.language,
        received_at: Some(withdrawal.received_at.into()),
    })
}

//! What checkout keeps of withdrawals.
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::error::{Failure, Kind};
use kit::rpc::{Directory, Rpc};
use proto::checkout::v1::GetWithdrawalRequest;
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;

use crate::domain::email::Email;
use crate::domain::withdrawal::Withdrawal;
use crate::ports::{WithdrawalError, Withdrawals};

pub struct Checkout(CheckoutServiceClient<Rpc>);

impl Checkout {
    pub fn new(directory: &Directory) -> Self {
        Self(CheckoutServiceClient::new(directory.client("checkout")))
    }
}

#[async_trait]
impl Withdrawals for Checkout {
    async fn read(&self, id: &str) -> Result<Withdrawal, WithdrawalError> {
        let mut client = self.0.clone();
        let request = GetWithdrawalRequest {
            withdrawal_id: id.to_owned(),
        };
        let answer = client.get_withdrawal(request).await;
        let told = match answer {
            Ok(answer) => answer.into_inner(),
            Err(status) => {
                let failure = Failure::from_status(&status);
                return Err(match failure.kind {
                    Kind::NotFound => WithdrawalError::Gone,
                    _ => WithdrawalError::Unanswered(failure.code),
                });
            }
        };
        let received_at: Option<DateTime<Utc>> = told.received_at.and_then(|at| at.try_into().ok());
        Ok(Withdrawal {
            number: told.withdrawal_id,
            full_name: told.full_name,
            email: Email::parse(&told.email).map_err(|_| WithdrawalError::Gone)?,
            reference: told.reference,
            received_at: received_at.ok_or_else(|| WithdrawalError::Unanswered("no moment".to_owned()))?,
        })
    }
}

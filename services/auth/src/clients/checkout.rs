//! gRPC client of checkout: withdrawals and guests.
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::error::{Failure, Kind};
use kit::rpc::{Rpc, ServiceDirectory};
use proto::checkout::v1::checkout_service_client::CheckoutServiceClient;
use proto::checkout::v1::{GetGuestRequest, GetWithdrawalRequest};
use tonic::Status;

use crate::domain::email::Email;
use crate::domain::withdrawal::Withdrawal;
use crate::ports::{CheckoutClient, CheckoutError};

pub struct CheckoutGrpc(CheckoutServiceClient<Rpc>);

impl CheckoutGrpc {
    pub fn new(directory: &ServiceDirectory) -> Self {
        Self(CheckoutServiceClient::new(directory.client("checkout")))
    }
}

#[async_trait]
impl CheckoutClient for CheckoutGrpc {
    async fn withdrawal(&self, id: &str) -> Result<Withdrawal, CheckoutError> {
        let request = GetWithdrawalRequest {
            withdrawal_id: id.to_owned(),
        };
        let answer = self.0.clone().get_withdrawal(request).await;
        let response = answer.map_err(|status| unanswered(&status))?.into_inner();
        let received_at: Option<DateTime<Utc>> = response.received_at.and_then(|at| at.try_into().ok());
        Ok(Withdrawal {
            number: response.withdrawal_id,
            full_name: response.full_name,
            email: Email::parse(&response.email).map_err(|_| CheckoutError::Gone)?,
            reference: response.reference,
            received_at: received_at.ok_or_else(|| CheckoutError::Unavailable("no moment".to_owned()))?,
        })
    }

    async fn guest(&self, order_id: &str) -> Result<Email, CheckoutError> {
        let request = GetGuestRequest {
            order_id: order_id.to_owned(),
        };
        let answer = self.0.clone().get_guest(request).await;
        let response = answer.map_err(|status| unanswered(&status))?.into_inner();
        Email::parse(&response.email).map_err(|_| CheckoutError::Gone)
    }
}

fn unanswered(status: &Status) -> CheckoutError {
    let failure = Failure::from_status(status);
    match failure.kind {
        Kind::NotFound => CheckoutError::Gone,
        _ => CheckoutError::Unavailable(failure.code),
    }
}

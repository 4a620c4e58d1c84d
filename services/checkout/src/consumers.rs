//! Auth events → flows, through the inbox.

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::clock::Clock;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use proto::events::Event;
use proto::events::v1::UserRegistered;
use sqlx::PgConnection;

use crate::domain::ids::UserId;
use crate::flows::api::surveys::claim_survey_order::claim_survey_order;

pub const REGISTRATIONS: ConsumerSpec = ConsumerSpec::new("checkout", &[UserRegistered::SUBJECT]);

pub struct Registrations(pub Clock);

#[async_trait]
impl Handler for Registrations {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let registered: UserRegistered = event.decode().map_err(reject)?;
        // Most sign-ups belong to no survey, and some name an order of another kind.
        let Ok(survey_order_id) = registered.order_id.parse() else {
            return Ok(());
        };
        let user_id = UserId::parse(&registered.user_id).ok_or_else(|| reject("no member's id"))?;
        claim_survey_order(tx, &self.0, &user_id, survey_order_id)
            .await
            .map_err(|error| HandlerError::Retry(error.into()))
    }
}

fn reject(error: impl std::fmt::Display) -> HandlerError {
    HandlerError::Reject(error.to_string())
}

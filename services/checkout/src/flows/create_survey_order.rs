//! Opens the order a survey hangs on. The key and the order commit together, so a page that asks again gets the same one.

use kit::idempotency::{self, Begin, Key};

use super::Checkout;
use crate::domain::ids::SurveyOrderId;
use crate::domain::survey_order::{SurveyOrder, Terms};
use crate::emit;
use crate::error::{Error, Result};
use crate::store::survey_orders;

#[derive(Debug)]
pub struct CreateSurveyOrder {
    pub terms: Terms,
    /// Absent: every call opens an order.
    pub key: Option<Key>,
}

pub async fn create_survey_order(checkout: &Checkout, command: CreateSurveyOrder) -> Result<SurveyOrderId> {
    let CreateSurveyOrder { terms, key } = command;
    let mut tx = checkout.pool.begin().await?;
    if let Some(key) = &key {
        match idempotency::begin(&mut tx, &checkout.clock, key).await? {
            Begin::Fresh | Begin::Resumed => {}
            Begin::Replay(stored) => return opened_before(&stored),
            Begin::OtherBody => return Err(Error::IdempotencyConflict),
            Begin::InProgress => return Err(Error::KeyInUse),
        }
    }
    let now = checkout.clock.now();
    let order = SurveyOrder {
        survey_order_id: SurveyOrderId::new(now),
        terms,
        created_at: now,
    };
    survey_orders::insert(&mut tx, &order).await?;
    emit::survey_orders::created(&mut tx, &checkout.clock, &order).await?;
    if let Some(key) = &key {
        let stored = order.survey_order_id.as_uuid().into_bytes();
        idempotency::finish(&mut tx, &checkout.clock, key, &stored).await?;
    }
    tx.commit().await?;
    Ok(order.survey_order_id)
}

fn opened_before(stored: &[u8]) -> Result<SurveyOrderId> {
    let uuid = uuid::Uuid::from_slice(stored).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(SurveyOrderId::from_uuid(uuid))
}

//! Opens the order a survey hangs on. The key and the order commit together, so a page that asks again gets the same one.

use kit::idempotency::{self, Key};
use serde::{Deserialize, Serialize};

use super::save_survey_answers::AccessKey;
use crate::domain::ids::SurveyOrderId;
use crate::domain::survey::survey_order::{SurveyOrder, Terms};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::survey::survey_orders;

#[derive(Debug)]
pub struct CreateSurveyOrder {
    pub terms: Terms,
    /// Absent: every call opens an order.
    pub key: Option<Key>,
}

/// The order, and the key to its answers. The database holds a hash of the key, and the key itself only as long as a repeat
/// of the same call must answer alike.
#[derive(Debug, Serialize, Deserialize)]
pub struct Opened {
    pub survey_order_id: SurveyOrderId,
    pub access_key: AccessKey,
}

pub async fn create_survey_order(checkout: &Checkout, command: CreateSurveyOrder) -> Result<Opened> {
    let CreateSurveyOrder { terms, key } = command;
    idempotency::execute(&checkout.pool, &checkout.clock, key.as_ref(), async |tx| {
        let now = checkout.clock.now();
        let order = SurveyOrder {
            survey_order_id: SurveyOrderId::new(now),
            terms,
            created_at: now,
        };
        let opened = Opened {
            survey_order_id: order.survey_order_id,
            access_key: AccessKey::random(),
        };
        survey_orders::insert(tx, &order, &opened.access_key.hash()).await?;
        emit::survey_orders::created(tx, &checkout.clock, &order).await?;
        Ok(opened)
    })
    .await
}

//! Opens the order a survey hangs on. The key and the order commit together, so a page that asks again gets the same one.

use kit::idempotency::{self, Begin, Key};

use super::save_survey_answers::AccessKey;
use crate::domain::ids::SurveyOrderId;
use crate::domain::survey::survey_order::{SurveyOrder, Terms};
use crate::emit;
use crate::error::{Error, Result};
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
#[derive(Debug)]
pub struct Opened {
    pub survey_order_id: SurveyOrderId,
    pub access_key: AccessKey,
}

pub async fn create_survey_order(checkout: &Checkout, command: CreateSurveyOrder) -> Result<Opened> {
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
    let opened = Opened {
        survey_order_id: order.survey_order_id,
        access_key: AccessKey::random(),
    };
    survey_orders::insert(&mut tx, &order, &opened.access_key.hash()).await?;
    emit::survey_orders::created(&mut tx, &checkout.clock, &order).await?;
    if let Some(key) = &key {
        idempotency::finish(&mut tx, &checkout.clock, key, &opened.to_stored()).await?;
    }
    tx.commit().await?;
    Ok(opened)
}

impl Opened {
    /// As text: erasure finds the answer by the order's id in it.
    fn to_stored(&self) -> Vec<u8> {
        format!("{}.{}", self.survey_order_id, self.access_key.0).into_bytes()
    }
}

fn opened_before(stored: &[u8]) -> Result<Opened> {
    let opened =
        read_stored(stored).ok_or_else(|| sqlx::Error::Decode("not an opened survey order".into()))?;
    Ok(opened)
}

fn read_stored(stored: &[u8]) -> Option<Opened> {
    let (id, key) = std::str::from_utf8(stored).ok()?.split_once('.')?;
    Some(Opened {
        survey_order_id: id.parse().ok()?,
        access_key: AccessKey(key.to_owned()),
    })
}

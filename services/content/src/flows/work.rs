//! One transaction with its idempotency key: what was done under a key is not done again, but answered again.

use kit::idempotency::{self, Begin, Key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{PgConnection, Postgres, Transaction};

use super::Flows;
use crate::error::Error;

/// Dropped without a commit it leaves nothing behind, the key's use included.
pub struct Work<'a> {
    flows: &'a Flows,
    transaction: Transaction<'static, Postgres>,
    key: Option<Key>,
}

pub enum Begun<'a, T> {
    Work(Work<'a>),
    Answered(T),
}

impl Flows {
    pub(super) async fn begin<T: DeserializeOwned>(&self, key: Option<Key>) -> Result<Begun<'_, T>, Error> {
        let mut transaction = self.pool.begin().await?;
        if let Some(key) = &key {
            match idempotency::begin(&mut transaction, &self.clock, key).await? {
                Begin::Fresh | Begin::Resumed => {}
                Begin::Replay(answer) => return Ok(Begun::Answered(serde_json::from_slice(&answer)?)),
                Begin::OtherBody => return Err(Error::IdempotencyConflict),
                Begin::InProgress => return Err(Error::StillAnswering),
            }
        }
        Ok(Begun::Work(Work {
            flows: self,
            transaction,
            key,
        }))
    }
}

impl Work<'_> {
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.transaction
    }

    pub async fn commit<T: Serialize>(mut self, answer: T) -> Result<T, Error> {
        if let Some(key) = &self.key {
            let stored = serde_json::to_vec(&answer)?;
            idempotency::finish(&mut self.transaction, &self.flows.clock, key, &stored).await?;
        }
        self.transaction.commit().await?;
        Ok(answer)
    }
}

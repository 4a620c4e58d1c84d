//! A transaction with its idempotency key: a repeated key returns the stored response.

use kit::idempotency::{self, Begin, Key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{PgConnection, Postgres, Transaction};

use crate::error::Error;
use crate::flows::Flows;

/// Dropped without a commit it leaves nothing behind, the key's use included.
pub struct IdempotentTransaction<'a> {
    flows: &'a Flows,
    transaction: Transaction<'static, Postgres>,
    key: Option<Key>,
}

pub enum TransactionStart<'a, T> {
    New(IdempotentTransaction<'a>),
    Replayed(T),
}

impl Flows {
    pub(in crate::flows) async fn begin<T: DeserializeOwned>(
        &self,
        key: Option<Key>,
    ) -> Result<TransactionStart<'_, T>, Error> {
        let mut transaction = self.pool.begin().await?;
        if let Some(key) = &key {
            match idempotency::begin(&mut transaction, &self.clock, key).await? {
                Begin::Fresh | Begin::Resumed => {}
                Begin::Replay(answer) => {
                    return Ok(TransactionStart::Replayed(serde_json::from_slice(&answer)?));
                }
                Begin::OtherBody => return Err(Error::IdempotencyConflict),
                Begin::InProgress => return Err(Error::InProgress),
            }
        }
        Ok(TransactionStart::New(IdempotentTransaction {
            flows: self,
            transaction,
            key,
        }))
    }
}

impl IdempotentTransaction<'_> {
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

//! One effect per idempotency key, across retries, concurrent submits and restarts.
//!
//! [`execute`] is for work of one transaction. A flow that locks rows first, or that answers a repeat in another way, calls
//! [`claim`] and [`store`]. If it commits between the two, a crash leaves the key claimed until its lease expires; the flow must
//! then query the outcome of the earlier attempt before it repeats an external call.

use std::time::Duration;

use chrono::TimeDelta;
use prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;
use crate::database::Pool;
use crate::error::{ErrorCode, Failure, Kind};

const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Longer than any request, so that a retry never overtakes a running attempt.
const LEASE: TimeDelta = TimeDelta::seconds(30);

/// One use of a key by an actor for an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Actor and operation, such as `usr_…/create_subscription`.
    pub scope: String,
    pub key: String,
    pub fingerprint: [u8; 32],
}

/// A key that cannot be used by this request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    #[error("the idempotency key was used for another request")]
    Conflict,
    #[error("another request with this idempotency key is in progress")]
    InProgress,
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Conflict => {
                let message = "This idempotency key was used for another request.";
                Self::new(Kind::Conflict, ErrorCode::IdempotencyConflict, message)
            }
            Rejection::InProgress => {
                let message = "The same request is still being answered. Try again in a moment.";
                Self::new(Kind::Conflict, ErrorCode::IdempotencyInProgress, message).retry_after(RETRY_AFTER)
            }
        }
    }
}

/// SHA-256 of the encoded message. Maps are sorted, so equal messages have equal bytes.
pub fn fingerprint(message: &impl Message) -> [u8; 32] {
    Sha256::digest(message.encode_to_vec()).into()
}

/// Runs `work` in a transaction that also stores its response, or returns the stored response of an earlier call.
/// If `work` fails, nothing is stored and the key is free. Without a key every call runs `work`.
pub async fn execute<T, E>(
    pool: &Pool,
    clock: &Clock,
    key: Option<&Key>,
    work: impl AsyncFnOnce(&mut PgConnection) -> Result<T, E>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<sqlx::Error> + From<Rejection>,
{
    let mut tx = crate::database::begin(pool).await?;
    if let Some(response) = claim::<T, E>(&mut tx, clock, key).await? {
        return Ok(response);
    }
    let response = work(&mut tx).await?;
    store(&mut tx, clock, key, &response).await?;
    tx.commit().await?;
    Ok(response)
}

/// Claims the key for this request, or returns the response that is stored for it. A concurrent claim in another
/// transaction waits here for that transaction.
pub async fn claim<T, E>(
    connection: &mut PgConnection,
    clock: &Clock,
    key: Option<&Key>,
) -> Result<Option<T>, E>
where
    T: DeserializeOwned,
    E: From<sqlx::Error> + From<Rejection>,
{
    let Some(key) = key else { return Ok(None) };
    let now = clock.now();
    let inserted = sqlx::query(
        "insert into idempotency (scope, key, fingerprint, lease_until, created_at)
         values ($1, $2, $3, $4, $5) on conflict do nothing",
    )
    .bind(&key.scope)
    .bind(&key.key)
    .bind(key.fingerprint.as_slice())
    .bind(now + LEASE)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok(None);
    }
    let stored: Option<(Vec<u8>, Option<Vec<u8>>)> =
        sqlx::query_as("select fingerprint, response from idempotency where scope = $1 and key = $2")
            .bind(&key.scope)
            .bind(&key.key)
            .fetch_optional(&mut *connection)
            .await?;
    match stored {
        Some((fingerprint, _)) if fingerprint != key.fingerprint => Err(Rejection::Conflict.into()),
        Some((_, Some(response))) => {
            let response = serde_json::from_slice(&response);
            Ok(Some(response.map_err(|error| sqlx::Error::Decode(error.into()))?))
        }
        Some((_, None)) if take_over(connection, clock, key).await? => Ok(None),
        // Without a row: it was deleted between the two statements, by the erasure of a member.
        Some((_, None)) | None => Err(Rejection::InProgress.into()),
    }
}

/// Takes over an expired attempt. One statement, so that only one of several callers succeeds.
async fn take_over(connection: &mut PgConnection, clock: &Clock, key: &Key) -> Result<bool, sqlx::Error> {
    let now = clock.now();
    let taken = sqlx::query(
        "update idempotency set lease_until = $3
         where scope = $1 and key = $2 and response is null and lease_until <= $4",
    )
    .bind(&key.scope)
    .bind(&key.key)
    .bind(now + LEASE)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Stores the response of a claimed key, as JSON: erasure finds a member by the ids in it. A second call has no effect, the
/// first response is final.
pub async fn store(
    connection: &mut PgConnection,
    clock: &Clock,
    key: Option<&Key>,
    response: &impl Serialize,
) -> Result<(), sqlx::Error> {
    let Some(key) = key else { return Ok(()) };
    let response = serde_json::to_vec(response).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "update idempotency set response = $3, lease_until = $4
         where scope = $1 and key = $2 and response is null",
    )
    .bind(&key.scope)
    .bind(&key.key)
    .bind(response)
    .bind(clock.now())
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_messages_have_equal_fingerprints() {
        let message = |parameters: [(&str, &str); 3]| proto::common::v1::Tracking {
            parameters: parameters
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        };
        let one = message([("utm_source", "a"), ("utm_medium", "b"), ("cpname", "c")]);
        let other_order = message([("cpname", "c"), ("utm_source", "a"), ("utm_medium", "b")]);
        let other_value = message([("cpname", "c"), ("utm_source", "a"), ("utm_medium", "x")]);
        assert_eq!(fingerprint(&one), fingerprint(&other_order));
        assert_ne!(fingerprint(&one), fingerprint(&other_value));
    }
}

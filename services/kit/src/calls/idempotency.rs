//! One effect per idempotency key, across retries, concurrent submits and restarts.
//!
//! The intent and [`begin`] commit together before any external call; the response and [`finish`] commit together
//! afterwards. After [`Begin::Resumed`] the caller must query the outcome of the earlier attempt.

use std::time::Duration;

use chrono::TimeDelta;
use prost::Message;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::clock::Clock;
use crate::error::{Failure, Kind};

/// The public code of [`Begin::OtherBody`], in every service.
pub const CONFLICT: &str = "IDEMPOTENCY_CONFLICT";

/// The public code of [`Begin::InProgress`], in every service.
pub const IN_PROGRESS: &str = "IDEMPOTENCY_IN_PROGRESS";

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

/// Result of [`begin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// A new key.
    Fresh,
    /// An earlier attempt crashed: query its outcome, then continue.
    Resumed,
    /// Completed before: return this response.
    Replay(Vec<u8>),
    /// The key belongs to another request.
    OtherBody,
    /// Another attempt is running.
    InProgress,
}

/// The failure for [`Begin::OtherBody`].
pub fn conflict() -> Failure {
    let message = "This idempotency key was used for another request.";
    Failure::new(Kind::Conflict, CONFLICT, message)
}

/// The failure for [`Begin::InProgress`].
pub fn in_progress() -> Failure {
    let message = "The same request is still being answered. Try again in a moment.";
    Failure::new(Kind::Conflict, IN_PROGRESS, message).retry_after(RETRY_AFTER)
}

/// SHA-256 of the encoded message. Maps are sorted, so equal messages have equal bytes.
pub fn fingerprint(message: &impl Message) -> [u8; 32] {
    Sha256::digest(message.encode_to_vec()).into()
}

pub async fn begin(connection: &mut PgConnection, clock: &Clock, key: &Key) -> Result<Begin, sqlx::Error> {
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
        return Ok(Begin::Fresh);
    }
    let stored: Option<(Vec<u8>, Option<Vec<u8>>)> =
        sqlx::query_as("select fingerprint, response from idempotency where scope = $1 and key = $2")
            .bind(&key.scope)
            .bind(&key.key)
            .fetch_optional(&mut *connection)
            .await?;
    match stored {
        // Released between the two statements: its holder was at work a moment ago.
        None => Ok(Begin::InProgress),
        Some((fingerprint, _)) if fingerprint != key.fingerprint => Ok(Begin::OtherBody),
        Some((_, Some(response))) => Ok(Begin::Replay(response)),
        Some((_, None)) => take_over(connection, clock, key).await,
    }
}

/// Takes over an expired attempt. One statement, so that only one of several callers succeeds.
async fn take_over(connection: &mut PgConnection, clock: &Clock, key: &Key) -> Result<Begin, sqlx::Error> {
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
    Ok(if taken.rows_affected() == 1 {
        Begin::Resumed
    } else {
        Begin::InProgress
    })
}

/// Stores the response. A second call has no effect: the first response is final.
pub async fn finish(
    connection: &mut PgConnection,
    clock: &Clock,
    key: &Key,
    response: &[u8],
) -> Result<(), sqlx::Error> {
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

/// Frees the key after a failure that stored nothing; it may be used again with any body.
pub async fn release(connection: &mut PgConnection, key: &Key) -> Result<(), sqlx::Error> {
    sqlx::query("delete from idempotency where scope = $1 and key = $2 and response is null")
        .bind(&key.scope)
        .bind(&key.key)
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

//! The only place that reads the wall clock.
//!
//! In development and tests all services and the sandbox share one virtual offset: it is stored in a NATS key-value bucket
//! and each [`Clock`] follows it. In production no bucket is configured and the offset stays zero.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use futures::StreamExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The key in the bucket: whole milliseconds, as decimal text.
pub const OFFSET_KEY: &str = "offset_ms";

const FOLLOW_RETRY: Duration = Duration::from_secs(1);

/// A clock. Clones share the same offset.
#[derive(Clone, Debug)]
pub struct Clock {
    base: Base,
    offset: Arc<watch::Sender<TimeDelta>>,
}

#[derive(Clone, Copy, Debug)]
enum Base {
    System,
    Fixed(DateTime<Utc>),
}

impl Clock {
    pub fn system() -> Self {
        Self::from_base(Base::System)
    }

    /// Stays at `at` until it is advanced.
    pub fn manual(at: DateTime<Utc>) -> Self {
        Self::from_base(Base::Fixed(at))
    }

    fn from_base(base: Base) -> Self {
        Self {
            base,
            offset: Arc::new(watch::Sender::new(TimeDelta::zero())),
        }
    }

    /// Truncated to microseconds, the precision of Postgres: a stored time equals its original.
    pub fn now(&self) -> DateTime<Utc> {
        let base = match self.base {
            Base::System => system_time(),
            Base::Fixed(at) => at,
        };
        (base + self.offset()).trunc_subsecs(6)
    }

    pub fn offset(&self) -> TimeDelta {
        *self.offset.borrow()
    }

    pub fn advance(&self, by: TimeDelta) {
        self.offset.send_modify(|offset| *offset += by);
    }

    pub fn set_offset(&self, offset: TimeDelta) {
        self.offset.send_if_modified(|current| {
            let moved = *current != offset;
            *current = offset;
            moved
        });
    }

    /// Returns once `duration` has passed on this clock; an advanced clock fires timers at once.
    pub async fn sleep(&self, duration: TimeDelta) {
        let until = self.now() + duration;
        let mut moved = self.offset.subscribe();
        loop {
            moved.mark_unchanged();
            let Ok(left) = (until - self.now()).to_std() else {
                return;
            };
            if left.is_zero() {
                return;
            }
            match self.base {
                Base::System => tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    _ = moved.changed() => {}
                },
                // The sender is `self`, so waiting cannot fail.
                Base::Fixed(_) => drop(moved.changed().await),
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
fn system_time() -> DateTime<Utc> {
    Utc::now()
}

/// Keeps `clock` at the offset found in `bucket` until `shutdown`.
pub(crate) async fn follow(
    clock: Clock,
    client: async_nats::Client,
    bucket: String,
    shutdown: CancellationToken,
) {
    loop {
        let following = follow_once(&clock, &client, &bucket);
        tokio::select! {
            () = shutdown.cancelled() => return,
            outcome = following => if let Err(error) = outcome {
                tracing::debug!(%error, bucket, "virtual clock watch interrupted; retrying");
            },
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(FOLLOW_RETRY) => {}
        }
    }
}

async fn follow_once(
    clock: &Clock,
    client: &async_nats::Client,
    bucket: &str,
) -> Result<(), async_nats::Error> {
    let store = open_bucket(client, bucket).await?;
    let mut changes = store.watch_with_history(OFFSET_KEY).await?;
    while let Some(entry) = changes.next().await {
        if let Some(offset) = parse_offset(&entry?.value) {
            clock.set_offset(offset);
        } else {
            tracing::warn!(bucket, "clock bucket has an invalid value; ignored");
        }
    }
    Ok(())
}

async fn open_bucket(
    client: &async_nats::Client,
    bucket: &str,
) -> Result<async_nats::jetstream::kv::Store, async_nats::Error> {
    let jetstream = async_nats::jetstream::new(client.clone());
    if let Ok(store) = jetstream.get_key_value(bucket).await {
        return Ok(store);
    }
    let config = async_nats::jetstream::kv::Config {
        bucket: bucket.to_owned(),
        description: "The virtual clock of development and tests".to_owned(),
        history: 1,
        ..Default::default()
    };
    Ok(jetstream.create_key_value(config).await?)
}

fn parse_offset(value: &Bytes) -> Option<TimeDelta> {
    let millis = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
    TimeDelta::try_milliseconds(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn manual_clock_moves_only_when_advanced() {
        let clock = Clock::manual(noon());
        let same = clock.clone();
        clock.advance(TimeDelta::days(7));
        assert_eq!(same.now(), noon() + TimeDelta::days(7));
        assert_eq!(same.offset(), TimeDelta::days(7));
    }

    #[test]
    fn now_has_no_more_digits_than_postgres_keeps() {
        let now = Clock::system().now();
        assert_eq!(now, now.trunc_subsecs(6));
    }

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved_past_it() {
        let clock = Clock::manual(noon());
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep(TimeDelta::hours(2)).await }
        });
        // A sleep begins with its first poll.
        tokio::task::yield_now().await;
        clock.advance(TimeDelta::hours(1));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(TimeDelta::hours(1));
        tokio::time::timeout(Duration::from_secs(5), sleeper)
            .await
            .unwrap()
            .unwrap();
    }

    #[test]
    fn an_offset_is_decimal_milliseconds() {
        assert_eq!(
            parse_offset(&Bytes::from_static(b"604800000")),
            Some(TimeDelta::days(7))
        );
        assert_eq!(parse_offset(&Bytes::from_static(b"7 days")), None);
        assert_eq!(parse_offset(&Bytes::from_static(b"")), None);
    }
}

//! The virtual clock of development and tests. The sandbox owns it; services read its offset from a NATS bucket.

use std::time::Duration;

use async_nats::ConnectOptions;
use async_nats::jetstream::kv::Store;
use chrono::{DateTime, TimeDelta, Utc};
use kit::bus::INBOX_PREFIX;
use kit::bus::address::{self, Address};
use kit::clock::{Clock, OFFSET_KEY};

/// Its user at the event stream.
const USER: &str = "sandbox";
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Where services read the offset.
#[derive(Clone, Debug)]
pub struct Bucket {
    pub nats_url: String,
    pub name: String,
}

pub struct VirtualClock {
    clock: Clock,
    store: Option<Store>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    #[error("the clock only goes forward; it is already {now}")]
    Backwards { now: DateTime<Utc> },
    #[error("the clock cannot be moved that far")]
    TooFar,
    #[error("the new time could not be published to the services: {0}")]
    NotPublished(String),
}

impl VirtualClock {
    /// Starts at the clock's own offset and publishes it.
    pub async fn open(clock: Clock, bucket: Option<&Bucket>) -> Result<Self, ClockError> {
        let store = match bucket {
            Some(bucket) => Some(open_store(bucket).await?),
            None => None,
        };
        let opened = Self { clock, store };
        opened.publish(opened.clock.offset()).await?;
        Ok(opened)
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn offset(&self) -> TimeDelta {
        self.clock.offset()
    }

    pub async fn sleep_until(&self, at: DateTime<Utc>) {
        self.clock.sleep(at - self.now()).await;
    }

    /// Publishes the new time before it applies here, so that no service is behind a webhook that it causes.
    pub async fn advance(&self, by: TimeDelta) -> Result<(), ClockError> {
        if by < TimeDelta::zero() {
            return Err(ClockError::Backwards { now: self.now() });
        }
        let offset = self.clock.offset().checked_add(&by).ok_or(ClockError::TooFar)?;
        self.now().checked_add_signed(by).ok_or(ClockError::TooFar)?;
        self.publish(offset).await?;
        self.clock.advance(by);
        Ok(())
    }

    async fn publish(&self, offset: TimeDelta) -> Result<(), ClockError> {
        let Some(store) = &self.store else { return Ok(()) };
        let put = store.put(OFFSET_KEY, offset.num_milliseconds().to_string().into());
        match tokio::time::timeout(WRITE_TIMEOUT, put).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(ClockError::NotPublished(error.to_string())),
            Err(_) => Err(ClockError::NotPublished("NATS did not answer".into())),
        }
    }
}

async fn open_store(bucket: &Bucket) -> Result<Store, ClockError> {
    let Address { servers, options, .. } = address::parse(&bucket.nats_url, ConnectOptions::new())
        .map_err(|error| ClockError::NotPublished(error.to_string()))?;
    // Without the credentials of the address.
    let hosts: Vec<_> = servers
        .iter()
        .map(|server| format!("{}:{}", server.host(), server.port()))
        .collect();
    let unreachable = |error: String| ClockError::NotPublished(format!("{}: {error}", hosts.join(", ")));
    let client = options
        .name(USER)
        .custom_inbox_prefix(format!("{INBOX_PREFIX}{USER}"))
        .connect(servers)
        .await
        .map_err(|error| unreachable(error.to_string()))?;
    let jetstream = async_nats::jetstream::new(client);
    if let Ok(store) = jetstream.get_key_value(&bucket.name).await {
        return Ok(store);
    }
    let config = async_nats::jetstream::kv::Config {
        bucket: bucket.name.clone(),
        description: "The virtual clock of development and tests".to_owned(),
        history: 1,
        ..Default::default()
    };
    jetstream
        .create_key_value(config)
        .await
        .map_err(|error| unreachable(error.to_string()))
}

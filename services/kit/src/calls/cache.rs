//! The shared second cache tier in Redis. Optional: a slow, failing or absent Redis is a miss.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands, RedisError, RedisResult};

use crate::breaker::Breaker;

/// Timeout of a lookup; the source is as fast.
const BUDGET: Duration = Duration::from_millis(20);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const FAILURES_TO_OPEN: u32 = 5;
const PAUSE: Duration = Duration::from_secs(2);

/// Cheap to clone.
#[derive(Clone, Default)]
pub struct Cache {
    tier: Option<Arc<Tier>>,
}

struct Tier {
    connection: ConnectionManager,
    breaker: Breaker,
}

impl Cache {
    /// Connects on first use. Needs a Tokio runtime when there is an address.
    pub fn connect(url: Option<&str>) -> Result<Self, RedisError> {
        let Some(url) = url else {
            return Ok(Self::default());
        };
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(BUDGET))
            .set_number_of_retries(1);
        let connection = ConnectionManager::new_lazy_with_config(redis::Client::open(url)?, config)?;
        let tier = Tier {
            connection,
            breaker: Breaker::new(FAILURES_TO_OPEN, PAUSE),
        };
        Ok(Self {
            tier: Some(Arc::new(tier)),
        })
    }

    pub async fn get(&self, key: &str) -> Option<Vec<u8>> {
        let tier = self.tier.as_deref()?;
        let mut connection = tier.connection.clone();
        tier.within_budget(
            "get",
            async move { connection.get::<_, Option<Vec<u8>>>(key).await },
        )
        .await
        .flatten()
    }

    /// A time to live below a second becomes a second.
    pub async fn set(&self, key: &str, value: &[u8], ttl: Duration) {
        let Some(tier) = self.tier.as_deref() else {
            return;
        };
        let mut connection = tier.connection.clone();
        let ttl_secs = ttl.as_secs().max(1);
        tier.within_budget("set", async move {
            connection.set_ex::<_, _, ()>(key, value, ttl_secs).await
        })
        .await;
    }

    /// Best effort: entries that must not be stale also need a short time to live.
    pub async fn delete(&self, key: &str) {
        let Some(tier) = self.tier.as_deref() else {
            return;
        };
        let mut connection = tier.connection.clone();
        tier.within_budget("delete", async move { connection.del::<_, ()>(key).await })
            .await;
    }
}

impl Tier {
    async fn within_budget<T>(
        &self,
        verb: &'static str,
        work: impl Future<Output = RedisResult<T>>,
    ) -> Option<T> {
        if !self.breaker.allows() {
            return None;
        }
        let outcome = tokio::time::timeout(BUDGET, work).await;
        if let Ok(Ok(value)) = outcome {
            self.breaker.succeeded();
            return Some(value);
        }
        self.breaker.failed();
        metrics::counter!("cache_failures_total", "verb" => verb).increment(1);
        None
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache")
            .field("present", &self.tier.is_some())
            .finish()
    }
}

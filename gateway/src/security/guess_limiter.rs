//! Counts wrong guesses per client: coupons, tokens, and forged webhooks that cost a call of a provider. Correct requests are not
//! counted, so a busy client is never limited by it.
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kit::error::{ErrorCode, Kind};
use tokio::time::Instant;

use crate::protocol::error::{HandlerResult, Problem};

const WINDOW: Duration = Duration::from_mins(1);
/// Beyond it windows are dropped: memory is bounded.
const CLIENTS_MAX: usize = 100_000;

/// One kind of guess. A window begins with a client's first wrong one.
pub struct GuessLimiter {
    per_window: u32,
    clients: Mutex<HashMap<IpAddr, Window>>,
}

struct Window {
    begun_at: Instant,
    wrong: u32,
}

impl GuessLimiter {
    pub fn new(per_window: u32) -> Self {
        Self {
            per_window: per_window.max(1),
            clients: Mutex::default(),
        }
    }

    /// Refuses a client that has guessed wrong too often.
    pub fn check(&self, client: IpAddr) -> HandlerResult<()> {
        let Some(wait) = self.exhausted_for(client) else {
            return Ok(());
        };
        metrics::counter!("gateway_rate_limited_total").increment(1);
        let message = "Too many attempts; try again in a moment.";
        Err(Problem::new(Kind::TooMany, ErrorCode::RateLimited, message).retry_after(wait.as_secs() + 1))
    }

    pub fn count_wrong(&self, client: IpAddr) {
        let now = Instant::now();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS_MAX {
            clients.retain(|_, window| !window.is_over(now));
        }
        if clients.len() >= CLIENTS_MAX {
            clients.clear();
        }
        let window = clients.entry(client).or_insert(Window {
            begun_at: now,
            wrong: 0,
        });
        if window.is_over(now) {
            *window = Window {
                begun_at: now,
                wrong: 0,
            };
        }
        window.wrong = window.wrong.saturating_add(1);
    }

    pub fn purge_idle(&self) {
        let now = Instant::now();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|_, window| !window.is_over(now));
        clients.shrink_to_fit();
    }

    /// How long until the client may guess again.
    fn exhausted_for(&self, client: IpAddr) -> Option<Duration> {
        let now = Instant::now();
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let window = clients.get(&client)?;
        let is_exhausted = window.wrong >= self.per_window && !window.is_over(now);
        is_exhausted.then(|| WINDOW.saturating_sub(now - window.begun_at))
    }
}

impl Window {
    fn is_over(&self, now: Instant) -> bool {
        now - self.begun_at >= WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[tokio::test(start_paused = true)]
    async fn wrong_guesses_of_one_client_are_refused_until_its_minute_is_over() {
        let guesses = GuessLimiter::new(3);
        for _ in 0..3 {
            assert!(guesses.check(ADA).is_ok());
            guesses.count_wrong(ADA);
        }
        assert!(guesses.check(ADA).is_err() && guesses.check(BOB).is_ok());
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(guesses.check(ADA).is_err());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(guesses.check(ADA).is_ok());
        guesses.count_wrong(ADA);
        assert!(guesses.check(ADA).is_ok(), "a new window has begun");
    }

    #[tokio::test]
    async fn memory_is_bounded() {
        let guesses = GuessLimiter::new(3);
        for number in 0..=u32::try_from(CLIENTS_MAX).unwrap() {
            guesses.count_wrong(IpAddr::V4(number.into()));
        }
        assert!(guesses.clients.lock().unwrap().len() <= CLIENTS_MAX);
    }
}

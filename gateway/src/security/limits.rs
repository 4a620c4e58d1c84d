//! Rates per client, and the number of concurrent requests.
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{Extensions, HeaderName};
use kit::error::{ErrorCode, Kind};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::protocol::error::{HandlerResult, Problem};
use crate::security::guess_limiter::GuessLimiter;

const PURGE_INTERVAL: Duration = Duration::from_mins(1);

/// Who is at the other end of the connection. Put into each request by the server.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Which quota a request counts against. Each client has its own.
#[derive(Clone, Copy, Debug)]
pub enum Rate {
    General,
    /// Guessing passwords and creating accounts cost more than reading.
    SignIn,
    /// A model is paid per word.
    AiText,
    /// A page that blocks much must not use up the quota of other calls.
    CspReport,
}

/// How clients are identified, and the limits of each.
#[derive(Clone)]
pub struct ClientRules {
    /// `TRUSTED_PROXY_HOPS`: how many proxies of ours stand in front; 0 believes no forwarding header.
    pub trusted_hops: usize,
    /// `COUNTRY_HEADER`: where the proxy in front puts the visitor's country.
    pub country_header: Option<HeaderName>,
    /// `RATE_PER_SECOND` and `RATE_BURST`: everything but cached pages, per client.
    pub per_second: u32,
    pub burst: u32,
    /// `AUTH_RATE_PER_MINUTE`: registrations, sign-ins, passwords set and tokens tried, per client.
    pub auth_per_minute: u32,
    /// `AI_RATE_PER_MINUTE`: texts by the AI, per client.
    pub ai_per_minute: u32,
    /// `CSP_REPORTS_PER_MINUTE`: browsers' reports about blocked content, per client.
    pub csp_reports_per_minute: u32,
    /// `GUESS_RATE_PER_MINUTE`: wrong coupons, wrong tokens and forged notifications of PayPal and YooKassa, each per client.
    pub guesses_per_minute: u32,
    /// `MAX_CONCURRENT_REQUESTS`: beyond it requests are refused at once.
    pub max_concurrent: usize,
}

pub struct Limits {
    general: DefaultKeyedRateLimiter<IpAddr>,
    sign_in: DefaultKeyedRateLimiter<IpAddr>,
    ai_text: DefaultKeyedRateLimiter<IpAddr>,
    csp_report: DefaultKeyedRateLimiter<IpAddr>,
    /// Coupons that do not exist.
    pub coupons: GuessLimiter,
    /// Tokens of readers, operators and preview links.
    pub tokens: GuessLimiter,
    /// Forged notifications, each of which cost a call of a provider.
    pub notifications: GuessLimiter,
    slots: Semaphore,
    trusted_hops: usize,
}

impl Limits {
    pub fn new(rules: &ClientRules) -> Self {
        let at_least_one = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let general =
            Quota::per_second(at_least_one(rules.per_second)).allow_burst(at_least_one(rules.burst));
        let sign_in = Quota::per_minute(at_least_one(rules.auth_per_minute));
        let ai_text = Quota::per_minute(at_least_one(rules.ai_per_minute));
        let csp_report = Quota::per_minute(at_least_one(rules.csp_reports_per_minute));
        Self {
            general: RateLimiter::keyed(general),
            sign_in: RateLimiter::keyed(sign_in),
            ai_text: RateLimiter::keyed(ai_text),
            csp_report: RateLimiter::keyed(csp_report),
            coupons: GuessLimiter::new(rules.guesses_per_minute),
            tokens: GuessLimiter::new(rules.guesses_per_minute),
            notifications: GuessLimiter::new(rules.guesses_per_minute),
            slots: Semaphore::new(rules.max_concurrent),
            trusted_hops: rules.trusted_hops,
        }
    }

    /// Drops clients that were not seen for a while, so that the tables stay small.
    pub async fn purge_idle_clients(self: Arc<Self>) {
        loop {
            tokio::time::sleep(PURGE_INTERVAL).await;
            for table in [&self.general, &self.sign_in, &self.ai_text, &self.csp_report] {
                table.retain_recent();
                table.shrink_to_fit();
            }
            for guesses in [&self.coupons, &self.tokens, &self.notifications] {
                guesses.purge_idle();
            }
        }
    }

    /// Counts one request of a client; refuses it where the client has used up its rate.
    pub fn admit(&self, rate: Rate, client: IpAddr) -> HandlerResult<()> {
        let limiter = match rate {
            Rate::General => &self.general,
            Rate::SignIn => &self.sign_in,
            Rate::AiText => &self.ai_text,
            Rate::CspReport => &self.csp_report,
        };
        limiter.check_key(&client).map_err(|until| {
            metrics::counter!("gateway_rate_limited_total").increment(1);
            let wait = until.wait_time_from(DefaultClock::default().now());
            Problem::new(
                Kind::TooMany,
                ErrorCode::RateLimited,
                "Too many requests; try again in a moment.",
            )
            .retry_after(wait.as_secs() + 1)
        })
    }

    /// One of the places for concurrent requests, held until dropped; `None` while all are taken.
    pub fn try_slot(&self) -> Option<SemaphorePermit<'_>> {
        self.slots.try_acquire().ok()
    }

    /// The address that a client's requests are counted by: of IPv6 its network. Without a peer all clients count as one.
    pub fn client_of(&self, headers: &HeaderMap, extensions: &Extensions) -> IpAddr {
        let peer = extensions
            .get::<Peer>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
        network(forwarded(headers, self.trusted_hops).unwrap_or(peer))
    }
}

/// The address that the outermost of our own proxies saw: counted from the right, as the left is the client's to invent.
fn forwarded(headers: &HeaderMap, trusted_hops: usize) -> Option<IpAddr> {
    let skip = trusted_hops.checked_sub(1)?;
    let lines: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|line| line.to_str().ok())
        .collect();
    lines
        .iter()
        .rev()
        .flat_map(|line| line.rsplit(','))
        .nth(skip)?
        .trim()
        .parse()
        .ok()
}

/// One home has a whole IPv6 network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn check(lines: &[&'static str], hops: usize, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", HeaderValue::from_static(line));
        }
        assert_eq!(
            forwarded(&headers, hops),
            expected.map(|ip| ip.parse().unwrap()),
            "{lines:?}"
        );
    }

    #[test]
    fn client_address_is_counted_from_the_trusted_end() {
        check(&["6.6.6.6, 1.2.3.4"], 1, Some("1.2.3.4"));
        check(&["6.6.6.6", "1.2.3.4, 10.0.0.1"], 2, Some("1.2.3.4"));
        check(&["1.2.3.4"], 0, None);
        check(&["1.2.3.4"], 3, None);
        check(&["nonsense"], 1, None);
        check(&[], 1, None);
    }

    #[test]
    fn one_ipv6_network_is_one_client() {
        let near: IpAddr = "2001:db8:1:2:aaaa::1".parse().unwrap();
        let same: IpAddr = "2001:db8:1:2:bbbb::2".parse().unwrap();
        let other: IpAddr = "2001:db8:1:3::1".parse().unwrap();
        assert_eq!(network(near), network(same));
        assert_ne!(network(near), network(other));
        assert_eq!(
            network("::ffff:1.2.3.4".parse().unwrap()),
            "1.2.3.4".parse::<IpAddr>().unwrap()
        );
    }
}

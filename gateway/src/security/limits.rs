//! How much anybody may ask: per client, at once, how large and for how long.
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Extensions;
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use kit::error::Kind;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::config::ClientRules;
use crate::error::{Answer, Problem};
use crate::security::guesses::Guesses;

const FORGET_EVERY: Duration = Duration::from_mins(1);

/// Who is at the other end of the connection. Put into each request by the server.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

pub struct Limits {
    general: DefaultKeyedRateLimiter<IpAddr>,
    sign_in: DefaultKeyedRateLimiter<IpAddr>,
    ai_text: DefaultKeyedRateLimiter<IpAddr>,
    csp_report: DefaultKeyedRateLimiter<IpAddr>,
    /// Coupons that do not exist.
    pub coupons: Guesses,
    /// Tokens of readers and operators.
    pub tokens: Guesses,
    /// Notifications that no provider wrote.
    pub notifications: Guesses,
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
            coupons: Guesses::new(rules.guesses_per_minute),
            tokens: Guesses::new(rules.guesses_per_minute),
            notifications: Guesses::new(rules.guesses_per_minute),
            slots: Semaphore::new(rules.max_concurrent),
            trusted_hops: rules.trusted_hops,
        }
    }

    /// Drops clients that were not seen for a while, so that the tables stay small.
    pub async fn forget_idle_clients(self: Arc<Self>) {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            for table in [&self.general, &self.sign_in, &self.ai_text, &self.csp_report] {
                table.retain_recent();
                table.shrink_to_fit();
            }
            for guesses in [&self.coupons, &self.tokens, &self.notifications] {
                guesses.forget_idle();
            }
        }
    }

    /// Who asks: the address, or the network where one home has many.
    pub fn client_of(&self, headers: &HeaderMap, extensions: &Extensions) -> IpAddr {
        let peer = extensions
            .get::<Peer>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
        network(forwarded(headers, self.trusted_hops).unwrap_or(peer))
    }
}

/// The client of a request, for handlers.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

impl FromRequestParts<Arc<App>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(app.limits.client_of(&parts.headers, &parts.extensions)))
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

/// Refuses at once what could not be answered in time anyway.
pub async fn shed(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer<Response> {
    let Ok(_slot) = app.limits.slots.try_acquire() else {
        metrics::counter!("gateway_shed_total").increment(1);
        return Err(Problem::new(
            Kind::Unavailable,
            "OVERLOADED",
            "Too busy; try again in a moment.",
        )
        .retry_after(1));
    };
    Ok(next.run(request).await)
}

pub async fn rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer<Response> {
    admit(
        &app.limits.general,
        app.limits.client_of(request.headers(), request.extensions()),
    )?;
    Ok(next.run(request).await)
}

/// Guessing passwords and making accounts cost more than reading.
pub async fn sign_in_rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer<Response> {
    admit(
        &app.limits.sign_in,
        app.limits.client_of(request.headers(), request.extensions()),
    )?;
    Ok(next.run(request).await)
}

/// A model is paid by the word.
pub async fn ai_text_rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer<Response> {
    admit(
        &app.limits.ai_text,
        app.limits.client_of(request.headers(), request.extensions()),
    )?;
    Ok(next.run(request).await)
}

/// A page that blocks much must not cost other calls their allowance, and an inventor of reports is slowed down.
pub async fn csp_report_rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer<Response> {
    admit(
        &app.limits.csp_report,
        app.limits.client_of(request.headers(), request.extensions()),
    )?;
    Ok(next.run(request).await)
}

fn admit(limiter: &DefaultKeyedRateLimiter<IpAddr>, client: IpAddr) -> Answer<()> {
    limiter.check_key(&client).map_err(|until| {
        metrics::counter!("gateway_rate_limited_total").increment(1);
        let wait = until.wait_time_from(DefaultClock::default().now());
        Problem::new(
            Kind::TooMany,
            "RATE_LIMITED",
            "Too many requests; try again in a moment.",
        )
        .retry_after(wait.as_secs() + 1)
    })
}

/// How much one kind of call may send, and how long its answer may take. The time starts when the body is here.
#[derive(Clone, Copy)]
pub struct Allowance {
    pub body_bytes: usize,
    pub deadline: Duration,
}

/// Takes the whole body in, within its own time, then lets the call run until its deadline, which travels inwards.
pub async fn bounded(
    State((app, allowance)): State<(Arc<App>, Allowance)>,
    request: Request,
    next: Next,
) -> Answer<Response> {
    let request = with_whole_body(request, allowance.body_bytes, app.config.server.body_timeout).await?;
    let answer = kit::deadline::within(allowance.deadline, next.run(request)).await;
    Ok(answer.unwrap_or_else(|_| too_slow()))
}

/// For addresses that read no body: what is sent all the same is not waited for, so an unknown address is 404 whatever comes with it.
pub async fn bodiless(State(deadline): State<Duration>, request: Request, next: Next) -> Response {
    let (parts, _unread) = request.into_parts();
    let request = Request::from_parts(parts, Body::empty());
    let answer = kit::deadline::within(deadline, next.run(request)).await;
    answer.unwrap_or_else(|_| too_slow())
}

fn too_slow() -> Response {
    Problem::new(
        Kind::Timeout,
        "TIMEOUT",
        "It took too long; try again in a moment.",
    )
    .into_response()
}

async fn with_whole_body(request: Request, most_bytes: usize, within: Duration) -> Answer<Request> {
    let (parts, body) = request.into_parts();
    let collected = tokio::time::timeout(within, Limited::new(body, most_bytes).collect()).await;
    match collected {
        Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
        Ok(Err(fault)) if fault.is::<LengthLimitError>() => {
            let message = format!("The body may have at most {most_bytes} bytes.");
            Err(Problem::new(Kind::Invalid, "BODY_TOO_LARGE", message))
        }
        Ok(Err(_)) => Err(
            Problem::new(Kind::Invalid, "MALFORMED_BODY", "The body broke off.").field(
                "body",
                "INCOMPLETE",
                "The body broke off.",
            ),
        ),
        Err(_) => Err(Problem::new(
            Kind::Timeout,
            "BODY_TIMEOUT",
            "The body took too long to arrive.",
        )),
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

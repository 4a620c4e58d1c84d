//! The hot paths that are plain repeated requests.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::load::{Load, post_script};
use crate::nginx::{Nginx, Page};
use crate::target::Target;

/// One measured path.
#[derive(Clone, Debug)]
pub struct Figures {
    pub name: &'static str,
    pub requests: u64,
    pub errors: u64,
    pub wall_millis: u64,
    /// Our own process (nginx's for the reference).
    pub cpu_millis: u64,
    /// Postgres and NATS.
    pub store_cpu_millis: u64,
    pub p99_micros: u64,
}

pub const BURST: Duration = Duration::from_secs(5);
pub const WARM_UP: Duration = Duration::from_secs(1);
pub const CONNECTIONS: u32 = 32;

/// Fetches the home page for nginx to serve; also fills the cache.
pub async fn fetch_page(target: &Target) -> Result<Page> {
    let client = reqwest::Client::builder().no_gzip().build()?;
    let url = format!("{}/en/", target.gateway_url);
    let answer = client
        .get(&url)
        .header("accept-encoding", "gzip")
        .send()
        .await?
        .error_for_status()?;
    anyhow::ensure!(
        answer
            .headers()
            .get("content-encoding")
            .is_some_and(|coding| coding == "gzip"),
        "the gateway did not compress its page"
    );
    let headers = answer
        .headers()
        .iter()
        .map(|(name, value)| Ok((name.to_string(), value.to_str()?.to_owned())))
        .collect::<Result<_>>()?;
    Ok(Page {
        gzipped: answer.bytes().await?.to_vec(),
        headers,
    })
}

/// Measures nginx and the gateway in turns. Returns the median turn of each by CPU per request.
pub fn page_against_nginx(target: &Target, nginx: &Nginx, turns: usize) -> Result<(Figures, Figures)> {
    let ours = format!("{}/en/", target.gateway_url);
    let headers = [("Accept-Encoding", "gzip")];
    let load = |url, duration| Load {
        url,
        connections: CONNECTIONS,
        duration,
        headers: &headers,
        script: None,
    };
    load(&nginx.url, WARM_UP).run()?;
    load(&ours, WARM_UP).run()?;

    let (mut theirs, mut mine) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        theirs.push(measure(
            "nginx, same bytes",
            || (nginx.cpu_millis(), 0),
            &load(&nginx.url, BURST),
        )?);
        mine.push(measure("cached page", || target.cpu(), &load(&ours, BURST))?);
    }
    Ok((median(theirs)?, median(mine)?))
}

/// The price of a campaign, a coupon and a country, as a landing page requests it.
pub async fn campaign_quote(target: &Target) -> Result<Figures> {
    let url = format!("{}/api/web-campaign-landing", target.gateway_url);
    let body = r#"{"campaign":"web-annual","coupon_code":"WELCOME20","language":"tr","country":"TR","ip":"127.0.0.1"}"#;
    posts(target, "campaign quote", &url, &post_script(body)).await
}

/// One browser event per request, each with a new id, acknowledged by `JetStream` before the response.
pub async fn event_ingest(target: &Target) -> Result<Figures> {
    let url = format!("{}/api/analytics/events", target.gateway_url);
    posts(target, "web event ingest", &url, EVENT_SCRIPT).await
}

/// The events of each response count as its cost: measured until the stream and analytics are idle.
async fn posts(target: &Target, name: &'static str, url: &str, script: &str) -> Result<Figures> {
    let load = |duration| Load {
        url,
        connections: CONNECTIONS,
        duration,
        headers: &[("Content-Type", "application/json")],
        script: Some(script),
    };
    load(WARM_UP).run()?;
    target.wait_until_idle().await?;
    let (own_before, stores_before) = target.cpu();
    let figures = measure(name, || target.cpu(), &load(BURST))?;
    target.wait_until_idle().await?;
    let (own, stores) = target.cpu();
    Ok(Figures {
        cpu_millis: own - own_before,
        store_cpu_millis: stores - stores_before,
        ..figures
    })
}

pub fn measure(name: &'static str, cpu: impl Fn() -> (u64, u64), load: &Load<'_>) -> Result<Figures> {
    let (own_before, stores_before) = cpu();
    let started = Instant::now();
    let outcome = load.run().with_context(|| format!("{name}: load failed"))?;
    let wall_millis = u64::try_from(started.elapsed().as_millis())?;
    let (own, stores) = cpu();
    Ok(Figures {
        name,
        requests: outcome.requests,
        errors: outcome.errors,
        wall_millis,
        cpu_millis: own - own_before,
        store_cpu_millis: stores - stores_before,
        p99_micros: outcome.p99_micros,
    })
}

pub fn median(mut turns: Vec<Figures>) -> Result<Figures> {
    turns.sort_by_key(|turn| (turn.cpu_millis + turn.store_cpu_millis) * 1_000_000 / turn.requests.max(1));
    let middle = turns.len() / 2;
    turns.into_iter().nth(middle).context("no turn was measured")
}

const EVENT_SCRIPT: &str = r#"
local seed = os.time()
local count = 0
wrk.method = "POST"
function request()
  count = count + 1
  local id = string.format("%08x-0000-4000-8000-%012x", seed, count)
  local body = '{"events":[{"id":"' .. id .. '","name":"page_load","fields":{"page_type":"Home","site_section":"main"},"occurred_at":"2026-11-20T12:00:00Z"}]}'
  return wrk.format("POST", nil, nil, body)
end
"#;

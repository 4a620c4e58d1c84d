//! GraphQL against its baselines, in turns.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::baseline::Baseline;
use crate::cases::{BURST, CONNECTIONS, Figures, WARM_UP, measure, median};
use crate::load::{Load, post_script};
use crate::target::Target;

/// The home page with all its text. Prices are left out: they are checkout's, and the baseline's select has none.
const QUERY: &str = "query($urlPath: String!, $locale: String!) {
  page(urlPath: $urlPath, locale: $locale) {
    urlPath locale contentLocale template pageType className favicon availableLocales
    seo { title description noindex nofollow imageUrl }
    sections {
      __typename id componentName
      ... on Hero { eyebrow heroTitle: title description buttons { text url primary } proofLine artSeed }
      ... on FeatureCards { title description items { icon heading text } }
      ... on ProgramSamples { title samples { sampleTitle: title text image { url alt } } }
      ... on PlanList { title description note plans { title description features badge button { text url } price { campaignName divider } } }
      ... on Testimonials { title testimonials { id quote personName personTitle } }
      ... on Accordion { heading items { question answer answerHtml } }
      ... on CallToActionBanner { bannerTitle: title text button { text url } }
      ... on MarkdownText { html }
    }
  }
}";

/// One line of the comparison.
pub struct Compared {
    pub figures: Figures,
    pub baseline: Figures,
    /// In hundredths of the baseline's CPU, stores included.
    pub at_most: u64,
}

pub fn question(url_path: &str, locale: &str) -> String {
    json!({"query": QUERY, "variables": {"urlPath": url_path, "locale": locale}}).to_string()
}

/// With and without the response cache, each in turns with its baseline. Returns the median turn by CPU per request.
pub fn compare(target: &Target, baseline: &Baseline, turns: usize) -> Result<[Compared; 2]> {
    let script = post_script(&question("/", "en"));
    let graphql = format!("{}/graphql", target.gateway_url);
    let (select, ready) = (
        format!("{}/select", baseline.url),
        format!("{}/ready", baseline.url),
    );
    let authorization = format!("Bearer {}", target.content_token);
    let json = ("Content-Type", "application/json");
    let cached_headers = [json, ("Authorization", authorization.as_str())];
    let uncached_headers = [
        json,
        ("Authorization", authorization.as_str()),
        ("Cache-Control", "no-cache"),
    ];

    let uncached = load(&graphql, &uncached_headers, Some(&script));
    let cached = load(&graphql, &cached_headers, Some(&script));
    let bare = load(&select, &[], None);
    let plain_headers = [json];
    let bytes = load(&ready, &plain_headers, Some(&script));
    for load in [&uncached, &cached, &bare, &bytes] {
        Load {
            duration: WARM_UP,
            ..*load
        }
        .run()?;
    }
    let theirs = || (baseline.cpu_millis(), target.cpu().1);
    let mut rounds_of = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..turns {
        rounds_of[0].push(measure("one prepared select through axum", theirs, &bare)?);
        rounds_of[1].push(measure("GraphQL page, uncached", || target.cpu(), &uncached)?);
        rounds_of[2].push(measure("ready JSON through axum", theirs, &bytes)?);
        rounds_of[3].push(measure("GraphQL page, cached", || target.cpu(), &cached)?);
    }
    let [bare, uncached, bytes, cached] = rounds_of.map(median);
    Ok([
        Compared {
            figures: uncached?,
            baseline: bare?,
            at_most: 160,
        },
        Compared {
            figures: cached?,
            baseline: bytes?,
            at_most: 160,
        },
    ])
}

fn load<'a>(url: &'a str, headers: &'a [(&'a str, &'a str)], script: Option<&'a str>) -> Load<'a> {
    Load {
        url,
        connections: CONNECTIONS,
        duration: BURST,
        headers,
        script,
    }
}

/// The response that the baseline serves; fails on an incomplete one.
pub async fn answer(target: &Target) -> Result<Vec<u8>> {
    let response = reqwest::Client::new()
        .post(format!("{}/graphql", target.gateway_url))
        .bearer_auth(&target.content_token)
        .header("content-type", "application/json")
        .body(question("/", "en"))
        .send()
        .await?;
    let body = response.bytes().await?;
    let answer: Value = serde_json::from_slice(&body).context("the answer is no JSON")?;
    ensure!(
        answer.get("errors").is_none() && answer["data"]["page"]["sections"][0].is_object(),
        "the page query failed: {answer}"
    );
    Ok(body.to_vec())
}

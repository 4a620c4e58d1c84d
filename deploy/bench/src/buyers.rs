//! Subscription creation. Each buyer can buy once: buyers are created first, and only the purchase is measured.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use reqwest::header::{CONTENT_TYPE, COOKIE};
use serde_json::{Value, json};

use crate::accounts;
use crate::cases::Figures;
use crate::target::Target;

const BUYERS: usize = 400;
/// The number of buyers who warm up: a connection to Postgres reads its tables and plans each statement five times
/// before it caches the plan, once per connection and not per purchase.
const WARMING_UP: usize = 300;
const CONCURRENT: usize = 32;

/// A signed-in member with a tokenised test card.
pub struct Buyer {
    cookie: String,
    price_id: String,
    payment_method_id: String,
}

pub async fn sign_up(target: &Target) -> Result<Vec<Buyer>> {
    let client = reqwest::Client::new();
    // Two at a time: sign-up costs mostly the password hash, which is not measured here.
    stream::iter(0..WARMING_UP + BUYERS)
        .map(|number| prepare(target, &client, number))
        .buffer_unordered(2)
        .try_collect()
        .await
}

/// Lets the first buyers buy unmeasured, and waits until their events and webhooks are processed.
pub async fn warm_up(target: &Target, buyers: &mut Vec<Buyer>) -> Result<()> {
    let first = buyers.drain(..WARMING_UP.min(buyers.len())).collect();
    buy_all(target, &reqwest::Client::new(), first).await?;
    target.wait_until_idle().await
}

pub async fn subscriptions(target: &Target, buyers: Vec<Buyer>) -> Result<Figures> {
    let client = reqwest::Client::new();
    let (own_before, stores_before) = target.cpu();
    let started = Instant::now();
    let answers = buy_all(target, &client, buyers).await?;
    let wall_millis = u64::try_from(started.elapsed().as_millis())?;
    // Webhooks, events and the mail count as the purchase's cost.
    target.wait_until_idle().await?;
    let (own, stores) = target.cpu();
    Ok(Figures {
        name: "subscription creation",
        requests: u64::try_from(answers.len())?,
        errors: u64::try_from(answers.iter().filter(|(active, _)| !active).count())?,
        wall_millis,
        cpu_millis: own - own_before,
        store_cpu_millis: stores - stores_before,
        p99_micros: percentile_99(answers.iter().map(|&(_, took)| took).collect())?,
    })
}

/// The duration of each purchase; fails when one is not active.
async fn buy_all(
    target: &Target,
    client: &reqwest::Client,
    buyers: Vec<Buyer>,
) -> Result<Vec<(bool, Duration)>> {
    stream::iter(buyers)
        .map(|buyer| buy(target, client, buyer))
        .buffer_unordered(CONCURRENT)
        .try_collect()
        .await
}

fn percentile_99(mut took: Vec<Duration>) -> Result<u64> {
    took.sort_unstable();
    let at = took.len().saturating_sub(1) * 99 / 100;
    let slow = took.get(at).context("there was no purchase")?;
    Ok(u64::try_from(slow.as_micros())?)
}

async fn prepare(target: &Target, client: &reqwest::Client, number: usize) -> Result<Buyer> {
    let email = format!("buyer-{}-{number}@bench.example", std::process::id());
    let cookie = accounts::register(target, client, &email).await?;
    let campaign = post(
        client,
        &format!("{}/api/web-campaign", target.gateway_url),
        &cookie,
        &json!({"campaign": "web-monthly", "coupon_code": "", "language": "en", "country": "US", "ip": "127.0.0.1"}),
    )
    .await?;
    Ok(Buyer {
        price_id: campaign["data"]["price_id"]
            .as_str()
            .context("the campaign has no price")?
            .to_owned(),
        payment_method_id: tokenise_card(target, client).await?,
        cookie,
    })
}

/// Tokenises a card as Stripe's script does in the browser.
async fn tokenise_card(target: &Target, client: &reqwest::Client) -> Result<String> {
    let answer: Value = client
        .post(format!("{}/stripe/v1/payment_methods", target.sandbox_url))
        .bearer_auth("pk_test_stillpoint")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body("type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123")
        .send()
        .await?
        .error_for_status()
        .context("tokenise card")?
        .json()
        .await?;
    Ok(answer["id"].as_str().context("the card got no id")?.to_owned())
}

async fn buy(target: &Target, client: &reqwest::Client, buyer: Buyer) -> Result<(bool, Duration)> {
    let clicked = Instant::now();
    let answer = post(
        client,
        &format!("{}/api/create-subscription-fixed", target.gateway_url),
        &buyer.cookie,
        &json!({
            "customer_id": "", "price_id": buyer.price_id, "coupon_code": "",
            "payment_method_id": buyer.payment_method_id, "payment_source": "stripe", "country": "US",
        }),
    )
    .await?;
    Ok((answer["status"] == "active", clicked.elapsed()))
}

async fn post(client: &reqwest::Client, url: &str, cookie: &str, body: &Value) -> Result<Value> {
    let answer = client.post(url).header(COOKIE, cookie).json(body).send().await?;
    let status = answer.status();
    let text = answer.text().await?;
    ensure!(status.is_success(), "{url} answered {status}: {text}");
    Ok(serde_json::from_str(&text)?)
}

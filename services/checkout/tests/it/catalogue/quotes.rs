use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::{CreateSubscriptionRequest, ResolveCampaignRequest, ResolveCampaignResponse};
use serde_json::json;

use crate::support::campaign_files::Seeds;
use crate::support::fake_provider::{APPROVED, DECLINED};
use crate::support::test_env::{MEMBER, TestEnv};

async fn submit(env: &TestEnv, shown: &ResolveCampaignResponse, number: &str) -> CreateSubscriptionRequest {
    let offer = shown.offer.clone().unwrap();
    CreateSubscriptionRequest {
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        price_id: offer.price_id,
        coupon_code: offer.coupon_code,
        quote: shown.quote.clone(),
        payment_method_id: env.fake_provider.card(number).await,
        country: "TR".into(),
        language: "tr".into(),
        ..Default::default()
    }
}

async fn shown(env: &TestEnv) -> ResolveCampaignResponse {
    env.resolve("web-monthly", "", "tr").await.unwrap()
}

async fn charged(env: &TestEnv) -> Vec<serde_json::Value> {
    let charges = env.fake_provider.captured_charges().await;
    charges.iter().map(|charge| charge["amount"].clone()).collect()
}

#[tokio::test]
async fn price_shown_is_the_price_charged_though_the_catalogue_changed_meanwhile() {
    let seeds = Seeds::shipped();
    let env = TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    let shown = shown(&env).await;
    seeds.change("web-monthly.yaml", "199.99", "249.99");
    env.host.run(checkout::definition()).await;
    assert_eq!(
        env.offer("web-monthly", "", "tr")
            .await
            .price
            .unwrap()
            .amount_minor,
        24_999
    );

    let request = submit(&env, &shown, APPROVED).await;
    env.pay(request).await.unwrap();
    assert_eq!(charged(&env).await, [json!(19_999)]);
    env.check_ledger().await;
}

#[tokio::test]
async fn quote_of_one_tab_is_good_in_another() {
    let env = TestEnv::start().await;
    let (one, other) = (shown(&env).await, shown(&env).await);
    let request = submit(&env, &one, DECLINED).await;
    assert_eq!(env.pay(request).await.unwrap_err().code, "card_declined");
    let request = submit(&env, &other, APPROVED).await;
    env.pay(request).await.unwrap();
    assert_eq!(charged(&env).await, [json!(19_999)]);
}

#[tokio::test]
async fn expired_quote_charges_nothing_and_a_new_one_does() {
    let env = TestEnv::start().await;
    let old = shown(&env).await;
    env.advance(TimeDelta::minutes(31)).await;
    let request = submit(&env, &old, APPROVED).await;
    assert_eq!(env.pay(request).await.unwrap_err().code, "QUOTE_EXPIRED");
    assert!(env.subscriptions().await.is_empty() && charged(&env).await.is_empty());

    let request = submit(&env, &shown(&env).await, APPROVED).await;
    env.pay(request).await.unwrap();
    assert_eq!(charged(&env).await, [json!(19_999)]);
}

#[tokio::test]
async fn repeat_of_a_paid_request_is_answered_after_its_quote_expired() {
    let env = TestEnv::start().await;
    let request = submit(&env, &shown(&env).await, APPROVED).await;
    let first = env.pay(request.clone()).await.unwrap();
    env.advance(TimeDelta::hours(2)).await;
    let again = env.pay(request).await.unwrap();
    assert_eq!(
        again.subscription.unwrap().subscription_id,
        first.subscription.unwrap().subscription_id
    );
    assert_eq!(charged(&env).await.len(), 1);
}

#[tokio::test]
async fn tampered_or_foreign_quote_charges_nothing() {
    let env = TestEnv::start().await;
    let shown = shown(&env).await;
    let good = submit(&env, &shown, APPROVED).await;
    let cheap = env.resolve("teb40", "", "tr").await.unwrap();

    let mut changed = good.clone();
    let last = changed.quote.pop().unwrap();
    changed.quote.push(if last == 'A' { 'B' } else { 'A' });
    let mut made_up = good.clone();
    made_up.quote = "cheap-please".into();
    let mut of_another = good.clone();
    of_another.quote = cheap.quote;
    for lie in [changed, made_up, of_another] {
        assert_eq!(env.pay(lie).await.unwrap_err().code, "QUOTE_INVALID");
    }
    assert!(env.subscriptions().await.is_empty() && charged(&env).await.is_empty());
}

#[tokio::test]
async fn page_without_quotes_pays_what_is_on_sale() {
    let env = TestEnv::start().await;
    let mut request = submit(&env, &shown(&env).await, APPROVED).await;
    request.quote = String::new();
    env.pay(request).await.unwrap();
    assert_eq!(charged(&env).await, [json!(19_999)]);
}

#[tokio::test]
async fn quote_ends_half_an_hour_after_it_was_made() {
    let env = TestEnv::start().await;
    let ends = shown(&env).await.quote_expires_at.unwrap();
    let at = env.host.clock().now() + TimeDelta::minutes(30);
    assert_eq!(ends.seconds, at.timestamp());
}

#[tokio::test]
async fn currency_follows_campaign_and_country_not_the_language() {
    let env = TestEnv::start().await;
    for (campaign, language, country, currency) in [
        ("turkcell", "en", "US", "TRY"),
        ("cdc25", "ja", "JP", "TRY"),
        ("teb40", "de", "DE", "TRY"),
        ("web-monthly", "en", "BY", "RUB"),
        ("web-monthly", "ja", "TR", "JPY"),
        ("free-trial", "pt", "BR", "BRL"),
    ] {
        let request = ResolveCampaignRequest {
            campaign: campaign.into(),
            language: language.into(),
            country: country.into(),
            ..Default::default()
        };
        let answered = env.checkout.clone().resolve_campaign(request).await;
        let answer = answered.map_err(|status| Failure::from_status(&status)).unwrap();
        let price = answer.into_inner().offer.unwrap().price.unwrap();
        assert_eq!(price.currency, currency, "{campaign} {language} {country}");
    }
}

#[tokio::test]
async fn paid_trial_is_offered_and_cannot_be_bought_as_a_subscription() {
    let seeds = Seeds::shipped();
    let trial = "trial_days: 7\ntrial_prices: { TRY: \"1.00\" }";
    seeds.change("cdc25.yaml", "trial_days: 7", trial);
    let env = TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    let shown = env.resolve("cdc25", "", "tr").await.unwrap();
    let [fee] = &shown.trial_prices[..] else {
        panic!("{shown:?}")
    };
    assert_eq!(fee.price.clone().unwrap().amount_minor, 100);

    let mut request = submit(&env, &shown, APPROVED).await;
    request.price_id = fee.price_id.clone();
    request.quote = String::new();
    assert_eq!(env.pay(request).await.unwrap_err().code, "UNKNOWN_PRICE");
}

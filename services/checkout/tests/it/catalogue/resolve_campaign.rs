use std::time::Duration;

use kit::error::Failure;
use kit::requester::{self, Requester};
use proto::checkout::v1::{CreateSubscriptionRequest, ResolveCampaignRequest};
use proto::common::v1::Money;

use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TIMEOUT, TestEnv};

fn money(amount_minor: i64, currency: &str) -> Money {
    Money {
        amount_minor,
        currency: currency.into(),
    }
}

#[tokio::test]
async fn language_and_coupon_decide_the_price() {
    let env = TestEnv::start().await;
    for (language, coupon, price, list) in [
        ("tr", "", money(99_999, "TRY"), money(239_988, "TRY")),
        ("tr", "welcome20", money(79_999, "TRY"), money(239_988, "TRY")),
        ("ja", "", money(7800, "JPY"), money(18_000, "JPY")),
        ("da", "", money(6999, "USD"), money(15_588, "USD")),
    ] {
        let offer = env.offer("web-annual", coupon, language).await;
        assert_eq!(
            (offer.price, offer.default_price),
            (Some(price), Some(list)),
            "{language} {coupon}"
        );
        assert_eq!((offer.trial_days, offer.period_months), (7, 12));
    }
}

#[tokio::test]
async fn discount_is_returned_in_money_and_whole_percent() {
    let offer = TestEnv::start().await.offer("web-annual", "", "tr").await;
    assert_eq!(offer.discount_amount, Some(money(139_989, "TRY")));
    assert_eq!(offer.discount_rate_percent, 58);
}

#[tokio::test]
async fn unknown_campaign_and_coupon_are_refused() {
    let env = TestEnv::start().await;
    for (campaign, coupon, code) in [
        ("nothing", "", "UNKNOWN_CAMPAIGN"),
        ("web-annual", "FREE", "UNKNOWN_COUPON"),
    ] {
        let request = ResolveCampaignRequest {
            campaign: campaign.into(),
            coupon_code: coupon.into(),
            language: "en".into(),
            ..Default::default()
        };
        let status = env.checkout.clone().resolve_campaign(request).await.unwrap_err();
        assert_eq!(Failure::from_status(&status).code, code);
    }
}

#[tokio::test]
async fn each_quote_emits_an_event() {
    let env = TestEnv::start().await;
    let offer = env.offer("web-monthly", "WELCOME20", "tr").await;
    let event = env.events("campaign.resolved", 1).await.remove(0);
    assert_eq!(event.data["campaign"], "web-monthly");
    assert_eq!(event.data["couponCode"], "WELCOME20");
    assert_eq!(event.data["priceId"], offer.price_id);
    assert_eq!(event.data["userId"], MEMBER);
    assert_eq!(event.lang.as_deref(), Some("tr"));
}

#[tokio::test]
async fn caller_without_a_language_gets_the_requesters_for_quote_and_order() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let request = CreateSubscriptionRequest {
        language: String::new(),
        ..env.submit("web-monthly", &card).await
    };
    let visitor = Requester::new("de", "AT");
    let calls = async {
        env.offer("web-monthly", "", "").await;
        env.pay(request).await.unwrap();
    };
    requester::scope(visitor, calls).await;

    // `submit` resolves in Turkish.
    let quotes = env.events("campaign.resolved", 2).await;
    let mut languages: Vec<_> = quotes.iter().map(|event| event.lang.as_deref()).collect();
    languages.sort_unstable();
    assert_eq!(languages, [Some("de"), Some("tr")]);
    let activated = env.events("subscription.activated", 1).await;
    assert_eq!(activated[0].lang.as_deref(), Some("de"));
    assert_eq!(
        env.count("select count(*) from orders where language = 'de'")
            .await,
        1
    );
}

#[tokio::test]
async fn guests_quotes_do_not_delay_payments_in_the_outbox() {
    let env = TestEnv::start().await;
    env.guest_asks().await;
    let event = env
        .host
        .events("stillpoint.checkout.campaign.resolved", 1)
        .await
        .remove(0);
    assert_eq!(event.data["campaign"], "web-monthly");
    assert_eq!(env.quotes_in_outbox().await, 0);
}

#[tokio::test]
async fn guests_quotes_outlive_an_outage_of_the_stream() {
    let env = TestEnv::start().await;
    env.host.stop_nats();
    env.guest_asks().await;
    let waiting = tokio::time::timeout(TIMEOUT, async {
        while env.quotes_in_outbox().await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waiting.await.expect("it waits in the outbox");
    env.host.start_nats();
    env.events("campaign.resolved", 1).await;
}

#[tokio::test]
async fn member_who_paid_before_is_known_to_stripe() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let request = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        language: "tr".into(),
        user_id: MEMBER.into(),
        ..Default::default()
    };
    let answer = env
        .checkout
        .clone()
        .resolve_campaign(request)
        .await
        .unwrap()
        .into_inner();
    assert!(answer.stripe_customer_id.starts_with("cus_"), "{answer:?}");
}

impl TestEnv {
    async fn guest_asks(&self) {
        let request = ResolveCampaignRequest {
            campaign: "web-monthly".into(),
            language: "en".into(),
            ..Default::default()
        };
        self.checkout.clone().resolve_campaign(request).await.unwrap();
    }

    async fn quotes_in_outbox(&self) -> i64 {
        sqlx::query_scalar("select count(*) from outbox where event ->> 'type' like '%campaign.resolved'")
            .fetch_one(&self.pool().await)
            .await
            .unwrap()
    }
}

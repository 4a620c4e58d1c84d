use kit::error::Failure;
use proto::checkout::v1::QuoteOffersRequest;
use proto::checkout::v1::quote_offers_request::Item;

use crate::support::test_env::TestEnv;

fn items(campaigns: &[&str]) -> QuoteOffersRequest {
    let item = |campaign: &&str| Item {
        campaign: (*campaign).into(),
        coupon_code: String::new(),
    };
    QuoteOffersRequest {
        items: campaigns.iter().map(item).collect(),
        language: "de".into(),
        country: "DE".into(),
    }
}

#[tokio::test]
async fn page_gets_all_its_prices_and_unknown_ones_are_left_out() {
    let env = TestEnv::start().await;
    let request = items(&["web-annual", "gone-since-yesterday", "web-monthly"]);
    let offers = env
        .checkout
        .clone()
        .quote_offers(request)
        .await
        .unwrap()
        .into_inner()
        .offers;
    let quoted: Vec<_> = offers
        .iter()
        .map(|offer| (offer.campaign.as_str(), offer.price.clone().unwrap()))
        .collect();
    assert_eq!(quoted.len(), 2);
    assert_eq!(
        (
            quoted[0].0,
            quoted[0].1.amount_minor,
            quoted[0].1.currency.as_str()
        ),
        ("web-annual", 6999, "EUR")
    );
    assert_eq!((quoted[1].0, quoted[1].1.amount_minor), ("web-monthly", 1299));
}

#[tokio::test]
async fn sessions_have_no_price_before_they_can_be_booked() {
    for (bookable, quoted) in [
        ("false", vec!["coaching-monthly"]),
        (
            "true",
            vec!["coaching-monthly", "addition-coaching", "addition-therapy"],
        ),
    ] {
        let env = TestEnv::start_with([("CHECKOUT_SESSIONS_BOOKABLE", bookable)]).await;
        let request = items(&["coaching-monthly", "addition-coaching", "addition-therapy"]);
        let answer = env.checkout.clone().quote_offers(request).await.unwrap();
        let offers = answer.into_inner().offers;
        let campaigns: Vec<&str> = offers.iter().map(|offer| offer.campaign.as_str()).collect();
        assert_eq!(campaigns, quoted, "bookable: {bookable}");
    }
}

#[tokio::test]
async fn more_than_a_page_full_is_refused() {
    let env = TestEnv::start().await;
    let status = env
        .checkout
        .clone()
        .quote_offers(items(&["web-annual"; 51]))
        .await
        .unwrap_err();
    assert_eq!(Failure::from_status(&status).code, "INVALID_ARGUMENT");
}

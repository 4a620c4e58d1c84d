//! `LinkPaypalSubscription`: the member returns with a subscription approved at PayPal.

use std::collections::BTreeMap;

use checkout::domain::provider::Provider;
use proto::checkout::v1::LinkPaypalSubscriptionRequest;
use proto::common::v1::Tracking;
use sandbox::paypal::Buyer;

use super::provider_setup::ProviderSetup;
use super::webhook_proxy::deliver;
use crate::support::test_env::MEMBER;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn linking_emits_one_event_with_its_attribution() {
    let setup = ProviderSetup::open(Provider::Paypal).await;
    setup.proxy.close();
    let id = setup.offer().await;
    setup.agree(&id, Buyer::Rich);
    let request = LinkPaypalSubscriptionRequest {
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        full_name: "A Buyer".into(),
        subscription_id: id.clone(),
        country: "US".into(),
        language: "en".into(),
        tracking: Some(Tracking {
            parameters: BTreeMap::from([("utm_source".to_owned(), "newsletter".to_owned())])
                .into_iter()
                .collect(),
        }),
    };
    for _ in 0..2 {
        let mut checkout = setup.env.checkout.clone();
        checkout.link_paypal_subscription(request.clone()).await.unwrap();
    }
    for notification in setup.proxy.received() {
        deliver(&setup.env.checkout, notification).await.unwrap();
    }
    setup.rest().await;
    let emitted = setup.env.events("paypal_subscription.linked", 1).await;
    let held = setup.env.subscriptions().await.remove(0);
    assert_eq!(emitted[0].data["subscriptionId"], held.subscription_id);
    assert_eq!(emitted[0].data["paypalSubscriptionId"], id);
    assert_eq!(emitted[0].data["userId"], MEMBER);
    assert_eq!(
        emitted[0].data["tracking"]["parameters"]["utm_source"],
        "newsletter"
    );
}

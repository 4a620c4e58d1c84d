//! `GetGuest`: where mails about an order go that was bought without an account.

use checkout::domain::provider::Provider;
use kit::error::Failure;
use proto::checkout::v1::GetGuestRequest;
use proto::checkout::v1::create_intent_request::Purpose;

use crate::contract::provider_setup::ProviderSetup;
use crate::one_time::create_gift::{opened, until_paid};
use crate::one_time::create_intent::{deliver_all, open, pay, wanted, wanted_by_guest};
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::TestEnv;

pub async fn guest_of(env: &TestEnv, order_id: &str) -> Result<String, String> {
    let request = GetGuestRequest {
        order_id: order_id.to_owned(),
    };
    let answered = env.checkout.clone().get_guest(request).await;
    answered
        .map(|answer| answer.into_inner().email)
        .map_err(|status| Failure::from_status(&status).code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn address_of_a_guest_is_returned() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let (_, gift) = opened(&setup).await;
    setup.pay(Provider::Platron, &gift.platron_url);
    until_paid(&setup).await;
    let mailed = guest_of(&setup.env, &gift.order_id).await;
    assert_eq!(mailed.as_deref(), Ok("buyer@example.com"));
}

#[tokio::test]
async fn order_without_an_address_of_a_guest_is_unknown() {
    let env = TestEnv::start().await;
    let lifetime = pay(&env, &wanted(&env, Purpose::Payment, "lifetime").await, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    let gift = open(&env, &wanted_by_guest(&env, Purpose::Gift, "gift-year").await)
        .await
        .unwrap();
    let unknown_order = Err("UNKNOWN_ORDER".to_owned());
    assert_eq!(
        guest_of(&env, &lifetime.order_id).await,
        unknown_order,
        "a member's"
    );
    assert_eq!(
        guest_of(&env, &gift.order_id).await,
        unknown_order,
        "who has not said who they are"
    );
    assert_eq!(guest_of(&env, "ord_1").await, unknown_order);
}

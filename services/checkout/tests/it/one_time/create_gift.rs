//! `CreateGift`: gifts paid on the hosted pages of YooKassa and Platron, by guests and members.

use checkout::domain::invariants::violations;
use checkout::domain::provider::Provider;
use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ConfirmPlatronPaymentRequest, CreateGiftRequest, CreateGiftResponse};
use sandbox::{Action, Fault, platron};

use crate::contract::provider_setup::ProviderSetup;
use crate::one_time::create_intent::{open, wanted_by_guest};
use crate::one_time::get_guest::guest_of;
use crate::privacy::erase_member::{UNERASED_CHECKOUTS, erase};
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

const GIFT_MINOR: i64 = 199_000;

pub async fn wanted(env: &TestEnv, key: &str) -> CreateGiftRequest {
    CreateGiftRequest {
        full_name: " Ada Lovelace ".into(),
        email: "Buyer@example.com".into(),
        price_id: env.offer("gift-year", "", "ru").await.price_id,
        country: "RU".into(),
        language: "ru".into(),
        idempotency_key: key.into(),
    }
}

pub async fn create(env: &TestEnv, request: &CreateGiftRequest) -> Result<CreateGiftResponse, Failure> {
    let answered = env.checkout.clone().create_gift(request.clone()).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

/// With both pages open.
pub async fn opened(setup: &ProviderSetup) -> (CreateGiftRequest, CreateGiftResponse) {
    let request = wanted(&setup.env, "the-click").await;
    let gift = create(&setup.env, &request).await.unwrap();
    assert!(gift.platron_url.starts_with("http"), "{gift:?}");
    assert!(!gift.yookassa_token.is_empty(), "{gift:?}");
    assert_eq!(gift.payment_status, "requires_payment_method");
    assert_eq!(
        setup.paid_orders().await,
        0,
        "nothing is bought by looking at a page"
    );
    (request, gift)
}

pub async fn until_paid(setup: &ProviderSetup) {
    setup.until("paid", async || setup.paid_orders().await == 1).await;
}

fn number(page: &str) -> &str {
    page.split_once("customer=").unwrap().1
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_on_platrons_page_creates_one_gift() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let (request, gift) = opened(&setup).await;
    setup.pay(Provider::Platron, &gift.platron_url);
    until_paid(&setup).await;
    assert_eq!(setup.booked(Provider::Platron).await, GIFT_MINOR);
    let accounts = setup.env.accounts().await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0].order.order_id.to_string(), gift.order_id);
    assert_eq!(accounts[0].order.kind.name(), "gift");

    let emitted = setup.env.events("order.paid", 1).await;
    assert_eq!(
        (&emitted[0].data["kind"], &emitted[0].data["orderId"]),
        (&"gift".into(), &gift.order_id.clone().into())
    );
    let emitted = setup.env.events("platron_payment.captured", 1).await;
    assert_eq!(emitted[0].data["campaign"], "gift-year");
    assert_eq!(emitted[0].data["orderId"], gift.order_id.as_str());
    assert!(emitted[0].data["userId"].is_null(), "a guest has no member id");
    let transaction = emitted[0].data["transactionId"].as_str().unwrap().to_owned();

    let again = create(&setup.env, &request).await.unwrap();
    assert_eq!(
        (
            again.order_id.as_str(),
            again.payment_status.as_str(),
            again.platron_url.as_str()
        ),
        (gift.order_id.as_str(), "succeeded", "")
    );
    // The buyer comes back, as often as they like.
    for _ in 0..2 {
        let back = ConfirmPlatronPaymentRequest {
            payment_id: transaction.clone(),
            reference: setup.platron_reference(&transaction),
        };
        let response = setup.env.checkout.clone().confirm_platron_payment(back).await;
        assert_eq!(response.unwrap().into_inner().state, "paid");
    }
    setup.env.events("platron_payment.captured", 1).await;
    setup.env.events("order.paid", 1).await;
    let known: (String, String) = sqlx::query_as("select email, full_name from customer")
        .fetch_one(&setup.env.pool().await)
        .await
        .unwrap();
    assert_eq!(known, ("buyer@example.com".into(), "Ada Lovelace".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_by_the_widget_creates_one_gift_without_a_webhook() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    setup.proxy.close();
    let (_, gift) = opened(&setup).await;
    setup.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&setup).await;
    assert_eq!(setup.booked(Provider::Yookassa).await, GIFT_MINOR);
    setup.env.events("order.paid", 1).await;
    setup.env.events("platron_payment.captured", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gift_with_a_failed_poll_is_paid_within_a_minute() {
    for provider in [Provider::Platron, Provider::Yookassa] {
        let setup = ProviderSetup::open(provider).await;
        setup.proxy.close();
        let (_, gift) = opened(&setup).await;
        setup.lose_looks(1);
        let page = match provider {
            Provider::Platron => &gift.platron_url,
            _ => &gift.yookassa_token,
        };
        setup.pay(provider, page);
        within(&setup.env, ONE_MINUTE, async || setup.paid_orders().await == 1).await;
        assert!(setup.env.fake_provider.is_fault_active());
        assert_eq!(setup.taken(), 1);
        assert_eq!(setup.booked(provider).await, GIFT_MINOR);
        assert!(setup.refunds().await.is_empty());
        setup.env.events("order.paid", 1).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_of_two_paid_pages_is_refunded() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    let (_, gift) = opened(&setup).await;
    // Platron asks whether it may be paid while nothing is paid yet.
    let action = platron::BuyerAction::Pay { after_secs: 3600 };
    let (sandbox, now) = (setup.env.fake_provider.sandbox(), setup.env.host.clock().now());
    let begun = sandbox
        .platron()
        .act(number(&gift.platron_url), action, now.timestamp());
    begun.unwrap();
    setup.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&setup).await;
    setup.env.advance(chrono::TimeDelta::minutes(61)).await;
    setup.until_refunds(&["succeeded"]).await;
    assert_eq!(setup.booked(Provider::Yookassa).await, GIFT_MINOR);
    assert_eq!(setup.booked(Provider::Platron).await, 0);
    setup.env.events("order.paid", 1).await;
    setup.env.events("refund.succeeded", 1).await;
    setup.env.events("platron_payment.captured", 0).await;
}

async fn addresses(env: &TestEnv) -> Vec<String> {
    let kept = "select distinct email from (
            select email from hosted_checkout union all select email from customer) kept
        where email <> '' order by email";
    sqlx::query_scalar(kept)
        .fetch_all(&env.pool().await)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unpaid_guests_are_purged_after_thirty_days() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    opened(&setup).await;
    let mut request = wanted(&setup.env, "another-click").await;
    request.email = "payer@example.com".into();
    let gift = create(&setup.env, &request).await.unwrap();
    setup.pay(Provider::Platron, &gift.platron_url);
    until_paid(&setup).await;
    let sale = wanted_by_guest(&setup.env, Purpose::OneTime, "live-program").await;
    open(&setup.env, &sale).await.unwrap();
    // What they wrote beside a card that was refused.
    sqlx::query("update customer set email = 'refused@example.com', full_name = 'A Guest' where email = ''")
        .execute(&setup.env.pool().await)
        .await
        .unwrap();

    setup.env.advance(chrono::TimeDelta::days(29)).await;
    setup.until_no_page_is_open().await;
    let expected = ["buyer@example.com", "payer@example.com", "refused@example.com"];
    assert_eq!(addresses(&setup.env).await, expected);
    setup.env.advance(chrono::TimeDelta::days(2)).await;
    setup
        .until("forgotten", async || {
            addresses(&setup.env).await == ["payer@example.com"]
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_check_rejects_a_paid_gift() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    let (_, gift) = opened(&setup).await;
    setup.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&setup).await;
    setup.pay(Provider::Platron, &gift.platron_url);
    setup.until_no_page_is_open().await;
    assert_eq!((setup.refunds().await.len(), setup.paid_orders().await), (0, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn declined_card_emits_one_event_and_creates_no_order() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let (_, gift) = opened(&setup).await;
    setup.fail(&gift.platron_url).await;
    let emitted = setup.env.events("platron_payment.failed", 1).await;
    assert_eq!(emitted[0].data["pgFailureCode"], "420");
    assert_eq!(emitted[0].data["campaign"], "gift-year");
    let transaction = emitted[0].data["transactionId"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        let back = ConfirmPlatronPaymentRequest {
            payment_id: transaction.clone(),
            reference: setup.platron_reference(&transaction),
        };
        let response = setup.env.checkout.clone().confirm_platron_payment(back).await;
        assert_eq!(response.unwrap().into_inner().state, "expired");
    }
    setup.env.events("platron_payment.failed", 1).await;
    setup.env.events("platron_payment.captured", 0).await;
    assert_eq!(setup.env.accounts().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_by_a_member_on_platrons_page_emits_its_events() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let order_id = setup.buy().await;
    let emitted = setup.env.events("platron_payment.captured", 1).await;
    assert_eq!(emitted[0].data["userId"], MEMBER);
    assert_eq!(emitted[0].data["campaign"], "web-monthly");
    assert_eq!(emitted[0].data["orderId"], order_id.as_str());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_click_opens_the_same_pages_and_another_body_none() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let lost = Fault::on("POST", "/platron/init_payment.php", Action::DropAfterCommit {});
    setup.env.fake_provider.sandbox().faults().add(lost.times(1));
    let request = wanted(&setup.env, "the-click").await;
    let first = create(&setup.env, &request).await.unwrap();
    assert_eq!(
        first.platron_url, "",
        "its answer was lost: the buyer has the other page"
    );
    let again = create(&setup.env, &request).await.unwrap();
    assert_eq!(
        (&again.order_id, &again.yookassa_token),
        (&first.order_id, &first.yookassa_token)
    );
    assert!(!again.platron_url.is_empty());
    assert_eq!(create(&setup.env, &request).await.unwrap(), again);

    let other = CreateGiftRequest {
        email: "eve@example.com".into(),
        ..request.clone()
    };
    let refused = create(&setup.env, &other).await.unwrap_err();
    assert_eq!(refused.code, "IDEMPOTENCY_CONFLICT");
    let unkeyed = CreateGiftRequest {
        idempotency_key: String::new(),
        ..request
    };
    let another = create(&setup.env, &unkeyed).await.unwrap();
    assert_ne!(another.order_id, first.order_id);
    assert_ne!(another.yookassa_token, first.yookassa_token);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unavailable_products_open_nothing() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let honest = wanted(&setup.env, "").await;
    for (campaign, language) in [("gift-year", "en"), ("web-monthly", "ru"), ("live-program", "ru")] {
        let request = CreateGiftRequest {
            price_id: setup.env.offer(campaign, "", language).await.price_id,
            ..honest.clone()
        };
        let refused = create(&setup.env, &request).await.unwrap_err();
        assert_eq!(refused.code, "UNKNOWN_PRICE", "{campaign} {language}");
    }
    let anonymous = CreateGiftRequest {
        full_name: " ".into(),
        email: "ada@".into(),
        ..honest.clone()
    };
    let refused = create(&setup.env, &anonymous).await.unwrap_err();
    let fields: Vec<&str> = refused.fields.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["full_name", "email"]);
    let elsewhere = CreateGiftRequest {
        language: "../evil".into(),
        ..honest
    };
    assert_eq!(
        create(&setup.env, &elsewhere).await.unwrap_err().code,
        "INVALID_ARGUMENT"
    );
    let pages: i64 = sqlx::query_scalar("select count(*) from hosted_checkout")
        .fetch_one(&setup.env.pool().await)
        .await
        .unwrap();
    assert_eq!(pages, 0);

    let without = TestEnv::start().await;
    let request = wanted(&without, "").await;
    assert_eq!(
        create(&without, &request).await.unwrap_err().code,
        "PROVIDER_NOT_OFFERED"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_after_the_buyers_erasure_is_refunded() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    // A member by this address, who gives as a guest.
    setup.buy().await;
    let request = wanted(&setup.env, "the-click").await;
    let gift = create(&setup.env, &request).await.unwrap();
    erase(&setup.env).await;
    assert_eq!(
        setup.env.count(UNERASED_CHECKOUTS).await,
        0,
        "neither name nor address stays"
    );
    setup.pay(Provider::Yookassa, &gift.yookassa_token);
    setup.until_refunds(&["succeeded"]).await;
    assert_eq!(setup.paid_orders().await, 1, "the gift is none");
    assert_eq!(setup.booked(Provider::Yookassa).await, 0);
    assert_eq!(violations(&setup.env.accounts().await), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_at_another_price_than_the_gift_is_refunded() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    let (_, gift) = opened(&setup).await;
    sqlx::query("update price set amount_minor = amount_minor - 1 where amount_minor = $1")
        .bind(GIFT_MINOR)
        .execute(&setup.env.pool().await)
        .await
        .unwrap();
    setup.pay(Provider::Yookassa, &gift.yookassa_token);
    setup.until_refunds(&["succeeded"]).await;
    assert_eq!(
        (setup.paid_orders().await, setup.booked(Provider::Yookassa).await),
        (0, 0)
    );
    let emitted = &setup.env.events("refund.succeeded", 1).await[0].data;
    assert_eq!(emitted["reason"], "excess");
    let order_id = emitted["orderId"].as_str().unwrap();
    assert_eq!(guest_of(&setup.env, order_id).await.unwrap(), "buyer@example.com");
    setup.env.check_ledger().await;
}

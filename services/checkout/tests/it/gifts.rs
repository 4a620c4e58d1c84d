//! Gifts that are paid on a Russian provider's page, by anybody.

use checkout::domain::invariants::violations;
use checkout::domain::provider::Provider;
use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ConfirmPlatronPaymentRequest, CreateGiftRequest, CreateGiftResponse};
use sandbox::{Action, Fault, platron};

use crate::contract::shop::Shop;
use crate::erase_member::{PAGES_OF_SOMEBODY, erase};
use crate::intents::{guest_of, open, wanted_by_guest};
use crate::life::{A_MINUTE, within};
use crate::world::{MEMBER, World};

const GIFT_MINOR: i64 = 199_000;

pub async fn wanted(world: &World, key: &str) -> CreateGiftRequest {
    CreateGiftRequest {
        full_name: " Ada Lovelace ".into(),
        email: "Buyer@example.com".into(),
        price_id: world.offer("gift-year", "", "ru").await.price_id,
        country: "RU".into(),
        language: "ru".into(),
        idempotency_key: key.into(),
    }
}

pub async fn create(world: &World, request: &CreateGiftRequest) -> Result<CreateGiftResponse, Failure> {
    let answered = world.checkout.clone().create_gift(request.clone()).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

/// With both pages open.
pub async fn opened(shop: &Shop) -> (CreateGiftRequest, CreateGiftResponse) {
    let request = wanted(&shop.world, "the-click").await;
    let gift = create(&shop.world, &request).await.unwrap();
    assert!(gift.platron_url.starts_with("http"), "{gift:?}");
    assert!(!gift.yookassa_token.is_empty(), "{gift:?}");
    assert_eq!(gift.payment_status, "requires_payment_method");
    assert_eq!(
        shop.paid_orders().await,
        0,
        "nothing is bought by looking at a page"
    );
    (request, gift)
}

async fn until_paid(shop: &Shop) {
    shop.until("paid", async || shop.paid_orders().await == 1).await;
}

fn number(page: &str) -> &str {
    page.split_once("customer=").unwrap().1
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_pays_on_platrons_page_has_given_a_gift_once() {
    let shop = Shop::open(Provider::Platron).await;
    let (request, gift) = opened(&shop).await;
    shop.pay(Provider::Platron, &gift.platron_url);
    until_paid(&shop).await;
    assert_eq!(shop.booked(Provider::Platron).await, GIFT_MINOR);
    let accounts = shop.world.accounts().await;
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0].order.order_id.to_string(), gift.order_id);
    assert_eq!(accounts[0].order.kind.name(), "gift");

    let told = shop.world.events("order.paid", 1).await;
    assert_eq!(
        (&told[0].data["kind"], &told[0].data["orderId"]),
        (&"gift".into(), &gift.order_id.clone().into())
    );
    let told = shop.world.events("platron_payment.captured", 1).await;
    assert_eq!(told[0].data["campaign"], "gift-year");
    assert_eq!(told[0].data["orderId"], gift.order_id.as_str());
    assert!(told[0].data["userId"].is_null(), "a guest is nobody others know");
    let transaction = told[0].data["transactionId"].as_str().unwrap().to_owned();

    let again = create(&shop.world, &request).await.unwrap();
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
            reference: shop.platron_reference(&transaction),
        };
        let told = shop.world.checkout.clone().confirm_platron_payment(back).await;
        assert_eq!(told.unwrap().into_inner().state, "paid");
    }
    shop.world.events("platron_payment.captured", 1).await;
    shop.world.events("order.paid", 1).await;
    let known: (String, String) = sqlx::query_as("select email, full_name from customer")
        .fetch_one(&shop.world.pool().await)
        .await
        .unwrap();
    assert_eq!(known, ("buyer@example.com".into(), "Ada Lovelace".into()));
    let mailed = guest_of(&shop.world, &gift.order_id).await;
    assert_eq!(mailed.as_deref(), Ok("buyer@example.com"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_pays_by_the_widget_has_given_a_gift_though_nobody_tells() {
    let shop = Shop::open(Provider::Yookassa).await;
    shop.door.close();
    let (_, gift) = opened(&shop).await;
    shop.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&shop).await;
    assert_eq!(shop.booked(Provider::Yookassa).await, GIFT_MINOR);
    shop.world.events("order.paid", 1).await;
    shop.world.events("platron_payment.captured", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gift_whose_only_look_had_no_answer_is_paid_within_a_minute() {
    for provider in [Provider::Platron, Provider::Yookassa] {
        let shop = Shop::open(provider).await;
        shop.door.close();
        let (_, gift) = opened(&shop).await;
        shop.lose_looks(1);
        let page = match provider {
            Provider::Platron => &gift.platron_url,
            _ => &gift.yookassa_token,
        };
        shop.pay(provider, page);
        within(&shop.world, A_MINUTE, async || shop.paid_orders().await == 1).await;
        assert!(shop.world.twin.is_sabotaging());
        assert_eq!(shop.taken(), 1);
        assert_eq!(shop.booked(provider).await, GIFT_MINOR);
        assert!(shop.refunds().await.is_empty());
        shop.world.events("order.paid", 1).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_pages_paid_the_later_gives_it_back() {
    let shop = Shop::open(Provider::Yookassa).await;
    let (_, gift) = opened(&shop).await;
    // Platron asks whether it may be paid while nothing is paid yet.
    let deed = platron::Deed::Pay { after_secs: 3600 };
    let (sandbox, now) = (shop.world.twin.sandbox(), shop.world.host.clock().now());
    let begun = sandbox
        .platron()
        .act(number(&gift.platron_url), deed, now.timestamp());
    begun.unwrap();
    shop.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&shop).await;
    shop.world.advance(chrono::TimeDelta::minutes(61)).await;
    shop.until_refunds(&["succeeded"]).await;
    assert_eq!(shop.booked(Provider::Yookassa).await, GIFT_MINOR);
    assert_eq!(shop.booked(Provider::Platron).await, 0);
    shop.world.events("order.paid", 1).await;
    shop.world.events("refund.succeeded", 1).await;
    shop.world.events("platron_payment.captured", 0).await;
}

async fn addresses(world: &World) -> Vec<String> {
    let kept = "select distinct email from (
            select email from payment_page union all select email from customer) kept
        where email <> '' order by email";
    sqlx::query_scalar(kept)
        .fetch_all(&world.pool().await)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_who_have_paid_nothing_are_forgotten_after_thirty_days() {
    let shop = Shop::open(Provider::Platron).await;
    opened(&shop).await;
    let mut request = wanted(&shop.world, "another-click").await;
    request.email = "payer@example.com".into();
    let gift = create(&shop.world, &request).await.unwrap();
    shop.pay(Provider::Platron, &gift.platron_url);
    until_paid(&shop).await;
    let sale = wanted_by_guest(&shop.world, Purpose::OneTime, "live-program").await;
    open(&shop.world, &sale).await.unwrap();
    // What they wrote beside a card that was refused.
    sqlx::query("update customer set email = 'refused@example.com', full_name = 'A Guest' where email = ''")
        .execute(&shop.world.pool().await)
        .await
        .unwrap();

    shop.world.advance(chrono::TimeDelta::days(29)).await;
    shop.until_no_page_is_open().await;
    let everybody = ["buyer@example.com", "payer@example.com", "refused@example.com"];
    assert_eq!(addresses(&shop.world).await, everybody);
    shop.world.advance(chrono::TimeDelta::days(2)).await;
    shop.until("forgotten", async || {
        addresses(&shop.world).await == ["payer@example.com"]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_takes_nothing_for_a_gift_that_is_paid() {
    let shop = Shop::open(Provider::Yookassa).await;
    let (_, gift) = opened(&shop).await;
    shop.pay(Provider::Yookassa, &gift.yookassa_token);
    until_paid(&shop).await;
    shop.pay(Provider::Platron, &gift.platron_url);
    shop.until_no_page_is_open().await;
    assert_eq!((shop.refunds().await.len(), shop.paid_orders().await), (0, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_card_is_told_once_and_leaves_nothing() {
    let shop = Shop::open(Provider::Platron).await;
    let (_, gift) = opened(&shop).await;
    shop.fail(&gift.platron_url).await;
    let told = shop.world.events("platron_payment.failed", 1).await;
    assert_eq!(told[0].data["pgFailureCode"], "420");
    assert_eq!(told[0].data["campaign"], "gift-year");
    let transaction = told[0].data["transactionId"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        let back = ConfirmPlatronPaymentRequest {
            payment_id: transaction.clone(),
            reference: shop.platron_reference(&transaction),
        };
        let told = shop.world.checkout.clone().confirm_platron_payment(back).await;
        assert_eq!(told.unwrap().into_inner().state, "over");
    }
    shop.world.events("platron_payment.failed", 1).await;
    shop.world.events("platron_payment.captured", 0).await;
    assert_eq!(shop.world.accounts().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_who_pays_on_platrons_page_is_told_of_by_it_too() {
    let shop = Shop::open(Provider::Platron).await;
    let order_id = shop.buy().await;
    let told = shop.world.events("platron_payment.captured", 1).await;
    assert_eq!(told[0].data["userId"], MEMBER);
    assert_eq!(told[0].data["campaign"], "web-monthly");
    assert_eq!(told[0].data["orderId"], order_id.as_str());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_click_opens_the_same_pages_and_another_body_none() {
    let shop = Shop::open(Provider::Platron).await;
    let lost = Fault::on("POST", "/platron/init_payment.php", Action::DropAfterCommit {});
    shop.world.twin.sandbox().faults().add(lost.times(1));
    let request = wanted(&shop.world, "the-click").await;
    let first = create(&shop.world, &request).await.unwrap();
    assert_eq!(
        first.platron_url, "",
        "its answer was lost: the buyer has the other page"
    );
    let again = create(&shop.world, &request).await.unwrap();
    assert_eq!(
        (&again.order_id, &again.yookassa_token),
        (&first.order_id, &first.yookassa_token)
    );
    assert!(!again.platron_url.is_empty());
    assert_eq!(create(&shop.world, &request).await.unwrap(), again);

    let other = CreateGiftRequest {
        email: "eve@example.com".into(),
        ..request.clone()
    };
    let refused = create(&shop.world, &other).await.unwrap_err();
    assert_eq!(refused.code, "IDEMPOTENCY_CONFLICT");
    let unkeyed = CreateGiftRequest {
        idempotency_key: String::new(),
        ..request
    };
    let another = create(&shop.world, &unkeyed).await.unwrap();
    assert_ne!(another.order_id, first.order_id);
    assert_ne!(another.yookassa_token, first.yookassa_token);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_sold_opens_nothing() {
    let shop = Shop::open(Provider::Platron).await;
    let honest = wanted(&shop.world, "").await;
    for (campaign, language) in [("gift-year", "en"), ("web-monthly", "ru"), ("live-program", "ru")] {
        let request = CreateGiftRequest {
            price_id: shop.world.offer(campaign, "", language).await.price_id,
            ..honest.clone()
        };
        let refused = create(&shop.world, &request).await.unwrap_err();
        assert_eq!(refused.code, "UNKNOWN_PRICE", "{campaign} {language}");
    }
    let nobody = CreateGiftRequest {
        full_name: " ".into(),
        email: "ada@".into(),
        ..honest.clone()
    };
    let refused = create(&shop.world, &nobody).await.unwrap_err();
    let fields: Vec<&str> = refused.fields.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["full_name", "email"]);
    let elsewhere = CreateGiftRequest {
        language: "../evil".into(),
        ..honest
    };
    assert_eq!(
        create(&shop.world, &elsewhere).await.unwrap_err().code,
        "INVALID_ARGUMENT"
    );
    let pages: i64 = sqlx::query_scalar("select count(*) from payment_page")
        .fetch_one(&shop.world.pool().await)
        .await
        .unwrap();
    assert_eq!(pages, 0);

    let without = World::start().await;
    let request = wanted(&without, "").await;
    assert_eq!(
        create(&without, &request).await.unwrap_err().code,
        "PROVIDER_NOT_OFFERED"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_paid_after_its_buyer_was_erased_goes_back() {
    let shop = Shop::open(Provider::Platron).await;
    // A member by this address, who gives as a guest.
    shop.buy().await;
    let request = wanted(&shop.world, "the-click").await;
    let gift = create(&shop.world, &request).await.unwrap();
    erase(&shop.world).await;
    assert_eq!(
        shop.world.count(PAGES_OF_SOMEBODY).await,
        0,
        "neither name nor address stays"
    );
    shop.pay(Provider::Yookassa, &gift.yookassa_token);
    shop.until_refunds(&["succeeded"]).await;
    assert_eq!(shop.paid_orders().await, 1, "the gift is none");
    assert_eq!(shop.booked(Provider::Yookassa).await, 0);
    assert_eq!(violations(&shop.world.accounts().await), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_paid_at_another_price_than_the_gift_has_goes_back() {
    let shop = Shop::open(Provider::Yookassa).await;
    let (_, gift) = opened(&shop).await;
    sqlx::query("update price set amount_minor = amount_minor - 1 where amount_minor = $1")
        .bind(GIFT_MINOR)
        .execute(&shop.world.pool().await)
        .await
        .unwrap();
    shop.pay(Provider::Yookassa, &gift.yookassa_token);
    shop.until_refunds(&["succeeded"]).await;
    assert_eq!(
        (shop.paid_orders().await, shop.booked(Provider::Yookassa).await),
        (0, 0)
    );
    let told = &shop.world.events("refund.succeeded", 1).await[0].data;
    assert_eq!(told["reason"], "surplus");
    let order_id = told["orderId"].as_str().unwrap();
    assert_eq!(
        guest_of(&shop.world, order_id).await.unwrap(),
        "buyer@example.com"
    );
    shop.world.check_books().await;
}

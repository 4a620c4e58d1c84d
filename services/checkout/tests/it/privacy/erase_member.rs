use std::time::Duration;

use kit::bus::CloudEvent;
use proto::checkout::v1::{CreateSubscriptionRequest, CreateSurveyOrderRequest, ExportMemberRequest};
use proto::export::v1::CheckoutExport;
use sandbox::Action;
use serde_json::{Value, json};

use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::{MEMBER, World};

const OTHER: &str = "usr_0192f0c0a0007000800000000000000b";
const ERASURE: &str = "ers_0192f0c0a00070008000000000000001";

async fn tell(world: &World, id: &str, subject: &str, data: Value) {
    let event = CloudEvent::new(id.to_owned(), subject, world.host.clock().now(), data);
    for _ in 0..100 {
        if world.host.context().bus.publish(&event).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the stream takes no events");
}

pub const PAGES_OF_SOMEBODY: &str =
    "select count(*) from hosted_checkout where user_id not like 'erased\\_%' or email || full_name <> ''";

/// With whatever they are told when it is done.
pub async fn erase(world: &World) -> Vec<CloudEvent> {
    request_erasure(world, "r1").await;
    world.events("member_data.erased", 1).await
}

async fn request_erasure(world: &World, id: &str) {
    let data = json!({"erasureId": ERASURE, "userId": MEMBER, "services": ["checkout"]});
    tell(world, id, "stillpoint.auth.erasure.requested", data).await;
}

async fn buy_for(world: &World, user_id: &str) {
    let card = world.twin.card(APPROVED).await;
    let submit = world.submit("web-monthly", &card).await;
    let request = CreateSubscriptionRequest {
        user_id: user_id.into(),
        ..submit
    };
    world.pay(request).await.unwrap();
}

pub async fn export(world: &World, user_id: &str) -> CheckoutExport {
    let request = ExportMemberRequest {
        user_id: user_id.into(),
    };
    let answer = world.checkout.clone().export_member(request).await.unwrap();
    answer.into_inner().export.unwrap()
}

async fn customers(world: &World) -> usize {
    world.twin.list("customers?limit=100").await.len()
}

#[tokio::test]
async fn sales_stay_without_a_buyer_and_the_provider_forgets_them() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    buy_for(&world, OTHER).await;
    let reports = erase(&world).await;
    assert_eq!(
        reports[0].data,
        json!({"erasureId": ERASURE, "service": "checkout", "kept": ["bookkeeping"]})
    );

    assert!(world.subscriptions().await.is_empty());
    let theirs = "select count(*) from customer where email = 'buyer@example.com'";
    assert_eq!(world.count(theirs).await, 1, "the other is still known");
    let sold = "select count(*) from orders where state = 'paid' and amount_minor > 0";
    assert_eq!(world.count(sold).await, 2);
    let ended = "select count(*) from subscription where state = 'canceled' and user_id like 'erased_%'";
    assert_eq!(world.count(ended).await, 1);
    assert_eq!(customers(&world).await, 1);
    let live = world.twin.subscriptions().await;
    assert_eq!(live.iter().filter(|it| it["status"] == "canceled").count(), 1);
    assert_eq!(export(&world, MEMBER).await, CheckoutExport::default());
    assert_eq!(export(&world, OTHER).await.orders.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn who_waits_for_a_bank_is_let_go() {
    let world = World::start().await;
    world.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    erase(&world).await;
    assert_eq!(
        world
            .count("select count(*) from payment where client_secret is not null")
            .await,
        0
    );
    assert_eq!(
        world
            .count("select count(*) from orders where state = 'open'")
            .await,
        0
    );
    assert!(world.twin.captured_charges().await.is_empty());
    world.check_books().await;
}

#[tokio::test]
async fn charge_nobody_has_heard_of_is_booked_before_its_customer_goes() {
    let world = World::start_with([("CHECKOUT_RECONCILE_AFTER_MS", "600000")]).await;
    world
        .twin
        .sabotage("POST", "subscriptions", Action::DropAfterCommit {});
    let _ = world.buy("web-monthly", APPROVED).await;
    erase(&world).await;
    assert_eq!(
        world
            .count("select count(*) from orders where state = 'paid'")
            .await,
        1
    );
    assert_eq!(customers(&world).await, 0);
    world.check_books().await;
}

#[tokio::test]
async fn customer_nobody_told_us_of_is_found() {
    let world = World::start_with([("CHECKOUT_RECONCILE_AFTER_MS", "600000")]).await;
    world
        .twin
        .sabotage("POST", "customers", Action::DropAfterCommit {});
    let _ = world.buy("web-monthly", APPROVED).await;
    assert_eq!(customers(&world).await, 1);
    erase(&world).await;
    assert_eq!(customers(&world).await, 0);
    world.check_books().await;
}

#[tokio::test]
async fn late_notifications_and_purchases_bring_nothing_back() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    let events = world.twin.events().await;
    world.deliver(&events[0]).await;
    erase(&world).await;

    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
    let telling =
        "select count(*) from webhook_event where convert_from(body, 'UTF8') ~ 'buyer@|cus_|A Buyer'";
    assert_eq!(world.count(telling).await, 0);
    let card = world.twin.card(APPROVED).await;
    let late = world.pay(world.submit("web-monthly", &card).await).await;
    assert_eq!(late.unwrap_err().code, "SESSION_EXPIRED");
    let named = "select count(*) from outbox where event::text like '%0000000a%'";
    assert_eq!(world.count(named).await, 0);
    world.check_books().await;
}

#[tokio::test]
async fn request_told_twice_is_harmless() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    erase(&world).await;
    request_erasure(&world, "r2").await;
    world.events("member_data.erased", 2).await;
    assert_eq!(world.count("select count(*) from erasure_job").await, 0);
    world.check_books().await;
}

#[tokio::test]
async fn survey_order_is_whose_sign_up_names_it() {
    let world = World::start().await;
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        ab_group: "b".into(),
        ..CreateSurveyOrderRequest::default()
    };
    let order = world.checkout.clone().create_survey_order(request).await.unwrap();
    let order_id = order.into_inner().order_id;
    let registered = |user_id: &str| json!({"userId": user_id, "orderId": order_id, "method": "form"});
    tell(
        &world,
        "u1",
        "stillpoint.auth.user.registered",
        registered(MEMBER),
    )
    .await;
    // Somebody else who says so comes too late.
    tell(&world, "u2", "stillpoint.auth.user.registered", registered(OTHER)).await;
    let other_kind = json!({"userId": OTHER, "orderId": "md-1"});
    tell(&world, "u3", "stillpoint.auth.user.registered", other_kind).await;
    while world
        .count("select count(*) from inbox where consumer = 'checkout'")
        .await
        < 3
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(export(&world, MEMBER).await.survey_orders[0].order_id, order_id);
    assert!(export(&world, OTHER).await.survey_orders.is_empty());

    erase(&world).await;
    assert_eq!(world.count("select count(*) from survey_order").await, 0);
    let told = "select count(*) from outbox where event::text like '%order.created%'";
    assert_eq!(world.count(told).await, 0);
}

#[tokio::test]
async fn member_is_handed_orders_payments_and_what_the_provider_told() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
    let export = export(&world, MEMBER).await;
    let customer = export.customer.unwrap();
    assert_eq!(
        (customer.email.as_str(), customer.full_name.as_str()),
        ("buyer@example.com", "A Buyer")
    );
    let order = &export.orders[0];
    assert_eq!(
        (order.state.as_str(), order.payments[0].state.as_str()),
        ("paid", "succeeded")
    );
    assert_eq!(order.payments[0].captured_minor, order.amount_minor);
    let told: Vec<_> = export.notifications.iter().map(|it| it.kind.as_str()).collect();
    assert!(
        told.contains(&"customer.created") && told.contains(&"invoice.paid"),
        "{told:?}"
    );
    assert!(export.notifications.iter().all(|it| it.body.is_some()));
}

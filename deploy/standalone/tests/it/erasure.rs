//! A member who leaves is found nowhere afterwards, whatever was killed or down meanwhile, and nobody else is touched.
use std::time::Duration;

use chrono::TimeDelta;
use kit::bus::CloudEvent;
use kit::erasure::REQUESTED;
use kit::ids::new_uuid;
use sandbox::{Action, Fault};
use serde_json::{Value, json};

use crate::house::{PASSWORD, body_of, status_and_code};
use crate::leaving::World;
use crate::leaving::member::Member;
use crate::leaving::traces::{in_log, in_streams, in_tables, places_of};

const ADA: &str = "zqadamark";
const GRACE: &str = "zqgracemark";

/// What is on its way has arrived.
const QUIET: [&str; 6] = [
    "select count(*) from auth.mail_outbox",
    "select count(*) from auth.outbox where published_at is null",
    "select count(*) from checkout.outbox where published_at is null",
    "select count(*) from sessions.outbox where published_at is null",
    "select count(*) from content.outbox where published_at is null",
    "select count(*) from analytics.outbox where published_at is null",
];

async fn settle(world: &World) {
    for query in QUIET {
        world.eventually(query, 0).await;
    }
}

async fn left(world: &World, member: &Member) -> Value {
    let response = world.leave(member, PASSWORD).await;
    assert_eq!(response.status(), 202);
    body_of(response).await
}

/// Every way to know somebody, also that of the provider.
async fn places_of_member(world: &World, member: &Member) -> Vec<String> {
    let bare = member.user_id.trim_start_matches("usr_");
    let id = uuid::Uuid::parse_str(bare).unwrap().to_string();
    let mut places = Vec::new();
    for text in [
        member.mark,
        &member.user_id,
        &id,
        &member.customer_id,
        &member.card,
        &member.survey_order,
    ] {
        places.extend(places_of(world, text).await);
    }
    // Logs know people by their id, which leads nowhere any more, and by nothing else.
    for text in [member.mark, &member.customer_id, &member.card] {
        places.extend(in_log(text));
    }
    // Whoever listens from outside must hear whose copies to erase.
    places.retain(|place| !place.contains(REQUESTED));
    places
}

fn is_struck(world: &World) -> bool {
    let faults = world.sandbox.faults().list();
    faults.iter().any(|fault| fault.calls_affected > 0)
}

async fn customer(world: &World, member: &Member) -> Value {
    let url = format!(
        "{}/v1/customers/{}",
        world.sandbox.stripe_base(),
        member.customer_id
    );
    let asked = reqwest::Client::new().get(url).bearer_auth("sk_test_stillpoint");
    body_of(asked.send().await.unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn member_takes_all_of_theirs_along_and_nothing_of_others() {
    let world = World::start().await;
    let ada = Member::live(&world, ADA).await;
    Member::live(&world, GRACE).await;
    world
        .eventually(
            "select count(*) from analytics.event where name like 'stillpoint.web.%'",
            4,
        )
        .await;
    world
        .eventually(
            "select count(*) from checkout.survey_order where user_id is not null",
            2,
        )
        .await;

    let asked = world
        .house
        .get("/api/account/export")
        .header("cookie", &ada.session);
    let response = asked.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    for kept in [
        "renamed",
        "new@example.com",
        "group",
        "product",
        "survey",
        "answer",
        "program",
        "order",
        "page",
        "path",
        "url",
    ] {
        assert!(
            text.contains(&format!("{ADA}{kept}")),
            "{kept} is missing in {text}"
        );
    }
    for id in [&ada.user_id, &ada.survey_order, &ada.customer_id, &ada.card] {
        assert!(text.contains(id.as_str()), "{id}");
    }
    assert!(!text.contains(GRACE));
}

#[tokio::test(flavor = "multi_thread")]
async fn member_who_left_is_found_nowhere() {
    let world = World::start().await;
    let ada = Member::live(&world, ADA).await;
    let grace = Member::live(&world, GRACE).await;
    settle(&world).await;
    assert!(!in_tables(&world, ADA).await.is_empty() && !in_streams(&world, &ada.user_id).await.is_empty());
    let of_grace = in_tables(&world, GRACE).await.len();
    let told_of_grace = in_streams(&world, &grace.user_id).await.len();

    let receipt = left(&world, &ada).await;
    let finished = world.finished(&receipt).await;
    let text = finished.to_string();
    assert!(!text.contains(ADA) && !text.contains(&ada.user_id), "{text}");
    let kept: Vec<_> = finished["services"].as_array().unwrap().iter().collect();
    assert_eq!(kept.len(), 4);
    let checkout = kept
        .iter()
        .find(|service| service["service"] == "checkout")
        .unwrap();
    assert_eq!(checkout["kept"], json!(["bookkeeping"]));

    settle(&world).await;
    // More may have come of what is hers, and nothing has gone.
    assert!(in_tables(&world, GRACE).await.len() >= of_grace);
    assert!(in_streams(&world, &grace.user_id).await.len() >= told_of_grace);
    assert_eq!(customer(&world, &ada).await["deleted"], true);
    assert_ne!(customer(&world, &grace).await["deleted"], true);
    // What the books need: the sale, of nobody.
    let sold =
        "select count(*) from checkout.orders where state = 'paid' and amount_minor > 0 and country = 'TR'";
    assert_eq!(world.count(sold).await, 2);
    let gone = world.house.get("/api/profile").header("cookie", &ada.session);
    assert_eq!(status_and_code(gone).await, (401, "V100".into()));
    let again = world.house.login(&ada.email, PASSWORD);
    assert_eq!(status_and_code(again).await, (401, "INVALID_CREDENTIALS".into()));
    let mails = world.sandbox.mails();
    assert_eq!(
        mails.last().unwrap().to,
        std::slice::from_ref(&ada.email),
        "no receipt by mail"
    );

    // Texts name nobody they were written for: those go with the day.
    world.sandbox.advance(TimeDelta::hours(25)).await.unwrap();
    world
        .eventually("select count(*) from sessions.ai_reply", 0)
        .await;
    let places = places_of_member(&world, &ada).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
    assert!(
        !in_log("an account is deleted").is_empty(),
        "there is no log to look into"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_step_it_still_comes_to_its_end() {
    let mut world = World::start().await;
    let ada = Member::live(&world, ADA).await;
    settle(&world).await;
    // Checkout is not there to hear of it, and auth dies right after the request.
    world.stop_checkout().await;
    let receipt = left(&world, &ada).await;
    world.house.restart_auth().await;
    world
        .eventually("select count(*) from sessions.erasure_job", 0)
        .await;
    assert_eq!(world.receipt(&receipt).await["state"], "running");

    // It comes back, and everybody is killed while the provider has done its part and not answered.
    let path = format!("/stripe/v1/customers/{}", ada.customer_id);
    let stuck = Fault::on("DELETE", &path, Action::DelayAfterCommit { ms: 60_000 });
    world.sandbox.faults().add(stuck);
    world.start_checkout().await;
    while !is_struck(&world) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    world.restart().await;

    let finished = world.finished(&receipt).await;
    world.restart().await;
    // Whoever was killed with the receipt in hand had it for two minutes: then it is sent by another.
    world.sandbox.advance(TimeDelta::minutes(3)).await.unwrap();
    settle(&world).await;
    assert_eq!(world.receipt(&receipt).await, finished);
    assert_eq!(customer(&world, &ada).await["deleted"], true);
    let places = in_tables(&world, &ada.user_id).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_that_is_down_is_told_when_it_is_back() {
    let world = World::start().await;
    let ada = Member::live(&world, ADA).await;
    settle(&world).await;
    let down = Action::Error {
        status: 503,
        body: None,
        stored: None,
    };
    for method in ["GET", "DELETE"] {
        let fault = Fault::on(method, "/stripe/v1/customers*", down.clone());
        world.sandbox.faults().add(fault.times(0));
    }
    let receipt = left(&world, &ada).await;
    world
        .eventually("select count(*) from sessions.erasure_job", 0)
        .await;
    world
        .eventually("select count(*) from checkout.erasure_job where attempts > 1", 1)
        .await;
    let waiting = world.receipt(&receipt).await;
    assert_eq!(waiting["state"], "running");
    // The books still know whom the provider has to forget.
    let known = "select count(*) from checkout.customer where stripe_customer_id is not null";
    assert_eq!(world.count(known).await, 1);

    world.sandbox.faults().clear();
    world.finished(&receipt).await;
    assert_eq!(customer(&world, &ada).await["deleted"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_twice_or_late_brings_nobody_back() {
    let world = World::start().await;
    let ada = Member::live(&world, ADA).await;
    settle(&world).await;
    let receipt = left(&world, &ada).await;
    let erasure_id = receipt["erasure_id"].as_str().unwrap();
    // A report before its request was heard of, and from nobody.
    let early = json!({"erasureId": erasure_id, "service": "nobody"});
    publish(&world, "stillpoint.sessions.member_data.erased", early).await;
    let finished = world.finished(&receipt).await;
    settle(&world).await;
    let mails = world.sandbox.mails().len();

    let again = json!({"erasureId": erasure_id, "userId": ada.user_id, "services": ["checkout", "sessions", "analytics"]});
    publish(&world, REQUESTED, again).await;
    let late = json!({"userId": ada.user_id, "subscriptionId": "sbn_1", "product": "coaching"});
    publish(&world, "stillpoint.checkout.subscription.activated", late).await;
    let view =
        json!({"name": "pageload", "fields": {"userid": ada.user_id, "pageType": format!("{ADA}late")}});
    publish(&world, "stillpoint.web.pageload", view).await;
    for (heard, done) in [
        (
            "select count(*) from checkout.inbox where consumer = 'checkout-erasure'",
            "select count(*) from checkout.erasure_job",
        ),
        (
            "select count(*) from sessions.inbox where consumer = 'sessions-erasure'",
            "select count(*) from sessions.erasure_job",
        ),
        (
            "select count(*) from analytics.inbox where consumer = 'analytics-erasure'",
            "select count(*) from analytics.erasure_job",
        ),
    ] {
        world.eventually(heard, 2).await;
        world.eventually(done, 0).await;
    }
    let views =
        "select coalesce(sum(count), 0)::bigint from analytics.daily_count where event like '%pageload'";
    world.eventually(views, 2).await;
    settle(&world).await;

    assert_eq!(world.receipt(&receipt).await, finished);
    assert_eq!(world.sandbox.mails().len(), mails, "another receipt was mailed");
    let places = in_tables(&world, &ada.user_id).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
    assert_eq!(world.count("select count(*) from auth.erasure").await, 1);
}

async fn publish(world: &World, subject: &str, data: Value) {
    let host = world.house.host.host();
    let id = new_uuid(host.clock.now()).to_string();
    let event = CloudEvent::new(id, subject, host.clock.now(), data);
    host.bus.publish(&event).await.unwrap();
}

//! Erasure leaves no trace of a member and does not affect others, also after crashes and outages.
pub mod member;
pub mod residue;

use std::time::Duration;

use chrono::TimeDelta;
use kit::bus::CloudEvent;
use kit::ids::new_uuid;
use sandbox::{Action, Fault};
use serde_json::{Value, json};

use crate::stack::{PASSWORD, body_of, status_and_code};
use crate::test_env::TestEnv;
use member::Member;
use residue::{find_text, in_log, in_streams, in_tables};

const ADA: &str = "zqadamark";
const GRACE: &str = "zqgracemark";
const ERASURE_REQUESTED: &str = "stillpoint.auth.erasure.requested";

/// All zero once nothing is pending.
const QUIET: [&str; 6] = [
    "select count(*) from auth.mail_outbox",
    "select count(*) from auth.outbox where published_at is null",
    "select count(*) from checkout.outbox where published_at is null",
    "select count(*) from sessions.outbox where published_at is null",
    "select count(*) from content.outbox where published_at is null",
    "select count(*) from analytics.outbox where published_at is null",
];

async fn settle(env: &TestEnv) {
    for query in QUIET {
        env.eventually(query, 0).await;
    }
}

async fn left(env: &TestEnv, member: &Member) -> Value {
    let response = env.request_erasure(member, PASSWORD).await;
    assert_eq!(response.status(), 202);
    body_of(response).await
}

/// Places of the member's identifiers, including the provider's customer id.
async fn places_of_member(env: &TestEnv, member: &Member) -> Vec<String> {
    let bare = member.user_id.trim_start_matches("usr_");
    let id = uuid::Uuid::parse_str(bare).unwrap().to_string();
    let mut places = Vec::new();
    for text in [
        member.marker,
        &member.user_id,
        &id,
        &member.customer_id,
        &member.card,
        &member.survey_order,
    ] {
        places.extend(find_text(env, text).await);
    }
    // Logs may contain the user id, which resolves to no one, and nothing else.
    for text in [member.marker, &member.customer_id, &member.card] {
        places.extend(in_log(text));
    }
    // External subscribers need the id to erase their copies.
    places.retain(|place| !place.contains(ERASURE_REQUESTED));
    places
}

fn is_struck(env: &TestEnv) -> bool {
    let faults = env.sandbox.faults().list();
    faults.iter().any(|fault| fault.calls_affected > 0)
}

async fn customer(env: &TestEnv, member: &Member) -> Value {
    let url = format!(
        "{}/v1/customers/{}",
        env.sandbox.stripe_base(),
        member.customer_id
    );
    let asked = reqwest::Client::new().get(url).bearer_auth("sk_test_stillpoint");
    body_of(asked.send().await.unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn export_has_all_data_of_the_member_and_none_of_others() {
    let env = TestEnv::start().await;
    let ada = Member::use_everything(&env, ADA).await;
    Member::use_everything(&env, GRACE).await;
    env.eventually(
        "select count(*) from analytics.event where name like 'stillpoint.web.%'",
        4,
    )
    .await;
    env.eventually(
        "select count(*) from checkout.survey_order where user_id is not null",
        2,
    )
    .await;

    let asked = env
        .stack
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
async fn erased_member_is_found_nowhere() {
    let env = TestEnv::start().await;
    let ada = Member::use_everything(&env, ADA).await;
    let grace = Member::use_everything(&env, GRACE).await;
    settle(&env).await;
    assert!(!in_tables(&env, ADA).await.is_empty() && !in_streams(&env, &ada.user_id).await.is_empty());
    let of_grace = in_tables(&env, GRACE).await.len();
    let messages_about_grace = in_streams(&env, &grace.user_id).await.len();

    let receipt = left(&env, &ada).await;
    let finished = env.finished(&receipt).await;
    let text = finished.to_string();
    assert!(!text.contains(ADA) && !text.contains(&ada.user_id), "{text}");
    let kept: Vec<_> = finished["services"].as_array().unwrap().iter().collect();
    assert_eq!(kept.len(), 4);
    let checkout = kept
        .iter()
        .find(|service| service["service"] == "checkout")
        .unwrap();
    assert_eq!(checkout["kept"], json!(["bookkeeping"]));

    settle(&env).await;
    // Her records may have grown, but none is lost.
    assert!(in_tables(&env, GRACE).await.len() >= of_grace);
    assert!(in_streams(&env, &grace.user_id).await.len() >= messages_about_grace);
    assert_eq!(customer(&env, &ada).await["deleted"], true);
    assert_ne!(customer(&env, &grace).await["deleted"], true);
    // The order stays for accounting, anonymised.
    let sold =
        "select count(*) from checkout.orders where state = 'paid' and amount_minor > 0 and country = 'TR'";
    assert_eq!(env.count(sold).await, 2);
    let gone = env.stack.get("/api/profile").header("cookie", &ada.session);
    assert_eq!(status_and_code(gone).await, (401, "V100".into()));
    let again = env.stack.login(&ada.email, PASSWORD);
    assert_eq!(status_and_code(again).await, (401, "INVALID_CREDENTIALS".into()));
    let mails = env.sandbox.mails();
    assert_eq!(
        mails.last().unwrap().to,
        std::slice::from_ref(&ada.email),
        "no receipt by mail"
    );

    // Replies hold no member id; they are purged after a day.
    env.sandbox.advance(TimeDelta::hours(25)).await.unwrap();
    env.eventually("select count(*) from sessions.ai_reply", 0).await;
    let places = places_of_member(&env, &ada).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
    assert!(
        !in_log("account deleted").is_empty(),
        "there is no log to look into"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn erasure_completes_after_crashes_at_every_step() {
    let mut env = TestEnv::start().await;
    let ada = Member::use_everything(&env, ADA).await;
    settle(&env).await;
    // Checkout is down, and auth is killed right after the request.
    env.stop_checkout().await;
    let receipt = left(&env, &ada).await;
    env.stack.restart_auth().await;
    env.eventually("select count(*) from sessions.erasure_job", 0)
        .await;
    assert_eq!(env.receipt(&receipt).await["state"], "running");

    // All services are killed while the provider has executed the request but not responded.
    let path = format!("/stripe/v1/customers/{}", ada.customer_id);
    let stuck = Fault::on("DELETE", &path, Action::DelayAfterCommit { ms: 60_000 });
    env.sandbox.faults().add(stuck);
    env.start_checkout().await;
    while !is_struck(&env) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    env.restart().await;

    let finished = env.finished(&receipt).await;
    env.restart().await;
    // The killed process holds the lease of the mail for two minutes.
    env.sandbox.advance(TimeDelta::minutes(3)).await.unwrap();
    settle(&env).await;
    assert_eq!(env.receipt(&receipt).await, finished);
    assert_eq!(customer(&env, &ada).await["deleted"], true);
    let places = in_tables(&env, &ada.user_id).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_provider_is_retried_until_it_erases() {
    let env = TestEnv::start().await;
    let ada = Member::use_everything(&env, ADA).await;
    settle(&env).await;
    let down = Action::Error {
        status: 503,
        body: None,
        stored: None,
    };
    for method in ["GET", "DELETE"] {
        let fault = Fault::on(method, "/stripe/v1/customers*", down.clone());
        env.sandbox.faults().add(fault.times(0));
    }
    let receipt = left(&env, &ada).await;
    env.eventually("select count(*) from sessions.erasure_job", 0)
        .await;
    env.eventually("select count(*) from checkout.erasure_job where attempts > 1", 1)
        .await;
    let waiting = env.receipt(&receipt).await;
    assert_eq!(waiting["state"], "running");
    // The provider's customer id is still stored for the retry.
    let known = "select count(*) from checkout.customer where stripe_customer_id is not null";
    assert_eq!(env.count(known).await, 1);

    env.sandbox.faults().clear();
    env.finished(&receipt).await;
    assert_eq!(customer(&env, &ada).await["deleted"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_or_late_events_restore_no_data() {
    let env = TestEnv::start().await;
    let ada = Member::use_everything(&env, ADA).await;
    settle(&env).await;
    let receipt = left(&env, &ada).await;
    let erasure_id = receipt["erasure_id"].as_str().unwrap();
    // A report before its request, and one of an unknown service.
    let early = json!({"erasureId": erasure_id, "service": "unknown"});
    publish(&env, "stillpoint.sessions.member_data.erased", early).await;
    let finished = env.finished(&receipt).await;
    settle(&env).await;
    let mails = env.sandbox.mails().len();

    let again = json!({"erasureId": erasure_id, "userId": ada.user_id, "services": ["checkout", "sessions", "analytics"]});
    publish(&env, ERASURE_REQUESTED, again).await;
    let late = json!({"userId": ada.user_id, "subscriptionId": "sbn_1", "product": "coaching"});
    publish(&env, "stillpoint.checkout.subscription.activated", late).await;
    let view =
        json!({"name": "pageload", "fields": {"userid": ada.user_id, "pageType": format!("{ADA}late")}});
    publish(&env, "stillpoint.web.pageload", view).await;
    for (is_received, done) in [
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
        env.eventually(is_received, 2).await;
        env.eventually(done, 0).await;
    }
    let views =
        "select coalesce(sum(count), 0)::bigint from analytics.daily_count where event like '%pageload'";
    env.eventually(views, 2).await;
    settle(&env).await;

    assert_eq!(env.receipt(&receipt).await, finished);
    assert_eq!(env.sandbox.mails().len(), mails, "another receipt was mailed");
    let places = in_tables(&env, &ada.user_id).await;
    assert!(places.is_empty(), "found in\n{}", places.join("\n"));
    assert_eq!(env.count("select count(*) from auth.erasure").await, 1);
}

async fn publish(env: &TestEnv, subject: &str, data: Value) {
    let host = env.stack.host.context();
    let id = new_uuid(host.clock.now()).to_string();
    let event = CloudEvent::new(id, subject, host.clock.now(), data);
    host.bus.publish(&event).await.unwrap();
}

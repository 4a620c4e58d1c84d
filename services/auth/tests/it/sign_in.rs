use std::time::{Duration, Instant};

use chrono::TimeDelta;
use futures::future::join_all;
use kit::requester::{self, Requester};

use crate::fixture::{Auth, PASSWORD, ada, token};

const EMAIL: &str = "ada@example.com";

async fn with_account() -> Auth {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    auth
}

#[tokio::test]
async fn the_right_password_opens_a_session_of_its_own() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let signed_in = auth.sign_in(" ADA@example.com", PASSWORD).await.unwrap();

    assert_eq!(signed_in.user, registered.user);
    let fresh = signed_in.session.unwrap().token;
    assert_ne!(fresh, token(&registered));
    assert!(auth.authenticate(&fresh).await.is_ok());
}

#[tokio::test]
async fn the_event_names_the_user_the_method_and_the_requesters_country() {
    let auth = with_account().await;
    let visitor = Requester::new("de", "AT");
    let signing_in = auth.sign_in(EMAIL, PASSWORD);
    let user = requester::scope(visitor, signing_in).await.unwrap().user.unwrap();

    let events = auth.test.events("stillpoint.auth.user.signed_in", 1).await;
    assert_eq!(events[0].data["userId"], user.user_id);
    assert_eq!(events[0].data["method"], "signin");
    // The form's language, before the requester's.
    assert_eq!(events[0].lang.as_deref(), Some("en"));
    assert_eq!(events[0].country.as_deref(), Some("AT"));
}

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_answer_alike() {
    let auth = with_account().await;
    let wrong = auth.sign_in(EMAIL, "not the password").await.unwrap_err();
    let unknown = auth
        .sign_in("unknown@example.com", "not the password")
        .await
        .unwrap_err();

    assert_eq!(wrong.code, "INVALID_CREDENTIALS");
    assert_eq!(wrong, unknown);
}

#[tokio::test]
async fn an_unknown_address_costs_a_hash_too() {
    let auth = Auth::start_with(&[("AUTH_ARGON2_MEMORY_KIB", "16384")]).await;
    auth.register(ada()).await.unwrap();

    let mut wrong = Vec::new();
    let mut unknown = Vec::new();
    for _ in 0..5 {
        wrong.push(time_of_refusal(&auth, EMAIL).await);
        unknown.push(time_of_refusal(&auth, "unknown@example.com").await);
    }
    wrong.sort();
    unknown.sort();
    // Without the decoy hash the ratio is far below a half; equal work keeps it near one even on a busy machine.
    assert!(unknown[2] * 2 > wrong[2], "unknown {unknown:?}, wrong {wrong:?}");
}

async fn time_of_refusal(auth: &Auth, email: &str) -> Duration {
    let began = Instant::now();
    assert_eq!(
        auth.sign_in(email, "not the password").await.unwrap_err().code,
        "INVALID_CREDENTIALS"
    );
    began.elapsed()
}

#[tokio::test]
async fn empty_fields_are_named() {
    let auth = Auth::start().await;
    let refused = auth.sign_in("", "").await.unwrap_err();
    assert_eq!(refused.code, "VALIDATION_FAILED");
    assert_eq!(refused.fields.len(), 2);
}

#[tokio::test]
async fn after_ten_wrong_passwords_even_the_right_one_waits() {
    let auth = with_account().await;
    for _ in 0..10 {
        assert_eq!(
            auth.sign_in(EMAIL, "not the password").await.unwrap_err().code,
            "INVALID_CREDENTIALS"
        );
    }
    auth.test.clock().advance(TimeDelta::minutes(5));

    let refused = auth.sign_in(EMAIL, PASSWORD).await.unwrap_err();
    assert_eq!(refused.code, "TOO_MANY_ATTEMPTS");
    assert_eq!(refused.retry_after, Some(Duration::from_mins(10)));

    auth.test.clock().advance(TimeDelta::minutes(10));
    assert!(auth.sign_in(EMAIL, PASSWORD).await.is_ok());
}

#[tokio::test]
async fn guesses_made_at_once_count_like_guesses_made_in_turn() {
    let auth = with_account().await;
    let answers = join_all((0..30).map(|_| auth.sign_in(EMAIL, "not the password"))).await;

    let throttled = answers
        .into_iter()
        .filter(|answer| answer.as_ref().unwrap_err().code == "TOO_MANY_ATTEMPTS")
        .count();
    assert_eq!(throttled, 20);
}

#[tokio::test]
async fn addresses_without_an_account_are_throttled_too() {
    let auth = Auth::start().await;
    for _ in 0..10 {
        auth.sign_in("unknown@example.com", "not the password")
            .await
            .unwrap_err();
    }
    let refused = auth
        .sign_in("unknown@example.com", "not the password")
        .await
        .unwrap_err();
    assert_eq!(refused.code, "TOO_MANY_ATTEMPTS");
}

#[tokio::test]
async fn the_throttle_survives_a_restart() {
    let auth = with_account().await;
    for _ in 0..10 {
        auth.sign_in(EMAIL, "not the password").await.unwrap_err();
    }
    let auth = auth.restart_with(&[]).await;
    assert_eq!(
        auth.sign_in(EMAIL, PASSWORD).await.unwrap_err().code,
        "TOO_MANY_ATTEMPTS"
    );
}

#[tokio::test]
async fn one_account_throttled_leaves_others_alone() {
    let auth = with_account().await;
    for _ in 0..11 {
        auth.sign_in("grace@example.com", "not the password")
            .await
            .unwrap_err();
    }
    assert!(auth.sign_in(EMAIL, PASSWORD).await.is_ok());
}

#[tokio::test]
async fn a_success_forgives_earlier_mistakes() {
    let auth = with_account().await;
    for _ in 0..3 {
        for _ in 0..9 {
            auth.sign_in(EMAIL, "not the password").await.unwrap_err();
        }
        auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn a_hash_with_former_parameters_is_made_anew() {
    let auth = with_account().await;
    let before = stored_hash(&auth).await;
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!(stored_hash(&auth).await, before);

    let auth = auth.restart_with(&[("AUTH_ARGON2_ITERATIONS", "2")]).await;
    auth.sign_in(EMAIL, "not the password").await.unwrap_err();
    assert_eq!(stored_hash(&auth).await, before);
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert!(
        stored_hash(&auth)
            .await
            .starts_with("$argon2id$v=19$m=64,t=2,p=1$")
    );
    assert!(auth.sign_in(EMAIL, PASSWORD).await.is_ok());
}

async fn stored_hash(auth: &Auth) -> String {
    sqlx::query_scalar("select password_hash from account")
        .fetch_one(auth.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn caller_is_refused_soon_when_every_hashing_slot_is_taken() {
    let settings = [
        ("AUTH_ARGON2_MEMORY_KIB", "65536"),
        ("AUTH_HASH_CONCURRENCY", "1"),
        ("AUTH_HASH_WAIT_MILLIS", "1"),
    ];
    let auth = Auth::start_with(&settings).await;

    let emails: Vec<String> = (0..6).map(|n| format!("person{n}@example.com")).collect();
    let answers = join_all(emails.iter().map(|email| auth.sign_in(email, PASSWORD))).await;
    let refusals: Vec<_> = answers.into_iter().map(Result::unwrap_err).collect();
    assert!(
        refusals
            .iter()
            .any(|refusal| refusal.code == "BUSY" && refusal.retry_after.is_some())
    );
    assert!(
        refusals
            .iter()
            .any(|refusal| refusal.code == "INVALID_CREDENTIALS")
    );
}

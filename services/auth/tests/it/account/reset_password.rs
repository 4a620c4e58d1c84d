use std::time::{Duration, Instant};

use chrono::TimeDelta;
use proto::auth::v1::{IssueHandoffTokenRequest, RedeemHandoffTokenRequest};

use crate::fixture::{Auth, PASSWORD, ada, answered, token};

pub const EMAIL: &str = "ada@example.com";

pub const UNKNOWN: &str = "unknown@example.com";

const NEW: &str = "a new quiet place";

pub async fn with_account() -> Auth {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    auth
}

#[tokio::test]
async fn a_mailed_link_sets_a_password_once_and_ends_all_sessions() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    auth.forgot(" ADA@example.com").await.unwrap();
    let link = auth.mailed_token("reset_password").await;

    auth.reset(&link, NEW).await.unwrap();
    assert_eq!(
        auth.authenticate(&session).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    assert_eq!(
        auth.sign_in(EMAIL, PASSWORD).await.unwrap_err().code,
        "INVALID_CREDENTIALS"
    );
    auth.sign_in(EMAIL, NEW).await.unwrap();
    assert_eq!(
        auth.reset(&link, "yet another place").await.unwrap_err().code,
        "LINK_EXPIRED"
    );

    let notices = auth
        .count("select count(*) from mail_outbox where template = 'password_changed'")
        .await;
    assert_eq!(notices, 1);
    let events = auth.test.events("stillpoint.auth.profile.updated", 1).await;
    assert_eq!(events[0].data["changedFields"], serde_json::json!(["password"]));
}

#[tokio::test]
async fn a_link_is_over_after_an_hour() {
    let auth = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.test.clock().advance(TimeDelta::minutes(60));
    assert_eq!(auth.reset(&link, NEW).await.unwrap_err().code, "LINK_EXPIRED");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn the_first_link_used_closes_the_others() {
    let auth = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let first = auth.mailed_token("reset_password").await;
    auth.test.clock().advance(TimeDelta::minutes(1));
    auth.forgot(EMAIL).await.unwrap();
    let second = auth.mailed_token("reset_password").await;
    assert_ne!(first, second);

    auth.reset(&first, NEW).await.unwrap();
    assert_eq!(
        auth.reset(&second, PASSWORD).await.unwrap_err().code,
        "LINK_EXPIRED"
    );
}

#[tokio::test]
async fn of_two_uses_at_once_one_counts() {
    let auth = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    let (one, other) = tokio::join!(auth.reset(&link, NEW), auth.reset(&link, NEW));
    assert!(one.is_ok() != other.is_ok());
}

#[tokio::test]
async fn a_bad_password_leaves_the_link_good_and_made_up_tokens_are_refused() {
    let auth = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    let refused = auth.reset(&link, "12345").await.unwrap_err();
    assert_eq!(
        (refused.fields[0].field.as_str(), refused.fields[0].code.as_str()),
        ("password", "TOO_SHORT")
    );
    for made_up in ["", "nonsense", &"0".repeat(64), "' or 1=1 --"] {
        assert_eq!(auth.reset(made_up, NEW).await.unwrap_err().code, "LINK_EXPIRED");
    }
    auth.reset(&link, NEW).await.unwrap();
}

#[tokio::test]
async fn the_own_address_or_name_is_no_new_password() {
    let auth = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    for named in [EMAIL, "ADA@example.com", "Ada Lovelace"] {
        let refused = auth.reset(&link, named).await.unwrap_err();
        assert_eq!(
            (refused.fields[0].field.as_str(), refused.fields[0].code.as_str()),
            ("password", "TOO_COMMON"),
            "{named}"
        );
    }
    auth.reset(&link, NEW).await.unwrap();
}

#[tokio::test]
async fn a_handoff_token_from_before_the_reset_opens_nothing() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let handoff = IssueHandoffTokenRequest {
        token: session,
        purpose: "chat".to_owned(),
    };
    let handoff = answered(auth.client().issue_handoff_token(handoff).await).unwrap();
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.reset(&link, NEW).await.unwrap();
    let request = RedeemHandoffTokenRequest {
        handoff_token: handoff.handoff_token,
        caller: None,
    };
    let refused = answered(auth.client().redeem_handoff_token(request).await).unwrap_err();
    assert_eq!(refused.code, "TOKEN_UNKNOWN");
}

#[tokio::test]
async fn an_account_that_was_locked_by_guesses_opens_again() {
    let auth = with_account().await;
    for _ in 0..11 {
        auth.sign_in(EMAIL, "not the password").await.unwrap_err();
    }
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.reset(&link, NEW).await.unwrap();
    auth.sign_in(EMAIL, NEW).await.unwrap();
}

pub async fn time_of(auth: &Auth, email: &str) -> Duration {
    let began = Instant::now();
    auth.forgot(email).await.unwrap();
    began.elapsed()
}

use chrono::TimeDelta;
use kit::bus::CloudEvent;
use kit::error::{Failure, Kind};
use proto::auth::v1::{Caller, Erasure, GetErasureRequest, RegisterByEmailRequest, RequestErasureRequest};
use serde_json::json;

use crate::fixture::{Auth, PASSWORD, ada, answered, eventually, paid, token};

pub const OTHERS: [&str; 3] = ["checkout", "sessions", "analytics"];

pub async fn ask(auth: &Auth, token: &str, password: &str) -> Result<Erasure, Failure> {
    let request = RequestErasureRequest {
        token: token.to_owned(),
        password: password.to_owned(),
        caller: Some(Caller::default()),
    };
    let answer = answered(auth.client().request_erasure(request).await);
    answer.map(|answer| answer.erasure.unwrap())
}

pub async fn receipt(auth: &Auth, erasure_id: &str) -> Result<Erasure, Failure> {
    let request = GetErasureRequest {
        erasure_id: erasure_id.to_owned(),
    };
    let answer = answered(auth.client().get_erasure(request).await);
    answer.map(|answer| answer.erasure.unwrap())
}

pub async fn report(auth: &Auth, service: &str, id: &str, erasure_id: &str) {
    let subject = format!("stillpoint.{service}.member_data.erased");
    let kept: &[&str] = if service == "checkout" {
        &["bookkeeping"]
    } else {
        &[]
    };
    let data = json!({"erasureId": erasure_id, "service": service, "kept": kept});
    let event = CloudEvent::new(id.to_owned(), &subject, auth.test.clock().now(), data);
    auth.test.context().bus.publish(&event).await.unwrap();
}

pub fn code(refusal: Result<Erasure, Failure>) -> (Kind, String) {
    let failure = refusal.unwrap_err();
    (failure.kind, failure.code)
}

#[tokio::test]
async fn account_is_gone_at_once_with_all_its_sessions() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;
    auth.forgot("ada@example.com").await.unwrap();

    let erasure = ask(&auth, &session, PASSWORD).await.unwrap();
    assert_eq!(erasure.state, "running");
    for dead in [&session, &elsewhere] {
        assert_eq!(auth.authenticate(dead).await.unwrap_err().code, "SESSION_EXPIRED");
    }
    let refused = auth.sign_in("ada@example.com", PASSWORD).await.unwrap_err();
    assert_eq!(refused.code, "INVALID_CREDENTIALS");
    for table in [
        "select count(*) from account",
        "select count(*) from session",
        "select count(*) from mail_outbox where user_id is not null",
        "select count(*) from account_link where user_id is not null",
    ] {
        assert_eq!(auth.count(table).await, 0, "{table}");
    }
    // The address is free for a new account.
    let new = auth.register(ada()).await.unwrap().user.unwrap().user_id;
    auth.test.events("stillpoint.auth.erasure.requested", 1).await;
    assert!(!new.is_empty());
}

#[tokio::test]
async fn wrong_passwords_delete_nothing_and_are_throttled() {
    let auth = Auth::start_with(&[("AUTH_SIGN_IN_ATTEMPTS", "3")]).await;
    let session = token(&auth.register(ada()).await.unwrap());
    for _ in 0..3 {
        assert_eq!(
            code(ask(&auth, &session, "not it").await),
            (Kind::Forbidden, "WRONG_PASSWORD".into())
        );
    }
    assert_eq!(code(ask(&auth, &session, PASSWORD).await).1, "TOO_MANY_ATTEMPTS");
    // Wrong passwords sent with a session do not lock its owner out of signing in.
    auth.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert_eq!(auth.count("select count(*) from account").await, 1);
    assert_eq!(auth.count("select count(*) from erasure").await, 0);
}

#[tokio::test]
async fn a_recent_authentication_replaces_the_password() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    auth.test.clock().advance(TimeDelta::minutes(11));
    assert_eq!(
        code(ask(&auth, &session, "").await),
        (Kind::Forbidden, "STEP_UP_REQUIRED".into())
    );
    let fresh = auth.token_elsewhere().await;
    ask(&auth, &fresh, "").await.unwrap();
    assert_eq!(auth.count("select count(*) from account").await, 0);
}

#[tokio::test]
async fn who_has_no_password_must_have_signed_in_lately() {
    let auth = Auth::start().await;
    let form = RegisterByEmailRequest {
        email: "grace@example.com".to_owned(),
        ..RegisterByEmailRequest::default()
    };
    let opened = answered(auth.client().register_by_email(form).await).unwrap();
    let session = opened.session.unwrap().token;
    auth.test.clock().advance(TimeDelta::minutes(11));
    let refused = ask(&auth, &session, "").await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.details["methods"].as_str()),
        ("STEP_UP_REQUIRED", "sign_in")
    );
    let form = RegisterByEmailRequest {
        email: "hopper@example.com".to_owned(),
        ..RegisterByEmailRequest::default()
    };
    let opened = answered(auth.client().register_by_email(form).await).unwrap();
    auth.test.clock().advance(TimeDelta::minutes(9));
    ask(&auth, &opened.session.unwrap().token, "").await.unwrap();
}

#[tokio::test]
async fn repeat_returns_the_same_erasure_and_deletes_no_other_account() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let asked = async || ask(&auth, &session, PASSWORD).await;
    let (first, second, third) = tokio::join!(asked(), asked(), asked());
    let id = first.unwrap().erasure_id;
    assert_eq!(
        (second.unwrap().erasure_id, third.unwrap().erasure_id),
        (id.clone(), id.clone())
    );
    auth.register(ada()).await.unwrap();
    // The account is erased already, so the password is not verified.
    assert_eq!(ask(&auth, &session, "anything").await.unwrap().erasure_id, id);
    assert_eq!(auth.count("select count(*) from account").await, 1);
    assert_eq!(auth.count("select count(*) from erasure").await, 1);
    let stranger = "0".repeat(64);
    assert_eq!(code(ask(&auth, &stranger, PASSWORD).await).1, "SESSION_EXPIRED");
}

#[tokio::test]
async fn what_comes_late_opens_nothing() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let user_id = registered.user.clone().unwrap().user_id;
    ask(&auth, &token(&registered), PASSWORD).await.unwrap();
    paid(&auth, "late", &user_id, &["coaching"]).await;
    eventually(async || {
        auth.count("select count(*) from inbox where consumer = 'auth'")
            .await
            == 1
    })
    .await;
    assert_eq!(auth.count("select count(*) from temporary_premium").await, 0);
    assert_eq!(auth.count("select count(*) from dead_letter").await, 0);
}

/// Data added by other calls is also erased.
#[tokio::test]
async fn everything_that_names_a_member_goes_with_the_account() {
    let auth = Auth::start().await;
    let astray: Vec<String> = sqlx::query_scalar(
        "select c.table_name::text from information_schema.columns c
         where c.table_schema = 'auth' and c.column_name = 'user_id'
           and c.table_name not in ('account', 'erasure_job')
           and not exists (
               select from pg_constraint k
               where k.contype = 'f' and k.confdeltype = 'c' and k.confrelid = 'account'::regclass
                 and k.conrelid = c.table_name::regclass)",
    )
    .fetch_all(auth.pool())
    .await
    .unwrap();
    assert_eq!(
        astray, [""; 0],
        "these tables have a user_id that does not cascade"
    );
}

use chrono::TimeDelta;
use kit::bus::CloudEvent;
use kit::error::{Failure, Kind};
use proto::auth::v1::{
    Caller, Erasure, ExportMemberRequest, GetErasureRequest, RegisterByEmailRequest, RequestErasureRequest,
};
use serde_json::json;

use crate::fixture::{Auth, PASSWORD, ada, answered, eventually, paid, token};

const OTHERS: [&str; 3] = ["checkout", "sessions", "analytics"];

async fn ask(auth: &Auth, token: &str, password: &str) -> Result<Erasure, Failure> {
    let request = RequestErasureRequest {
        token: token.to_owned(),
        password: password.to_owned(),
        caller: Some(Caller::default()),
    };
    let answer = answered(auth.client().request_erasure(request).await);
    answer.map(|answer| answer.erasure.unwrap())
}

async fn receipt(auth: &Auth, erasure_id: &str) -> Result<Erasure, Failure> {
    let request = GetErasureRequest {
        erasure_id: erasure_id.to_owned(),
    };
    let answer = answered(auth.client().get_erasure(request).await);
    answer.map(|answer| answer.erasure.unwrap())
}

async fn report(auth: &Auth, service: &str, id: &str, erasure_id: &str) {
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

fn code(refusal: Result<Erasure, Failure>) -> (Kind, String) {
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
async fn erasure_ends_when_the_last_service_has_reported() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let user_id = registered.user.clone().unwrap().user_id;
    let erasure = ask(&auth, &token(&registered), PASSWORD).await.unwrap();
    let requested = auth.test.events("stillpoint.auth.erasure.requested", 1).await;
    assert_eq!(requested[0].data["userId"], json!(user_id));
    assert_eq!(requested[0].data["services"], json!(OTHERS));

    // Reports arrive out of order, twice, and for an unknown erasure.
    report(&auth, "analytics", "r1", &erasure.erasure_id).await;
    report(&auth, "analytics", "r2", &erasure.erasure_id).await;
    report(&auth, "checkout", "r3", &erasure.erasure_id).await;
    report(&auth, "checkout", "r4", "ers_00000000000000000000000000000000").await;
    eventually(async || {
        let done = "select count(*) from erasure_report where erased_at is not null";
        auth.count(done).await == 3
    })
    .await;
    assert_eq!(
        receipt(&auth, &erasure.erasure_id).await.unwrap().state,
        "running"
    );
    report(&auth, "sessions", "r5", &erasure.erasure_id).await;
    let erased = auth.test.events("stillpoint.auth.account.erased", 1).await;
    assert_eq!(erased[0].data, json!({"erasureId": erasure.erasure_id}));

    let finished = receipt(&auth, &erasure.erasure_id).await.unwrap();
    assert_eq!(
        (finished.state.as_str(), finished.services.len()),
        ("finished", 4)
    );
    assert!(finished.services.iter().all(|service| service.state == "erased"));
    let checkout = finished
        .services
        .iter()
        .find(|it| it.service == "checkout")
        .unwrap();
    assert_eq!(checkout.kept, ["bookkeeping"]);
    assert_eq!(
        auth.count("select count(*) from erasure where recipient is not null")
            .await,
        0
    );
    let query = "select count(*) from outbox where event::text like '%userId%'";
    assert_eq!(auth.count(query).await, 0);
}

#[tokio::test]
async fn wrong_passwords_delete_nothing_and_are_throttled() {
    let auth = Auth::start_with(&[("AUTH_SIGN_IN_ATTEMPTS", "3")]).await;
    let session = token(&auth.register(ada()).await.unwrap());
    assert_eq!(
        code(ask(&auth, &session, "").await),
        (Kind::Forbidden, "WRONG_PASSWORD".into())
    );
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
async fn who_has_no_password_must_have_signed_in_lately() {
    let auth = Auth::start().await;
    let form = RegisterByEmailRequest {
        email: "grace@example.com".to_owned(),
        ..RegisterByEmailRequest::default()
    };
    let opened = answered(auth.client().register_by_email(form).await).unwrap();
    let session = opened.session.unwrap().token;
    auth.test.clock().advance(TimeDelta::minutes(16));
    assert_eq!(
        code(ask(&auth, &session, "").await),
        (Kind::Forbidden, "RECENT_SIGN_IN_REQUIRED".into())
    );
    let form = RegisterByEmailRequest {
        email: "hopper@example.com".to_owned(),
        ..RegisterByEmailRequest::default()
    };
    let opened = answered(auth.client().register_by_email(form).await).unwrap();
    auth.test.clock().advance(TimeDelta::minutes(14));
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
async fn unknown_receipt_is_not_found() {
    let auth = Auth::start().await;
    for id in ["", "ers_1", "ers_00000000000000000000000000000000"] {
        assert_eq!(
            code(receipt(&auth, id).await),
            (Kind::NotFound, "UNKNOWN_ERASURE".into())
        );
    }
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

/// What anybody adds is erased as well.
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

#[tokio::test]
async fn member_is_handed_what_is_kept_and_no_secret() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let session = token(&registered);
    auth.forgot("ada@example.com").await.unwrap();
    let request = ExportMemberRequest {
        token: session.clone(),
    };
    let export = answered(auth.client().export_member(request).await)
        .unwrap()
        .export
        .unwrap();
    let text = serde_json::to_string(&export).unwrap();
    let account = export.account.unwrap();
    assert_eq!(
        (
            account.full_name.as_str(),
            account.email.as_str(),
            account.country.as_str()
        ),
        ("Ada Lovelace", "ada@example.com", "GB")
    );
    assert!(account.has_password);
    assert_eq!(export.sessions.len(), 1);
    for secret in [session.as_str(), "argon2", PASSWORD] {
        assert!(!text.contains(secret), "{secret}");
    }
}

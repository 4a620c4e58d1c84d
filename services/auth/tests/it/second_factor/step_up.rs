use chrono::TimeDelta;
use proto::auth::v1::{IssueHandoffTokenRequest, RedeemHandoffTokenRequest, RegisterByEmailRequest};

use crate::fixture::{Auth, PASSWORD, ada, answered, token};
use crate::second_factor::{EMAIL, WRONG, field_error, next_code, with_second_factor};

async fn is_recent(auth: &Auth, session: &str) -> bool {
    auth.authenticate(session)
        .await
        .unwrap()
        .is_recently_authenticated
}

#[tokio::test]
async fn the_password_renews_an_authentication_for_ten_minutes() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    assert!(is_recent(&auth, &session).await);
    auth.test.clock().advance(TimeDelta::minutes(11));
    let stale = auth.authenticate(&session).await.unwrap();
    assert!(!stale.is_recently_authenticated);
    assert_eq!(stale.step_up_methods, ["password"]);

    let wrong = auth.step_up(&session, "a guess", "").await.unwrap_err();
    assert_eq!(
        (wrong.code.as_str(), wrong.fields[0].field.as_str()),
        ("WRONG_PASSWORD", "password")
    );
    let empty = auth.step_up(&session, "", "").await.unwrap_err();
    assert_eq!(field_error(&empty), ("password", "REQUIRED"));
    assert!(!is_recent(&auth, &session).await);

    auth.step_up(&session, PASSWORD, "").await.unwrap();
    let renewed = auth.authenticate(&session).await.unwrap();
    assert!(renewed.is_recently_authenticated);
    assert!(renewed.authenticated_at.unwrap().seconds > stale.authenticated_at.unwrap().seconds);
    auth.test.clock().advance(TimeDelta::minutes(11));
    assert!(!is_recent(&auth, &session).await);
}

#[tokio::test]
async fn guesses_are_throttled_and_lock_no_sign_in() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    for _ in 0..10 {
        let wrong = auth.step_up(&session, "a guess", "").await.unwrap_err();
        assert_eq!(wrong.code, "WRONG_PASSWORD");
    }
    let throttled = auth.step_up(&session, PASSWORD, "").await.unwrap_err();
    assert_eq!(throttled.code, "TOO_MANY_ATTEMPTS");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn an_account_with_a_second_factor_needs_its_code_too() {
    let (auth, session, enabled) = with_second_factor().await;
    auth.test.clock().advance(TimeDelta::minutes(11));
    let methods = auth.authenticate(&session).await.unwrap().step_up_methods;
    assert_eq!(methods, ["password", "code"]);
    let missing = auth.step_up(&session, PASSWORD, "").await.unwrap_err();
    assert_eq!(field_error(&missing), ("code", "REQUIRED"));
    let wrong = auth.step_up(&session, PASSWORD, WRONG).await.unwrap_err();
    assert_eq!(field_error(&wrong), ("code", "SECOND_FACTOR_WRONG"));
    assert!(!is_recent(&auth, &session).await);

    let code = next_code(&auth, &enabled.secret);
    auth.step_up(&session, PASSWORD, &code).await.unwrap();
    assert!(is_recent(&auth, &session).await);
    let again = auth.step_up(&session, PASSWORD, &code).await.unwrap_err();
    assert_eq!(
        field_error(&again),
        ("code", "SECOND_FACTOR_WRONG"),
        "each code once"
    );
}

#[tokio::test]
async fn an_account_without_a_password_signs_in_again() {
    let auth = Auth::start().await;
    let form = RegisterByEmailRequest {
        email: "grace@example.com".to_owned(),
        ..RegisterByEmailRequest::default()
    };
    let opened = answered(auth.client().register_by_email(form).await).unwrap();
    let session = opened.session.unwrap().token;
    let refused = auth.step_up(&session, "anything", "").await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.details["methods"].as_str()),
        ("STEP_UP_REQUIRED", "sign_in")
    );
}

#[tokio::test]
async fn a_session_of_a_handoff_token_is_not_authenticated_before_its_step_up() {
    let auth = Auth::start().await;
    let handoff = IssueHandoffTokenRequest {
        token: token(&auth.register(ada()).await.unwrap()),
        purpose: "survey".to_owned(),
    };
    let handoff = answered(auth.client().issue_handoff_token(handoff).await).unwrap();
    let redeemed = RedeemHandoffTokenRequest {
        handoff_token: handoff.handoff_token,
        caller: None,
    };
    let redeemed = answered(auth.client().redeem_handoff_token(redeemed).await).unwrap();
    let carried = redeemed.session.unwrap().token;
    assert!(
        auth.authenticate(&carried)
            .await
            .unwrap()
            .authenticated_at
            .is_none()
    );
    assert!(!is_recent(&auth, &carried).await);
    auth.step_up(&carried, PASSWORD, "").await.unwrap();
    assert!(is_recent(&auth, &carried).await);
}

use std::collections::BTreeSet;

use crate::fixture::{Auth, ada, token};
use crate::second_factor::{
    WRONG, challenge, confirm, enable, enrol, field_error, next_code, state, verified, verify,
    with_second_factor,
};

#[tokio::test]
async fn a_code_enables_the_second_factor_and_returns_ten_recovery_codes() {
    let (auth, session, enabled) = with_second_factor().await;
    let codes: BTreeSet<&String> = enabled.recovery_codes.iter().collect();
    assert_eq!(codes.len(), 10);
    assert!(codes.iter().all(|code| code.len() == "0a1b-2c3d-4e5f".len()));
    let now = state(&auth, &session).await;
    assert_eq!(
        (now.enabled, now.required, now.recovery_codes_left),
        (true, false, 10)
    );

    let user_id = auth.authenticate(&session).await.unwrap().user.unwrap().user_id;
    let events = auth.test.events("stillpoint.auth.second_factor.enabled", 1).await;
    assert_eq!(events[0].data, serde_json::json!({"userId": user_id}));
    let mails = "select count(*) from mail_outbox where template = 'second_factor_enabled'";
    assert_eq!(auth.count(mails).await, 1);
}

#[tokio::test]
async fn wrong_codes_enable_nothing_and_are_throttled() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let refused = confirm(&auth, &session, "123456").await.unwrap_err();
    assert_eq!(refused.code, "SECOND_FACTOR_NOT_ENROLLED");
    let secret = enrol(&auth, &session).await.unwrap().secret;
    let empty = confirm(&auth, &session, " ").await.unwrap_err();
    assert_eq!(field_error(&empty), ("code", "REQUIRED"));
    for _ in 0..9 {
        let refused = confirm(&auth, &session, WRONG).await.unwrap_err();
        assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
    }
    let code = next_code(&auth, &secret);
    let throttled = confirm(&auth, &session, &code).await.unwrap_err();
    assert_eq!(throttled.code, "TOO_MANY_ATTEMPTS");
    assert!(!state(&auth, &session).await.enabled);
}

#[tokio::test]
async fn a_new_secret_replaces_the_former_one_with_its_codes() {
    let (auth, session, former) = with_second_factor().await;
    let enabled = enable(&auth, &session).await;
    let challenge = challenge(&auth).await;
    let code = next_code(&auth, &former.secret);
    for used in [&code, &former.recovery_codes[0]] {
        let refused = verify(&auth, &challenge, used).await.unwrap_err();
        assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
    }
    verified(&auth, &enabled.secret).await;
}

#[tokio::test]
async fn an_enrolment_is_confirmed_once() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let secret = enrol(&auth, &session).await.unwrap().secret;
    let code = next_code(&auth, &secret);
    let (one, other) = tokio::join!(confirm(&auth, &session, &code), confirm(&auth, &session, &code));
    assert!(one.is_ok() != other.is_ok());
}

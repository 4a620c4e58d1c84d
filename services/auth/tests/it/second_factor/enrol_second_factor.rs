use chrono::TimeDelta;

use crate::fixture::{Auth, PASSWORD, ada, token};
use crate::second_factor::{enrol, state, verified, with_second_factor};

#[tokio::test]
async fn an_enrolment_is_not_active_until_it_is_confirmed() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let enrolment = enrol(&auth, &session).await.unwrap();
    assert_eq!(enrolment.secret.len(), 32);
    let account = "otpauth://totp/Stillpoint:ada%40example%2Ecom?secret=";
    assert!(
        enrolment
            .uri
            .starts_with(&format!("{account}{}&", enrolment.secret))
    );
    assert!(!state(&auth, &session).await.enabled);
    let answer = auth.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert!(answer.session.is_some());
}

#[tokio::test]
async fn an_enrolment_needs_a_recent_authentication() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    auth.test.clock().advance(TimeDelta::minutes(11));
    let refused = enrol(&auth, &session).await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.details["methods"].as_str()),
        ("STEP_UP_REQUIRED", "password")
    );
}

#[tokio::test]
async fn another_enrolment_leaves_the_enabled_secret_as_it_is() {
    let (auth, session, enabled) = with_second_factor().await;
    enrol(&auth, &session).await.unwrap();
    verified(&auth, &enabled.secret).await;
}

#[tokio::test]
async fn the_secret_is_stored_encrypted() {
    let (auth, _, enabled) = with_second_factor().await;
    let stored: String = sqlx::query_scalar("select encode(encrypted_secret, 'escape') from second_factor")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(!stored.contains(&enabled.secret));
    let bytes: i64 = auth
        .count("select length(encrypted_secret)::bigint from second_factor")
        .await;
    assert_eq!(bytes, 12 + 20 + 16, "nonce, secret and tag");
}

use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::DisableSecondFactorRequest;

use crate::fixture::{Auth, PASSWORD, answered};
use crate::roles;
use crate::second_factor::{EMAIL, challenge, next_code, state, verified, verify, with_second_factor};

async fn disable(auth: &Auth, token: &str) -> Result<(), Failure> {
    let token = token.to_owned();
    let request = DisableSecondFactorRequest { token };
    answered(auth.client().disable_second_factor(request).await).map(|_| ())
}

#[tokio::test]
async fn a_disabled_second_factor_leaves_nothing() {
    let (auth, session, _) = with_second_factor().await;
    let open = challenge(&auth).await;
    disable(&auth, &session).await.unwrap();
    disable(&auth, &session).await.unwrap();
    assert!(!state(&auth, &session).await.enabled);
    for table in [
        "select count(*) from second_factor",
        "select count(*) from recovery_code",
        "select count(*) from second_factor_challenge",
    ] {
        assert_eq!(auth.count(table).await, 0, "{table}");
    }
    let refused = verify(&auth, &open, "123456").await.unwrap_err();
    assert_eq!(refused.code, "CHALLENGE_EXPIRED");
    assert!(auth.sign_in(EMAIL, PASSWORD).await.unwrap().session.is_some());
    auth.test
        .events("stillpoint.auth.second_factor.disabled", 1)
        .await;
    let mails = "select count(*) from mail_outbox where template = 'second_factor_disabled'";
    assert_eq!(auth.count(mails).await, 1);
}

#[tokio::test]
async fn it_needs_a_recent_authentication() {
    let (auth, session, enabled) = with_second_factor().await;
    auth.test.clock().advance(TimeDelta::minutes(11));
    let refused = disable(&auth, &session).await.unwrap_err();
    assert_eq!(refused.code, "STEP_UP_REQUIRED");
    let code = next_code(&auth, &enabled.secret);
    auth.step_up(&session, PASSWORD, &code).await.unwrap();
    disable(&auth, &session).await.unwrap();
}

#[tokio::test]
async fn a_role_keeps_its_second_factor() {
    let (auth, _, enabled) = with_second_factor().await;
    roles::grant(&auth, "operator").await;
    let session = verified(&auth, &enabled.secret).await;
    let refused = disable(&auth, &session).await.unwrap_err();
    assert_eq!(refused.code, "SECOND_FACTOR_REQUIRED");
    assert!(state(&auth, &session).await.enabled);
}

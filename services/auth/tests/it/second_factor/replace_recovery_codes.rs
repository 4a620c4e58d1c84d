use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::ReplaceRecoveryCodesRequest;

use crate::fixture::{Auth, ada, answered, token};
use crate::second_factor::{challenge, field_error, verify, with_second_factor};

async fn replace(auth: &Auth, token: &str) -> Result<Vec<String>, Failure> {
    let token = token.to_owned();
    let request = ReplaceRecoveryCodesRequest { token };
    let answer = answered(auth.client().replace_recovery_codes(request).await);
    answer.map(|answer| answer.recovery_codes)
}

#[tokio::test]
async fn new_codes_replace_the_former_ones() {
    let (auth, session, enabled) = with_second_factor().await;
    let codes = replace(&auth, &session).await.unwrap();
    assert_eq!(codes.len(), 10);
    let challenge = challenge(&auth).await;
    let refused = verify(&auth, &challenge, &enabled.recovery_codes[0])
        .await
        .unwrap_err();
    assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
    verify(&auth, &challenge, &codes[0]).await.unwrap();
    assert_eq!(auth.count("select count(*) from recovery_code").await, 9);
}

#[tokio::test]
async fn new_codes_need_a_second_factor_and_a_recent_authentication() {
    let (auth, session, _) = with_second_factor().await;
    auth.test.clock().advance(TimeDelta::minutes(11));
    let refused = replace(&auth, &session).await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.details["methods"].as_str()),
        ("STEP_UP_REQUIRED", "password,code")
    );
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let refused = replace(&auth, &session).await.unwrap_err();
    assert_eq!(refused.code, "SECOND_FACTOR_NOT_ENROLLED");
}

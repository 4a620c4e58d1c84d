use proto::auth::v1::GetSecondFactorRequest;

use crate::fixture::{Auth, ada, answered, token};
use crate::roles;
use crate::second_factor::state;

#[tokio::test]
async fn a_role_requires_a_second_factor() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let before = state(&auth, &session).await;
    assert_eq!(
        (before.enabled, before.required, before.recovery_codes_left),
        (false, false, 0)
    );
    roles::grant(&auth, "coach").await;
    assert!(state(&auth, &session).await.required);
}

#[tokio::test]
async fn it_needs_a_session() {
    let auth = Auth::start().await;
    let request = GetSecondFactorRequest {
        token: "0".repeat(64),
    };
    let refused = answered(auth.client().get_second_factor(request).await).unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
}

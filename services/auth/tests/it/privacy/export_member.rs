use chrono::TimeDelta;
use proto::auth::v1::ExportMemberRequest;

use crate::fixture::{Auth, PASSWORD, ada, answered, token};
use crate::{roles, second_factor};

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
    assert!(export.second_factor.is_none() && export.roles.is_empty());
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

#[tokio::test]
async fn an_export_needs_a_recent_authentication() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    auth.test.clock().advance(TimeDelta::minutes(11));
    let request = || ExportMemberRequest {
        token: session.clone(),
    };
    let refused = answered(auth.client().export_member(request()).await).unwrap_err();
    assert_eq!(refused.code, "STEP_UP_REQUIRED");
    auth.step_up(&session, PASSWORD, "").await.unwrap();
    answered(auth.client().export_member(request()).await).unwrap();
}

#[tokio::test]
async fn an_export_names_second_factor_and_roles_without_their_secrets() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let enabled = second_factor::enable(&auth, &session).await;
    roles::grant(&auth, "coach").await;
    let request = ExportMemberRequest { token: session };
    let export = answered(auth.client().export_member(request).await)
        .unwrap()
        .export
        .unwrap();
    let text = serde_json::to_string(&export).unwrap();
    assert_eq!(export.second_factor.unwrap().recovery_codes_left, 10);
    assert_eq!(export.roles[0].role, "coach");
    for secret in [&enabled.secret, &enabled.recovery_codes[0]] {
        assert!(!text.contains(secret.as_str()), "{secret}");
    }
}

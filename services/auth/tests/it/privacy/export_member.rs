use proto::auth::v1::ExportMemberRequest;

use crate::fixture::{Auth, PASSWORD, ada, answered, token};

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

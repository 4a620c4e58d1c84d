//! Roles: granted by the command line, active in sessions that the second factor verified.
use std::process::Output;

use serde_json::json;

use crate::fixture::{Auth, ada, token};
use crate::second_factor::{EMAIL, enable, verified};

async fn command(auth: &Auth, arguments: &[&str]) -> Output {
    tokio::process::Command::new(env!("CARGO_BIN_EXE_auth"))
        .arg("roles")
        .args(arguments)
        .env("AUTH_DATABASE_URL", auth.test.database_url())
        .output()
        .await
        .unwrap()
}

pub async fn grant(auth: &Auth, role: &str) {
    let outcome = command(auth, &["grant", EMAIL, role]).await;
    assert!(outcome.status.success(), "{outcome:?}");
}

async fn printed(auth: &Auth, arguments: &[&str]) -> (Option<i32>, String) {
    let outcome = command(auth, arguments).await;
    let text = String::from_utf8(outcome.stdout).unwrap();
    (outcome.status.code(), text.trim_end().to_owned())
}

#[tokio::test]
async fn a_role_is_active_only_after_the_second_factor() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let plain = auth.authenticate(&session).await.unwrap();
    assert!(plain.roles.is_empty() && !plain.second_factor_missing);

    grant(&auth, "coach").await;
    let without = auth.authenticate(&session).await.unwrap();
    assert!(without.roles.is_empty() && without.second_factor_missing);

    let elsewhere = auth.token_elsewhere().await;
    let enabled = enable(&auth, &session).await;
    let here = auth.authenticate(&session).await.unwrap();
    assert!(!here.second_factor_missing);
    assert_eq!(here.roles, ["coach"]);
    let unverified = auth.authenticate(&elsewhere).await.unwrap();
    assert!(unverified.roles.is_empty() && unverified.second_factor_missing);

    grant(&auth, "operator").await;
    let fresh = verified(&auth, &enabled.secret).await;
    assert_eq!(
        auth.authenticate(&fresh).await.unwrap().roles,
        ["coach", "operator"]
    );
}

#[tokio::test]
async fn an_access_token_carries_no_role() {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    grant(&auth, "operator").await;
    enable(&auth, &session).await;
    let request = proto::auth::v1::IssueAccessTokenRequest { token: session };
    let issued = auth
        .client()
        .issue_access_token(request)
        .await
        .unwrap()
        .into_inner();
    let authenticated = auth.authenticate(&issued.access_token).await.unwrap();
    assert!(authenticated.by_access_token && authenticated.roles.is_empty());
    assert!(!authenticated.is_recently_authenticated);
}

#[tokio::test]
async fn roles_are_granted_listed_and_revoked_by_the_command_line() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let session = token(&registered);
    enable(&auth, &session).await;
    assert_eq!(
        printed(&auth, &["grant", " ADA@example.com", "company_administrator"]).await,
        (Some(0), "done".to_owned())
    );
    assert_eq!(
        printed(&auth, &["grant", EMAIL, "company_administrator"]).await.1,
        "nothing to change"
    );
    let (code, listed) = printed(&auth, &["list", EMAIL]).await;
    assert_eq!(code, Some(0));
    assert!(
        listed.starts_with("company_administrator since ") && listed.ends_with("1 roles"),
        "{listed}"
    );
    assert_eq!(
        auth.authenticate(&session).await.unwrap().roles,
        ["company_administrator"]
    );
    let revoke = ["revoke", EMAIL, "company_administrator"];
    assert_eq!(printed(&auth, &revoke).await.1, "done");
    assert!(auth.authenticate(&session).await.unwrap().roles.is_empty());
    let unknown = printed(&auth, &["grant", "unknown@example.com", "coach"]).await;
    assert_eq!(unknown, (Some(1), "no account has this address".to_owned()));
    assert_eq!(printed(&auth, &["grant", EMAIL, "king"]).await.0, Some(64));

    let user_id = registered.user.unwrap().user_id;
    for subject in ["stillpoint.auth.role.granted", "stillpoint.auth.role.revoked"] {
        let events = auth.test.events(subject, 1).await;
        let expected = json!({"userId": user_id, "role": "company_administrator"});
        assert_eq!(events[0].data, expected, "{subject}");
    }
}

use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::{
    IssueAccessTokenRequest, ListDevicesRequest, ListPublicKeysRequest, RefreshSessionRequest,
    UpdateProfileRequest,
};

use crate::fixture::{Auth, ada, answered, token};

pub async fn signed_in() -> (Auth, String) {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    (auth, session)
}

pub async fn issue(auth: &Auth, session: &str) -> Result<String, Failure> {
    let token = session.to_owned();
    let answer = answered(
        auth.client()
            .issue_access_token(IssueAccessTokenRequest { token })
            .await,
    )?;
    assert_eq!(answer.expires_in_secs, 900);
    Ok(answer.access_token)
}

pub async fn keys(auth: &Auth) -> Vec<String> {
    let answer = answered(auth.client().list_public_keys(ListPublicKeysRequest {}).await).unwrap();
    answer.keys.into_iter().map(|key| key.key_id).collect()
}

pub async fn is_over(auth: &Auth, token: &str) -> bool {
    auth.authenticate(token)
        .await
        .is_err_and(|refused| refused.code == "SESSION_EXPIRED")
}

#[tokio::test]
async fn signed_token_identifies_the_user_for_fifteen_minutes() {
    let (auth, session) = signed_in().await;
    let signed = issue(&auth, &session).await.unwrap();
    let by_token = auth.authenticate(&signed).await.unwrap();
    let by_session = auth.authenticate(&session).await.unwrap();
    assert_eq!(by_token.user, by_session.user);
    assert!(by_token.by_access_token && !by_session.by_access_token);
    auth.test.clock().advance(TimeDelta::minutes(15));
    assert!(is_over(&auth, &signed).await && !is_over(&auth, &session).await);
}

#[tokio::test]
async fn it_ends_with_its_session() {
    let (auth, session) = signed_in().await;
    let signed = issue(&auth, &session).await.unwrap();
    auth.sign_out(&session).await.unwrap();
    assert!(is_over(&auth, &signed).await);
    assert_eq!(issue(&auth, &session).await.unwrap_err().code, "SESSION_EXPIRED");
}

#[tokio::test]
async fn it_changes_nothing_about_the_account() {
    let (auth, session) = signed_in().await;
    let signed = issue(&auth, &session).await.unwrap();
    let update = UpdateProfileRequest {
        token: signed.clone(),
        full_name: "Eve".to_owned(),
        email: "eve@example.com".to_owned(),
        password: "a new quiet place".to_owned(),
        ..UpdateProfileRequest::default()
    };
    assert_eq!(
        answered(auth.client().update_profile(update).await)
            .unwrap_err()
            .code,
        "SESSION_EXPIRED"
    );
    let devices = ListDevicesRequest {
        token: signed.clone(),
    };
    assert_eq!(
        answered(auth.client().list_devices(devices).await)
            .unwrap_err()
            .code,
        "SESSION_EXPIRED"
    );
    let refresh = RefreshSessionRequest {
        token: signed.clone(),
    };
    assert_eq!(
        answered(auth.client().refresh_session(refresh).await)
            .unwrap_err()
            .code,
        "SESSION_EXPIRED"
    );
    assert_eq!(
        issue(&auth, &signed).await.unwrap_err().code,
        "SESSION_EXPIRED",
        "nor renews itself"
    );
}

#[tokio::test]
async fn forged_tokens_are_refused() {
    let (auth, session) = signed_in().await;
    let signed = issue(&auth, &session).await.unwrap();
    let parts: Vec<&str> = signed.split('.').collect();
    let elsewhere = Auth::start().await;
    let others = token(&elsewhere.register(ada()).await.unwrap());
    let foreign = issue(&elsewhere, &others).await.unwrap();
    let unsigned_header = "eyJhbGciOiJub25lIn0";
    for forged in [
        foreign.clone(),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{unsigned_header}.{}.", parts[1]),
        format!("{}.{}.{}", parts[0], foreign.split('.').nth(1).unwrap(), parts[2]),
        format!("{signed}.x"),
    ] {
        assert!(is_over(&auth, &forged).await, "{forged}");
    }
}

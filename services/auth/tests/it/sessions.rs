mod authenticate;
mod end_session;
pub mod issue_access_token;
mod issue_handoff_token;
mod list_devices;
mod list_public_keys;
pub mod redeem_handoff_token;
mod refresh_session;
mod sign_out;
mod sign_out_device;
mod sign_out_everywhere;

use proto::auth::v1::{Caller, Device, ListDevicesRequest, RegisterRequest};

use crate::fixture::{Auth, PASSWORD, ada, answered, token};

pub const EMAIL: &str = "ada@example.com";

pub const PHONE: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

pub async fn signed_in() -> (Auth, String) {
    let auth = Auth::start().await;
    let token = token(&auth.register(ada()).await.unwrap());
    (auth, token)
}

pub async fn renewed(auth: &Auth, token: &str) -> Option<String> {
    auth.refresh(token)
        .await
        .unwrap()
        .renewed
        .map(|session| session.token)
}

pub async fn is_over(auth: &Auth, token: &str) -> bool {
    auth.authenticate(token)
        .await
        .is_err_and(|refused| refused.code == "SESSION_EXPIRED")
}

pub async fn devices(auth: &Auth, token: &str) -> Vec<Device> {
    let token = token.to_owned();
    answered(auth.client().list_devices(ListDevicesRequest { token }).await)
        .unwrap()
        .devices
}

#[tokio::test]
async fn a_new_sign_in_ends_the_session_the_browser_had() {
    let auth = Auth::start().await;
    let former = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;
    let same_browser = || Caller {
        session: former.clone(),
        ..Caller::default()
    };
    auth.sign_in_from("ada@example.com", "a guess", same_browser())
        .await
        .unwrap_err();
    assert!(auth.authenticate(&former).await.is_ok(), "a failure ends nothing");
    let answer = auth
        .sign_in_from("ada@example.com", PASSWORD, same_browser())
        .await;
    let fresh = answer.unwrap().session.unwrap().token;
    let refused = auth.authenticate(&former).await.unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
    assert!(auth.authenticate(&fresh).await.is_ok() && auth.authenticate(&elsewhere).await.is_ok());

    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        caller: Some(Caller {
            session: fresh.clone(),
            ..Caller::default()
        }),
        ..ada()
    };
    auth.register(grace).await.unwrap();
    assert_eq!(
        auth.authenticate(&fresh).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

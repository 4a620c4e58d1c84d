use crate::fixture::{Auth, ada, token};

#[tokio::test]
async fn the_session_is_over_at_once_and_the_others_go_on() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;

    auth.sign_out(&here).await.unwrap();
    assert_eq!(
        auth.authenticate(&here).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    assert!(auth.authenticate(&elsewhere).await.is_ok());
}

#[tokio::test]
async fn signing_out_twice_or_without_a_session_is_fine() {
    let auth = Auth::start().await;
    let token = token(&auth.register(ada()).await.unwrap());
    auth.sign_out(&token).await.unwrap();
    auth.sign_out(&token).await.unwrap();
    auth.sign_out("nonsense").await.unwrap();
}

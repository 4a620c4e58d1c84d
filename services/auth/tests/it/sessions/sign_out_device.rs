use proto::auth::v1::{RegisterRequest, SignOutDeviceRequest};

use crate::fixture::{ada, answered, token};
use crate::sessions::{devices, is_over, signed_in};

#[tokio::test]
async fn one_device_is_signed_out_and_no_other() {
    let (auth, here) = signed_in().await;
    let there = auth.token_elsewhere().await;
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    let graces = token(&auth.register(grace).await.unwrap());
    let sign_out = async |token: &str, session_id: &str| {
        let request = SignOutDeviceRequest {
            token: token.to_owned(),
            session_id: session_id.to_owned(),
        };
        answered(auth.client().sign_out_device(request).await)
    };
    let other = devices(&auth, &here)
        .await
        .into_iter()
        .find(|device| !device.is_current)
        .unwrap();

    sign_out(&graces, &other.session_id).await.unwrap();
    assert!(
        !is_over(&auth, &there).await,
        "another member's session is not theirs to end"
    );
    sign_out(&here, "ses_nonsense").await.unwrap();
    sign_out(&here, &other.session_id).await.unwrap();
    assert!(is_over(&auth, &there).await && !is_over(&auth, &here).await);
    assert_eq!(
        sign_out(&there, &other.session_id).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

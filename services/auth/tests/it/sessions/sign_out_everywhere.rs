use proto::auth::v1::SignOutEverywhereRequest;

use crate::fixture::answered;
use crate::sessions::{is_over, signed_in};

#[tokio::test]
async fn everywhere_is_here_too_and_at_once() {
    let (auth, here) = signed_in().await;
    let there = auth.token_elsewhere().await;
    let request = SignOutEverywhereRequest { token: here.clone() };
    answered(auth.client().sign_out_everywhere(request).await).unwrap();
    assert!(is_over(&auth, &here).await && is_over(&auth, &there).await);
}

use chrono::TimeDelta;

use crate::fixture::{Auth, ada, eventually, token};
use crate::sessions::issue_access_token::{is_over, issue, keys, signed_in};

#[tokio::test]
async fn keys_change_and_the_next_one_is_public_before_it_signs() {
    let auth = Auth::start_with(&[("AUTH_SIGNING_KEY_SECS", "86400")]).await;
    let session = token(&auth.register(ada()).await.unwrap());
    let before = keys(&auth).await;
    assert_eq!(before.len(), 1);

    auth.test.clock().advance(TimeDelta::minutes(22 * 60 + 5));
    eventually(async || {
        auth.test.clock().advance(TimeDelta::minutes(1));
        keys(&auth).await.len() == 2
    })
    .await;
    let signed = issue(&auth, &session).await.unwrap();
    auth.test.clock().advance(TimeDelta::hours(2));
    assert!(is_over(&auth, &signed).await);
    let signed = issue(&auth, &session).await.unwrap();
    assert!(!is_over(&auth, &signed).await);
    eventually(async || {
        auth.test.clock().advance(TimeDelta::minutes(1));
        !keys(&auth).await.contains(&before[0])
    })
    .await;
}

#[tokio::test]
async fn another_secret_makes_a_new_key_and_the_old_tokens_stay_good() {
    let (auth, session) = signed_in().await;
    let signed = issue(&auth, &session).await.unwrap();
    let auth = auth
        .restart_with(&[("AUTH_SIGNING_SECRET", "another secret")])
        .await;
    assert_eq!(keys(&auth).await.len(), 2);
    assert!(!is_over(&auth, &signed).await);
    let fresh = issue(&auth, &session).await.unwrap();
    assert!(!is_over(&auth, &fresh).await);
}

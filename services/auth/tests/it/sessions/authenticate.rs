use chrono::TimeDelta;

use crate::fixture::{Auth, ada, token};

const UNKNOWN_TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn tokens_that_were_never_given_out_are_refused() {
    let auth = Auth::start().await;
    for text in ["", "abc", UNKNOWN_TOKEN, "' or 1=1 --"] {
        assert_eq!(
            auth.authenticate(text).await.unwrap_err().code,
            "SESSION_EXPIRED",
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_unused_session_ends() {
    let auth = Auth::start_with(&[("AUTH_SESSION_TTL_SECS", "3600")]).await;
    let token = token(&auth.register(ada()).await.unwrap());

    auth.test.clock().advance(TimeDelta::minutes(60));
    assert_eq!(
        auth.authenticate(&token).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

#[tokio::test]
async fn a_session_in_use_goes_on_until_its_longest_age() {
    let settings = [
        ("AUTH_SESSION_TTL_SECS", "3600"),
        ("AUTH_SESSION_MAX_AGE_SECS", "7200"),
    ];
    let auth = Auth::start_with(&settings).await;
    let token = token(&auth.register(ada()).await.unwrap());
    let opened_at = auth.test.clock().now();

    for _ in 0..3 {
        auth.test.clock().advance(TimeDelta::minutes(39));
        let authenticated = auth.authenticate(&token).await.unwrap();
        let expires_at = authenticated.expires_at.unwrap();
        assert!(expires_at.seconds <= (opened_at + TimeDelta::hours(2)).timestamp());
    }
    auth.test.clock().advance(TimeDelta::minutes(4));
    assert_eq!(
        auth.authenticate(&token).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

#[tokio::test]
async fn sessions_that_are_over_are_deleted_in_time() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    auth.sign_in("ada@example.com", "not the password")
        .await
        .unwrap_err();

    auth.test.clock().advance(TimeDelta::days(31));
    for _ in 0..100 {
        if auth.count("select count(*) from session").await == 0
            && auth.count("select count(*) from sign_in_attempt").await == 0
        {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("expired rows are still there");
}

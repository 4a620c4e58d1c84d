use std::time::Duration;

use chrono::TimeDelta;

use crate::account::reset_password::{EMAIL, UNKNOWN, time_of, with_account};
use crate::fixture::{Auth, PASSWORD, ada};

#[tokio::test]
async fn known_and_unknown_addresses_leave_the_same_rows_and_answers() {
    let auth = with_account().await;
    let rows = async || {
        let links = auth.count("select count(*) from account_link").await;
        let mails = auth.count("select count(*) from mail_outbox").await;
        let counted = auth.count("select count(*) from sign_in_attempt").await;
        (
            links,
            mails,
            counted,
            auth.count("select count(*) from outbox").await,
        )
    };
    let before = rows().await;
    auth.forgot(EMAIL).await.unwrap();
    let known = rows().await;
    auth.forgot(UNKNOWN).await.unwrap();
    let unknown = rows().await;
    assert_eq!(
        (
            known.0 - before.0,
            known.1 - before.1,
            known.2 - before.2,
            known.3 - before.3
        ),
        (
            unknown.0 - known.0,
            unknown.1 - known.1,
            unknown.2 - known.2,
            unknown.3 - known.3
        )
    );

    let events = auth
        .test
        .events("stillpoint.auth.password_reset.requested", 2)
        .await;
    // They are about two people, so the stream may have them in any order.
    let mut users: Vec<&str> = events
        .iter()
        .map(|event| {
            event
                .data
                .get("userId")
                .and_then(|id| id.as_str())
                .unwrap_or_default()
        })
        .collect();
    users.sort_unstable();
    assert_eq!(users[0], "");
    assert!(users[1].starts_with("usr_"));
    let stored: String = sqlx::query_scalar("select string_agg(t::text, ' ') from mail_outbox t")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(
        !stored.contains("example.com"),
        "no address lies in the outbox: {stored}"
    );
}

#[tokio::test]
async fn known_and_unknown_addresses_take_the_same_time() {
    let auth = Auth::start_with(&[("AUTH_LINK_MAILS", "1000")]).await;
    auth.register(ada()).await.unwrap();
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for _ in 0..40 {
        known.push(time_of(&auth, EMAIL).await);
        unknown.push(time_of(&auth, UNKNOWN).await);
    }
    known.sort();
    unknown.sort();
    let (known, unknown) = (known[20], unknown[20]);
    assert!(
        known < unknown * 2 && unknown < known * 2,
        "known {known:?}, unknown {unknown:?}"
    );
}

#[tokio::test]
async fn a_mailbox_gets_three_links_an_hour() {
    let auth = with_account().await;
    for email in [EMAIL, UNKNOWN] {
        for _ in 0..3 {
            auth.forgot(email).await.unwrap();
        }
        let refused = auth.forgot(email).await.unwrap_err();
        assert_eq!(refused.code, "TOO_MANY_ATTEMPTS");
        assert_eq!(refused.retry_after, Some(Duration::from_hours(1)));
    }
    auth.test.clock().advance(TimeDelta::hours(1));
    auth.forgot(EMAIL).await.unwrap();
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn an_address_that_cannot_be_one_is_named() {
    let auth = Auth::start().await;
    let refused = auth.forgot("a@").await.unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.fields[0].field.as_str()),
        ("VALIDATION_FAILED", "email")
    );
}

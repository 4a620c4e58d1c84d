use chrono::TimeDelta;
use proto::auth::v1::Caller;

use crate::fixture::PASSWORD;
use crate::sessions::{EMAIL, PHONE, devices, signed_in};

#[tokio::test]
async fn devices_are_listed_coarsely_and_latest_first() {
    let (auth, here) = signed_in().await;
    let phone = Caller {
        user_agent: PHONE.to_owned(),
        address: "203.0.113.7".to_owned(),
        device_cookie: String::new(),
        ..Caller::default()
    };
    auth.test.clock().advance(TimeDelta::minutes(90));
    let there = auth
        .sign_in_from(EMAIL, PASSWORD, phone)
        .await
        .unwrap()
        .session
        .unwrap()
        .token;

    let list = devices(&auth, &here).await;
    assert_eq!(list.len(), 2);
    assert_eq!(
        (
            list[0].browser.as_str(),
            list[0].system.as_str(),
            list[0].is_current
        ),
        ("Chrome", "Android", false)
    );
    assert!(list[1].is_current);
    assert_eq!(list[0].signed_in_at.unwrap().seconds % 3600, 0);
    assert!(devices(&auth, &there).await[0].is_current);

    let stored: String = sqlx::query_scalar("select string_agg(t::text, ' ') from session t")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(
        !stored.contains("Mozilla") && !stored.contains("203.0.113"),
        "{stored}"
    );
}

#[tokio::test]
async fn the_latest_use_is_seen_by_the_hour() {
    let (auth, here) = signed_in().await;
    let first_seen = devices(&auth, &here).await[0].last_seen_at.unwrap();
    auth.test.clock().advance(TimeDelta::hours(3));
    auth.authenticate(&here).await.unwrap();
    let seen = devices(&auth, &here).await[0].last_seen_at.unwrap();
    assert_eq!(seen.seconds - first_seen.seconds, 3 * 3600);
}

use crate::sessions::redeem_handoff_token::{issue, signed_in};

#[tokio::test]
async fn issued_only_to_members_and_for_known_purposes() {
    let (auth, session) = signed_in().await;
    assert_eq!(
        issue(&auth, "nonsense", "chat").await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    assert_eq!(
        issue(&auth, &session, "admin").await.unwrap_err().fields[0].field,
        "purpose"
    );
    let handoff = issue(&auth, &session, "therapy").await.unwrap().handoff_token;
    assert_eq!(
        auth.authenticate(&handoff).await.unwrap_err().code,
        "SESSION_EXPIRED",
        "it is no session"
    );
    let stored: String = sqlx::query_scalar("select string_agg(t::text, ' ') from handoff_token t")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(!stored.contains(&handoff));
}

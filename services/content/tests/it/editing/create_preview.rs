use proto::content::v1::draft_body::Content;

use crate::editing::get_preview::{create, look};
use crate::fixture::{database, fields, heading, page, publish, save, start_editing};

#[tokio::test]
async fn the_table_holds_no_token() {
    let (host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let created = create(&mut editor, 60).await.unwrap();
    assert!(created.token.len() * 4 >= 128, "{}", created.token.len());
    let rows: Vec<String> = sqlx::query_scalar("select preview::text from preview")
        .fetch_all(&mut database(&host).await)
        .await
        .unwrap();
    assert!(!rows[0].contains(&created.token));
}

#[tokio::test]
async fn there_must_be_something_to_see_for_a_reasonable_time() {
    let (_host, mut client, mut editor) = start_editing().await;
    assert_eq!(create(&mut editor, 60).await.unwrap_err().code, "DRAFT_NOT_FOUND");
    publish(&mut client, page("/calm", "en", "calm")).await;
    let created = create(&mut editor, 60).await.unwrap();
    let seen = look(&mut client, &created.token).await.unwrap();
    assert_eq!(
        heading(&seen.page.unwrap()),
        "calm",
        "what is published, without a draft"
    );
    for ttl_secs in [-1, 59, 604_801] {
        assert_eq!(
            fields(&create(&mut editor, ttl_secs).await.unwrap_err()),
            ["ttlSecs"]
        );
    }
}

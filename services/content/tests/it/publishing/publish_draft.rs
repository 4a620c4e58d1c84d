use kit::error::Kind;
use proto::content::v1::draft_body::Content;
use proto::content::v1::{PublishDraftRequest, SaveDraftRequest};
use serde_json::json;

use crate::fixture::{
    answer, block, body, fields, get, heading, of_page, page, publish, save, start_editing, try_get,
    try_publish_draft,
};

#[tokio::test]
async fn a_draft_goes_live_and_is_closed() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let published = try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap();
    assert!(published.changed);
    let shown = get(&mut client, "/calm", "en").await;
    assert_eq!(
        (heading(&shown), shown.snapshot_id),
        ("calm".to_owned(), published.snapshot_id)
    );
    let events = host.events("stillpoint.content.page.published", 1).await;
    assert_eq!(events[0].subject.as_deref(), Some("en:/calm"));

    let again = try_publish_draft(&mut editor, of_page("/calm", "en"), 2)
        .await
        .unwrap_err();
    assert_eq!(again.code, "DRAFT_NOT_FOUND");
}

#[tokio::test]
async fn an_invalid_draft_stays_a_draft() {
    let (_host, mut client, mut editor) = start_editing().await;
    let mut invalid = page("/calm", "en", "calm");
    invalid.sections.push(block("Hero", &json!({})));
    save(&mut editor, Content::Page(invalid), 0).await;
    let failure = try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.kind, fields(&failure)),
        (Kind::Invalid, vec!["sections[2].title"])
    );
    assert_eq!(
        try_get(&mut client, "/calm", "en").await.unwrap_err().code,
        "PAGE_NOT_FOUND"
    );
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 1).await;
    assert!(
        try_publish_draft(&mut editor, of_page("/calm", "en"), 2)
            .await
            .unwrap()
            .changed
    );
}

#[tokio::test]
async fn publishing_an_unseen_revision_is_rejected() {
    let (_host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    save(&mut editor, Content::Page(page("/calm", "en", "calmer")), 1).await;
    let failure = try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap_err();
    assert_eq!(failure.code, "STALE_DRAFT");
    assert!(try_get(&mut client, "/calm", "en").await.is_err());
}

#[tokio::test]
async fn what_was_published_past_the_draft_is_not_overwritten_unseen() {
    let (_host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    save(&mut editor, Content::Page(page("/calm", "en", "mine")), 0).await;
    let hotfix = publish(&mut client, page("/calm", "en", "hotfix")).await;
    let failure = try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap_err();
    assert_eq!(failure.code, "STALE_DRAFT");
    let title = failure
        .fields
        .iter()
        .find(|error| error.field == "seo.title")
        .unwrap();
    assert_eq!(title.message, "About calm → About hotfix");

    let seen = SaveDraftRequest {
        body: body(Content::Page(page("/calm", "en", "mine"))),
        expected_revision: 1,
        base_snapshot_id: hotfix.snapshot_id,
        ..SaveDraftRequest::default()
    };
    answer(editor.save_draft(seen).await).unwrap();
    assert!(
        try_publish_draft(&mut editor, of_page("/calm", "en"), 2)
            .await
            .is_ok()
    );
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "mine");
}

#[tokio::test]
async fn a_repeat_with_its_key_publishes_once() {
    let (host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let request = || PublishDraftRequest {
        item: of_page("/calm", "en"),
        expected_revision: 1,
        idempotency_key: "k1".to_owned(),
    };
    let first = answer(editor.publish_draft(request()).await).unwrap();
    let again = answer(editor.publish_draft(request()).await).unwrap();
    assert_eq!(first, again);
    let events = host.events("stillpoint.content.page.published", 1).await;
    assert_eq!(events[0].data["snapshotId"], first.snapshot_id);
}

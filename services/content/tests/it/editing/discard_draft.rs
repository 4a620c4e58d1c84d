use kit::error::Kind;
use proto::content::v1::draft_body::Content;
use proto::content::v1::{DiscardDraftRequest, GetDraftRequest};

use crate::fixture::{answer, of_page, page, publish, save, start_editing, try_save};

fn discard(expected_revision: i64) -> DiscardDraftRequest {
    DiscardDraftRequest {
        item: of_page("/calm", "en"),
        expected_revision,
        ..DiscardDraftRequest::default()
    }
}

#[tokio::test]
async fn what_is_discarded_is_gone_and_its_revision_never_comes_again() {
    let (_host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    save(&mut editor, Content::Page(page("/calm", "en", "calmer")), 0).await;
    let revision = editor
        .discard_draft(discard(1))
        .await
        .unwrap()
        .into_inner()
        .revision;
    assert_eq!(revision, 2);

    let item = of_page("/calm", "en");
    let found = editor
        .get_draft(GetDraftRequest { item })
        .await
        .unwrap()
        .into_inner();
    assert_eq!(found.draft.unwrap().saved_at, None, "what is published again");
    let late = Content::Page(page("/calm", "en", "late"));
    let failure = try_save(&mut editor, late.clone(), 1).await.unwrap_err();
    assert_eq!(failure.code, "STALE_DRAFT");
    let title = failure
        .fields
        .iter()
        .find(|error| error.field == "seo.title")
        .unwrap();
    assert_eq!(title.message, "About calmer → About calm");
    assert_eq!(
        failure.fields.len(),
        2,
        "only the words changed: {:?}",
        failure.fields
    );
    save(&mut editor, late, 2).await;
}

#[tokio::test]
async fn discarding_an_unseen_revision_is_rejected() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    save(&mut editor, Content::Page(page("/calm", "en", "calmer")), 1).await;
    let failure = answer(editor.discard_draft(discard(1)).await).unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (Kind::Conflict, "STALE_DRAFT")
    );
    editor.discard_draft(discard(2)).await.unwrap();
    let nothing = answer(editor.discard_draft(discard(3)).await).unwrap_err();
    assert_eq!(nothing.code, "DRAFT_NOT_FOUND");
}

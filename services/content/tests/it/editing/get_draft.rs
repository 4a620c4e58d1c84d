use proto::content::v1::draft_body::Content;
use proto::content::v1::{Draft, GetDraftRequest, PublishPageRequest};

use crate::fixture::{Editor, answer, of_page, page, publish, save, start_editing};

async fn draft(editor: &mut Editor, url_path: &str) -> Draft {
    let item = of_page(url_path, "en");
    let response = editor.get_draft(GetDraftRequest { item }).await;
    response.unwrap().into_inner().draft.unwrap()
}

fn content(draft: Draft) -> PublishPageRequest {
    match draft.body.unwrap().content.unwrap() {
        Content::Page(page) => page,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_editor_gets_back_what_was_saved() {
    let (host, _client, mut editor) = start_editing().await;
    let mut whole = page("/calm", "en", "calm");
    whole.sections[0].id = "top".to_owned();
    save(&mut editor, Content::Page(whole.clone()), 0).await;
    let found = draft(&mut editor, "/calm").await;
    assert_eq!(
        (found.revision, found.saved_at),
        (1, Some(host.clock().now().into()))
    );
    assert_eq!(found.errors, []);
    assert_eq!(content(found), whole);
}

#[tokio::test]
async fn without_a_draft_an_editor_starts_from_what_is_published() {
    let (_host, mut client, mut editor) = start_editing().await;
    let published = publish(&mut client, page("/calm", "en", "calm")).await;
    let found = draft(&mut editor, "/calm").await;
    assert_eq!(
        (found.revision, found.saved_at, found.base_snapshot_id.as_str()),
        (0, None, published.snapshot_id.as_str())
    );
    let start = content(found);
    assert_eq!(start.sections[0].id, "heading-1");
    let again = publish(&mut client, start).await;
    assert!(!again.changed, "unchanged it is what readers have");
}

#[tokio::test]
async fn missing_draft_is_not_found() {
    let (_host, _client, mut editor) = start_editing().await;
    let item = of_page("/calm", "en");
    let failure = answer(editor.get_draft(GetDraftRequest { item }).await).unwrap_err();
    assert_eq!(failure.code, "DRAFT_NOT_FOUND");
}

use proto::content::v1::ListDraftsRequest;
use proto::content::v1::draft_body::Content;

use crate::fixture::{page, save, start_editing};

#[tokio::test]
async fn open_drafts_are_listed_piece_by_piece() {
    let (_host, _client, mut editor) = start_editing().await;
    for (path, locale) in [("/b", "en"), ("/a", "tr"), ("/a", "en")] {
        save(&mut editor, Content::Page(page(path, locale, "x")), 0).await;
    }
    let mut seen = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListDraftsRequest {
            page_size: 2,
            page_token,
            ..ListDraftsRequest::default()
        };
        let list = editor.list_drafts(request).await.unwrap().into_inner();
        for draft in list.drafts {
            let item = draft.item.unwrap();
            seen.push(format!("{} {}", item.locale, item.name));
        }
        page_token = list.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["en /a", "tr /a", "en /b"]);
    let turkish = ListDraftsRequest {
        locale: "tr".to_owned(),
        ..ListDraftsRequest::default()
    };
    assert_eq!(
        editor
            .list_drafts(turkish)
            .await
            .unwrap()
            .into_inner()
            .drafts
            .len(),
        1
    );
}

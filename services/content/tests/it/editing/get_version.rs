use proto::content::v1::GetVersionRequest;
use proto::content::v1::draft_body::Content;

use crate::fixture::{answer, of_page, page, publish, start_editing};

#[tokio::test]
async fn earlier_version_is_returned_as_a_draft() {
    let (_host, mut client, mut editor) = start_editing().await;
    for text in ["one", "two"] {
        publish(&mut client, page("/calm", "en", text)).await;
    }
    let request = GetVersionRequest {
        item: of_page("/calm", "en"),
        version: 1,
    };
    let first = answer(editor.get_version(request).await).unwrap();
    let Content::Page(body) = first.body.unwrap().content.unwrap() else {
        panic!("a page")
    };
    assert_eq!(body.seo.unwrap().title, "About one");
}

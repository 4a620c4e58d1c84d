use proto::content::v1::draft_body::Content;
use proto::content::v1::{Item, Release, RemoveFromReleaseRequest};

use crate::fixture::{Editor, answer, of_page, page, save, start_editing};
use crate::publishing::publish_release::release;

pub async fn remove(editor: &mut Editor, release: &Release, items: Vec<Option<Item>>) -> Release {
    let request = RemoveFromReleaseRequest {
        release_id: release.release_id.clone(),
        items: items.into_iter().flatten().collect(),
    };
    answer(editor.remove_from_release(request).await)
        .unwrap()
        .release
        .unwrap()
}

#[tokio::test]
async fn removed_items_leave_the_others_in_the_release() {
    let (_host, _client, mut editor) = start_editing().await;
    for path in ["/one", "/two"] {
        save(&mut editor, Content::Page(page(path, "en", "calm")), 0).await;
    }
    let autumn = release(&mut editor, vec![of_page("/one", "en"), of_page("/two", "en")]).await;
    let rest = remove(
        &mut editor,
        &autumn,
        vec![of_page("/one", "en"), of_page("/no", "en")],
    )
    .await;
    assert_eq!(rest.items, of_page("/two", "en").into_iter().collect::<Vec<_>>());
}

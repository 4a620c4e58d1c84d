use kit::error::Failure;
use proto::content::v1::{AddToReleaseRequest, Item, Release};

use crate::fixture::{Editor, answer, fields, of_page, start_editing};
use crate::publishing::create_release::create;

pub async fn add(
    editor: &mut Editor,
    release: &Release,
    items: Vec<Option<Item>>,
) -> Result<Release, Failure> {
    let request = AddToReleaseRequest {
        release_id: release.release_id.clone(),
        items: items.into_iter().flatten().collect(),
    };
    answer(editor.add_to_release(request).await).map(|response| response.release.unwrap())
}

#[tokio::test]
async fn only_items_with_a_draft_can_join() {
    let (_host, _client, mut editor) = start_editing().await;
    let created = create(&mut editor).await;
    let failure = add(&mut editor, &created, vec![of_page("/one", "en")])
        .await
        .unwrap_err();
    assert_eq!(fields(&failure), ["items[en /one]"]);
}

use kit::error::{Failure, Kind};
use proto::content::v1::draft_body::Content;
use proto::content::v1::{GetReleaseRequest, Release};

use crate::fixture::{Editor, answer, of_page, page, save, start_editing};
use crate::publishing::publish_release::release;

pub async fn get_release(editor: &mut Editor, release_id: &str) -> Result<Release, Failure> {
    let request = GetReleaseRequest {
        release_id: release_id.to_owned(),
    };
    answer(editor.get_release(request).await).map(|response| response.release.unwrap())
}

#[tokio::test]
async fn release_is_returned_with_its_items_and_an_unknown_one_is_not_found() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/one", "en", "one")), 0).await;
    let autumn = release(&mut editor, vec![of_page("/one", "en")]).await;
    let found = get_release(&mut editor, &autumn.release_id).await.unwrap();
    assert_eq!(found, autumn);
    let unknown = "rel_00000000000000000000000000000000";
    let missing = get_release(&mut editor, unknown).await.unwrap_err();
    assert_eq!(missing.kind, Kind::NotFound);
}

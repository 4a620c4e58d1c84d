use proto::content::v1::{CreateReleaseRequest, Release};

use crate::fixture::{Editor, answer, fields, start_editing};

pub async fn create(editor: &mut Editor) -> Release {
    let request = CreateReleaseRequest {
        name: "Autumn".to_owned(),
        ..CreateReleaseRequest::default()
    };
    answer(editor.create_release(request).await)
        .unwrap()
        .release
        .unwrap()
}

#[tokio::test]
async fn a_repeat_with_its_key_creates_one_release_and_a_name_is_required() {
    let (_host, _client, mut editor) = start_editing().await;
    let request = CreateReleaseRequest {
        name: "Autumn".to_owned(),
        idempotency_key: "k1".to_owned(),
    };
    let created = answer(editor.create_release(request.clone()).await)
        .unwrap()
        .release
        .unwrap();
    let same = answer(editor.create_release(request).await)
        .unwrap()
        .release
        .unwrap();
    assert_eq!(created, same);
    let nameless = answer(editor.create_release(CreateReleaseRequest::default()).await).unwrap_err();
    assert_eq!(fields(&nameless), ["name"]);
}

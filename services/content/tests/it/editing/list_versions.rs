use proto::content::v1::{ListVersionsRequest, Version};

use crate::fixture::{Editor, answer, of_page, page, publish, start_editing};

pub async fn list(editor: &mut Editor, page_size: i32, before_version: i32) -> Vec<Version> {
    let request = ListVersionsRequest {
        item: of_page("/calm", "en"),
        page_size,
        before_version,
    };
    answer(editor.list_versions(request).await).unwrap().versions
}

#[tokio::test]
async fn every_publish_is_a_version_of_its_item_alone() {
    let (_host, mut client, mut editor) = start_editing().await;
    for text in ["one", "two", "two", "three"] {
        publish(&mut client, page("/calm", "en", text)).await;
    }
    publish(&mut client, page("/calm", "tr", "bir")).await;
    let numbers = |versions: &[Version]| -> Vec<(i32, bool)> {
        versions
            .iter()
            .map(|version| (version.version, version.current))
            .collect()
    };
    let newest = list(&mut editor, 2, 0).await;
    assert_eq!(numbers(&newest), [(3, true), (2, false)]);
    assert_eq!(numbers(&list(&mut editor, 2, 2).await), [(1, false)]);
}

use proto::content::v1::RestoreVersionRequest;

use crate::editing::diff_versions::diff;
use crate::editing::list_versions::list;
use crate::fixture::{answer, database, get, heading, of_page, page, publish, start_editing};

fn restore(version: i32) -> RestoreVersionRequest {
    RestoreVersionRequest {
        item: of_page("/calm", "en"),
        version,
        ..RestoreVersionRequest::default()
    }
}

#[tokio::test]
async fn an_old_version_comes_back_as_a_new_one() {
    let (host, mut client, mut editor) = start_editing().await;
    for text in ["one", "two"] {
        publish(&mut client, page("/calm", "en", text)).await;
    }
    let restored = answer(editor.restore_version(restore(1)).await).unwrap();
    assert!(restored.changed);
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "one");
    let versions = list(&mut editor, 0, 0).await;
    assert_eq!((versions.len(), versions[0].version), (3, 3));
    assert_eq!(diff(&mut editor, 1, 3).await.changes, []);
    host.events("stillpoint.content.page.published", 3).await;

    let same = answer(editor.restore_version(restore(1)).await).unwrap();
    assert!(!same.changed, "readers have it already");
    let missing = answer(editor.restore_version(restore(9)).await).unwrap_err();
    assert_eq!(missing.code, "VERSION_NOT_FOUND");
}

/// As after an upgrade that dropped a block type.
#[tokio::test]
async fn a_version_that_no_longer_holds_the_rules_is_not_restored() {
    let (host, mut client, mut editor) = start_editing().await;
    for text in ["one", "two"] {
        publish(&mut client, page("/calm", "en", text)).await;
    }
    let mut tables = database(&host).await;
    sqlx::raw_sql(
        "alter table snapshot disable trigger snapshot_immutable;
         update snapshot set document = replace(document, 'MarkdownText', 'Hologram') where version = 1",
    )
    .execute(&mut tables)
    .await
    .unwrap();
    let failure = answer(editor.restore_version(restore(1)).await).unwrap_err();
    assert_eq!(failure.code, "VALIDATION_FAILED");
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "two");
}

use proto::content::v1::draft_body::Content;
use proto::content::v1::{
    ChangeKind, DiffVersionsRequest, DiffVersionsResponse, GetVersionRequest, ListVersionsRequest,
    RestoreVersionRequest, Version,
};
use serde_json::json;

use crate::fixture::{Editor, answer, block, database, get, heading, of_page, page, publish, start_editing};

async fn list(editor: &mut Editor, page_size: i32, before_version: i32) -> Vec<Version> {
    let request = ListVersionsRequest {
        item: of_page("/calm", "en"),
        page_size,
        before_version,
    };
    answer(editor.list_versions(request).await).unwrap().versions
}

async fn diff(editor: &mut Editor, from_version: i32, to_version: i32) -> DiffVersionsResponse {
    let request = DiffVersionsRequest {
        item: of_page("/calm", "en"),
        from_version,
        to_version,
    };
    answer(editor.diff_versions(request).await).unwrap()
}

fn restore(version: i32) -> RestoreVersionRequest {
    RestoreVersionRequest {
        item: of_page("/calm", "en"),
        version,
        ..RestoreVersionRequest::default()
    }
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

#[tokio::test]
async fn two_versions_differ_readably() {
    let (_host, mut client, mut editor) = start_editing().await;
    let mut first = page("/calm", "en", "calm");
    for (section, id) in first.sections.iter_mut().zip(["head", "body"]) {
        section.id = id.to_owned();
    }
    let mut second = first.clone();
    second.sections[1].props_json = json!({"markdown": "*Calmer*"}).to_string();
    second.sections.swap(0, 1);
    let mut plan = block("Heading", &json!({"text": "New"}));
    plan.id = "new".to_owned();
    second.sections.push(plan);
    publish(&mut client, first).await;
    publish(&mut client, second).await;

    let changes = diff(&mut editor, 1, 2).await.changes;
    let listed: Vec<(ChangeKind, &str, &str, &str)> = changes
        .iter()
        .map(|change| {
            (
                change.kind(),
                change.field.as_str(),
                change.before.as_str(),
                change.after.as_str(),
            )
        })
        .collect();
    assert!(
        listed.contains(&(
            ChangeKind::Changed,
            "sections[body].markdown",
            "*Calm*",
            "*Calmer*"
        )),
        "{listed:?}"
    );
    assert!(
        listed.contains(&(ChangeKind::Added, "sections[new]", "", "Heading: New")),
        "{listed:?}"
    );
    assert_eq!(
        listed
            .iter()
            .filter(|change| change.0 == ChangeKind::Moved)
            .count(),
        1
    );
    assert_eq!(listed.len(), 3, "{listed:?}");
    let back = diff(&mut editor, 2, 1).await.changes;
    assert!(back.iter().any(|change| change.kind() == ChangeKind::Removed));
    assert_eq!(diff(&mut editor, 2, 2).await.changes, []);
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

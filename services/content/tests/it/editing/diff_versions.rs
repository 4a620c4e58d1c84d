use proto::content::v1::{ChangeKind, DiffVersionsRequest, DiffVersionsResponse};
use serde_json::json;

use crate::fixture::{Editor, answer, block, of_page, page, publish, start_editing};

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

pub async fn diff(editor: &mut Editor, from_version: i32, to_version: i32) -> DiffVersionsResponse {
    let request = DiffVersionsRequest {
        item: of_page("/calm", "en"),
        from_version,
        to_version,
    };
    answer(editor.diff_versions(request).await).unwrap()
}

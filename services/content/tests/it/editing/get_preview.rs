use chrono::TimeDelta;
use kit::error::Failure;
use proto::content::v1::draft_body::Content;
use proto::content::v1::{
    CreatePreviewRequest, CreatePreviewResponse, GetPreviewRequest, GetPreviewResponse, PageForm,
};
use serde_json::{Value, json};

use crate::fixture::{
    Client, Editor, answer, block, error_fields, get, heading, page, publish, save, start_editing,
};

pub async fn create(editor: &mut Editor, ttl_secs: i32) -> Result<CreatePreviewResponse, Failure> {
    let request = CreatePreviewRequest {
        url_path: "/calm".to_owned(),
        locale: "en".to_owned(),
        ttl_secs,
    };
    answer(editor.create_preview(request).await)
}

pub async fn look(client: &mut Client, token: &str) -> Result<GetPreviewResponse, Failure> {
    let request = GetPreviewRequest {
        token: token.to_owned(),
        ..GetPreviewRequest::default()
    };
    answer(client.get_preview(request).await)
}

#[tokio::test]
async fn who_holds_the_token_sees_the_draft_as_far_as_it_can_be_shown() {
    let (host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    let mut unfinished = page("/calm", "en", "calmer");
    unfinished.sections.push(block("Hero", &json!({})));
    unfinished.sections.push(block("Hologram", &json!({})));
    save(&mut editor, Content::Page(unfinished), 0).await;
    let created = create(&mut editor, 0).await.unwrap();
    assert_eq!(
        created.expires_at,
        Some((host.clock().now() + TimeDelta::hours(1)).into())
    );

    let seen = look(&mut client, &created.token).await.unwrap();
    let shown = seen.page.unwrap();
    let kinds: Vec<&str> = shown
        .sections
        .iter()
        .map(|block| block.component_name.as_str())
        .collect();
    assert_eq!(kinds, ["Heading", "MarkdownText", "Hero"]);
    assert_eq!(
        (heading(&shown).as_str(), shown.snapshot_id.as_str()),
        ("calmer", "")
    );
    assert_eq!(shown.available_locales, ["en"]);
    assert_eq!(error_fields(&seen.errors), ["sections[2].title", "sections[3]"]);
    let document: Value = serde_json::from_slice(&seen.document).unwrap();
    assert_eq!(document["sections"][1]["html"], "<p><em>Calm</em></p>");
    assert_eq!(
        heading(&get(&mut client, "/calm", "en").await),
        "calm",
        "readers without the link see the published page"
    );

    let request = GetPreviewRequest {
        token: created.token,
        form: PageForm::Document.into(),
    };
    let fast = client.get_preview(request).await.unwrap().into_inner();
    assert_eq!(
        (fast.document, fast.page.unwrap().sections),
        (seen.document, vec![])
    );
}

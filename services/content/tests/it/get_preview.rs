use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::content::v1::draft_body::Content;
use proto::content::v1::{
    CreatePreviewRequest, CreatePreviewResponse, GetPreviewRequest, GetPreviewResponse, PageForm,
    RevokePreviewRequest,
};
use serde_json::{Value, json};

use crate::fixture::{
    Client, Editor, answer, block, database, fault_fields, fields, get, heading, page, publish, save,
    start_editing,
};

async fn create(editor: &mut Editor, ttl_secs: i32) -> Result<CreatePreviewResponse, Failure> {
    let request = CreatePreviewRequest {
        url_path: "/calm".to_owned(),
        locale: "en".to_owned(),
        ttl_secs,
    };
    answer(editor.create_preview(request).await)
}

async fn look(client: &mut Client, token: &str) -> Result<GetPreviewResponse, Failure> {
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
    assert_eq!(fault_fields(&seen.faults), ["sections[2].title", "sections[3]"]);
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

#[tokio::test]
async fn a_token_works_until_it_expires_or_is_revoked() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let revoked = create(&mut editor, 600).await.unwrap();
    let expiring = create(&mut editor, 600).await.unwrap();
    assert_ne!(revoked.token, expiring.token);
    let request = RevokePreviewRequest {
        preview_id: revoked.preview_id,
    };
    editor.revoke_preview(request).await.unwrap();
    let gone = look(&mut client, &revoked.token).await.unwrap_err();
    assert_eq!(
        (gone.kind, gone.code.as_str()),
        (Kind::NotFound, "PREVIEW_NOT_FOUND")
    );

    host.clock().advance(TimeDelta::seconds(599));
    assert!(look(&mut client, &expiring.token).await.is_ok());
    host.clock().advance(TimeDelta::seconds(1));
    let expired = look(&mut client, &expiring.token).await.unwrap_err();
    assert_eq!(expired, gone, "expired and revoked are not distinguished");
    assert_eq!(look(&mut client, "").await.unwrap_err(), gone);
}

#[tokio::test]
async fn the_table_holds_no_token() {
    let (host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let created = create(&mut editor, 60).await.unwrap();
    assert!(created.token.len() * 4 >= 128, "{}", created.token.len());
    let rows: Vec<String> = sqlx::query_scalar("select preview::text from preview")
        .fetch_all(&mut database(&host).await)
        .await
        .unwrap();
    assert!(!rows[0].contains(&created.token));
}

#[tokio::test]
async fn there_must_be_something_to_see_for_a_reasonable_time() {
    let (_host, mut client, mut editor) = start_editing().await;
    assert_eq!(create(&mut editor, 60).await.unwrap_err().code, "DRAFT_NOT_FOUND");
    publish(&mut client, page("/calm", "en", "calm")).await;
    let created = create(&mut editor, 60).await.unwrap();
    let seen = look(&mut client, &created.token).await.unwrap();
    assert_eq!(
        heading(&seen.page.unwrap()),
        "calm",
        "what is published, without a draft"
    );
    for ttl_secs in [-1, 59, 604_801] {
        assert_eq!(
            fields(&create(&mut editor, ttl_secs).await.unwrap_err()),
            ["ttlSecs"]
        );
    }
}

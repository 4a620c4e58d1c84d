use kit::error::Kind;
use proto::content::v1::SaveDraftRequest;
use proto::content::v1::draft_body::Content;
use serde_json::json;
use tokio::task::JoinSet;

use crate::fixture::{
    answer, block, body, chrome, error_fields, fields, get, heading, of_page, page, publish, record, save,
    start_editing, try_publish_draft, try_save,
};

#[tokio::test]
async fn draft_with_errors_is_saved_and_its_errors_are_returned() {
    let (_host, _client, mut editor) = start_editing().await;
    let mut unfinished = page("/calm", "en", "calm");
    unfinished.template = String::new();
    unfinished.sections.push(block("Hero", &json!({})));
    let saved = save(&mut editor, Content::Page(unfinished), 0).await;
    assert_eq!(saved.revision, 1);
    assert_eq!(error_fields(&saved.errors), ["template", "sections[2].title"]);
}

#[tokio::test]
async fn readers_see_nothing_of_a_draft() {
    let (_host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    save(&mut editor, Content::Page(page("/calm", "en", "calmer")), 0).await;
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "calm");
}

#[tokio::test]
async fn stale_save_returns_what_changed() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let mut theirs = page("/calm", "en", "calmer");
    theirs.seo.as_mut().unwrap().description = "New".to_owned();
    theirs.sections.swap(0, 1);
    theirs.sections[0].id = "words".to_owned();
    save(&mut editor, Content::Page(theirs), 1).await;

    let mine = Content::Page(page("/calm", "en", "mine"));
    let failure = try_save(&mut editor, mine.clone(), 1).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (Kind::Conflict, "STALE_DRAFT")
    );
    assert!(failure.message.contains("revision 2"), "{}", failure.message);
    let of_field = |field: &str| failure.fields.iter().find(|error| error.field == field);
    let title = of_field("seo.title").unwrap();
    assert_eq!(
        (title.code.as_str(), title.message.as_str()),
        ("CHANGED", "About calm → About calmer")
    );
    assert_eq!(of_field("seo.description").unwrap().message, "added: New");
    assert_eq!(save(&mut editor, mine, 2).await.revision, 3);
}

#[tokio::test]
async fn save_after_a_publish_returns_what_went_live() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    save(&mut editor, Content::Page(page("/calm", "en", "calmer")), 1).await;
    let published = try_publish_draft(&mut editor, of_page("/calm", "en"), 2)
        .await
        .unwrap();
    assert_eq!(published.revision, 3);

    let late = Content::Page(page("/calm", "en", "late"));
    let failure = try_save(&mut editor, late.clone(), 1).await.unwrap_err();
    assert!(fields(&failure).contains(&"seo.title"), "{failure:?}");
    assert_eq!(save(&mut editor, late, 3).await.revision, 4);
}

#[tokio::test]
async fn of_concurrent_saves_one_succeeds_and_the_others_are_stale() {
    let (_host, _client, editor) = start_editing().await;
    let mut editors = JoinSet::new();
    for text in ["one", "two", "three"] {
        let mut editor = editor.clone();
        let content = Content::Page(page("/calm", "en", text));
        editors.spawn(async move { try_save(&mut editor, content, 0).await });
    }
    let (saved, refused): (Vec<_>, Vec<_>) = editors.join_all().await.into_iter().partition(Result::is_ok);
    assert_eq!((saved.len(), refused.len()), (1, 2));
    assert!(
        refused
            .iter()
            .all(|answer| answer.as_ref().unwrap_err().code == "STALE_DRAFT")
    );
}

#[tokio::test]
async fn a_repeat_with_its_key_is_answered_alike_and_another_body_is_refused() {
    let (_host, _client, mut editor) = start_editing().await;
    let request = |text: &str| SaveDraftRequest {
        body: body(Content::Page(page("/calm", "en", text))),
        idempotency_key: "k1".to_owned(),
        ..SaveDraftRequest::default()
    };
    let first = answer(editor.save_draft(request("calm")).await).unwrap();
    let again = answer(editor.save_draft(request("calm")).await).unwrap();
    assert_eq!((first.revision, again.revision), (1, 1));
    let other = answer(editor.save_draft(request("other")).await).unwrap_err();
    assert_eq!(
        (other.kind, other.code.as_str()),
        (Kind::Conflict, "IDEMPOTENCY_CONFLICT")
    );
}

#[tokio::test]
async fn chrome_and_records_have_drafts_too() {
    let (_host, mut client, mut editor) = start_editing().await;
    let hero = json!({"section": {"componentName": "Heading", "text": "Breathe"}});
    save(&mut editor, Content::Chrome(chrome("tr", "Nefes")), 0).await;
    save(
        &mut editor,
        Content::Record(record("HeroComponent", "home", "tr", &hero)),
        0,
    )
    .await;
    let chrome_item = crate::fixture::of_chrome("tr");
    let record_item = crate::fixture::of_record("HeroComponent/home", "tr");
    assert!(
        try_publish_draft(&mut editor, chrome_item, 1)
            .await
            .unwrap()
            .changed
    );
    assert!(
        try_publish_draft(&mut editor, record_item, 1)
            .await
            .unwrap()
            .changed
    );
    let request = proto::content::v1::GetChromeRequest {
        locale: "tr".to_owned(),
    };
    assert!(client.get_chrome(request).await.is_ok());
}

#[tokio::test]
async fn draft_without_content_is_rejected() {
    let (_host, _client, mut editor) = start_editing().await;
    let nowhere = Content::Page(page("calm", "xx", "calm"));
    let failure = try_save(&mut editor, nowhere, 0).await.unwrap_err();
    assert_eq!(
        (failure.kind, fields(&failure)),
        (Kind::Invalid, vec!["urlPath", "locale"])
    );
    let mut broken = page("/calm", "en", "calm");
    broken.sections[1].props_json = "[".to_owned();
    let failure = try_save(&mut editor, Content::Page(broken), 0).await.unwrap_err();
    assert_eq!(fields(&failure), ["sections[1]"]);
    let empty = answer(editor.save_draft(SaveDraftRequest::default()).await).unwrap_err();
    assert_eq!(fields(&empty), ["body"]);
}

use std::cell::Cell;
use std::collections::BTreeMap;

use kit::error::Failure;
use proptest::prelude::*;
use proto::content::v1::draft_body::Content;
use proto::content::v1::{
    Draft, GetDraftRequest, RestoreVersionRequest, SaveDraftRequest, SaveDraftResponse, UnpublishRequest,
};
use serde_json::json;

use crate::fixture::{
    Client, Editor, answer, body, chrome, get, heading, of_chrome, of_page, page, publish, save,
    start_editing, try_get, try_publish_draft, try_save,
};

fn unpublish(url_path: &str, locale: &str) -> UnpublishRequest {
    UnpublishRequest {
        item: of_page(url_path, locale),
        ..UnpublishRequest::default()
    }
}

#[tokio::test]
async fn readers_of_the_locale_get_english_again_and_an_event_is_emitted() {
    let (host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    publish(&mut client, page("/calm", "tr", "sakin")).await;
    let gone = answer(editor.unpublish(unpublish("/calm", "tr")).await).unwrap();
    assert!(gone.changed);
    let shown = get(&mut client, "/calm", "tr").await;
    assert_eq!(
        (shown.content_locale.as_str(), shown.available_locales),
        ("en", vec!["en".to_owned()])
    );
    let events = host.events("stillpoint.content.page.unpublished", 1).await;
    assert_eq!(events[0].data, json!({"urlPath": "/calm", "locale": "tr"}));
    assert_eq!(events[0].subject.as_deref(), Some("tr:/calm"));

    let again = answer(editor.unpublish(unpublish("/calm", "tr")).await).unwrap();
    assert!(!again.changed);
    answer(editor.unpublish(unpublish("/calm", "en")).await).unwrap();
    assert!(try_get(&mut client, "/calm", "tr").await.is_err());
}

async fn draft(editor: &mut Editor) -> Result<Draft, Failure> {
    let request = GetDraftRequest {
        item: of_page("/calm", "en"),
    };
    answer(editor.get_draft(request).await).map(|answer| answer.draft.unwrap())
}

/// As an editor's program does: upon what it has read.
async fn save_upon(editor: &mut Editor, read: &Draft, text: &str) -> Result<SaveDraftResponse, Failure> {
    let request = SaveDraftRequest {
        body: body(Content::Page(page("/calm", "en", text))),
        expected_revision: read.revision,
        base_snapshot_id: read.base_snapshot_id.clone(),
        ..SaveDraftRequest::default()
    };
    answer(editor.save_draft(request).await)
}

#[tokio::test]
async fn unpublished_page_is_drafted_and_published_again() {
    let (_host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    let before = draft(&mut editor).await.unwrap();
    let first = save_upon(&mut editor, &before, "calmer").await.unwrap();
    try_publish_draft(&mut editor, of_page("/calm", "en"), first.revision)
        .await
        .unwrap();
    answer(editor.unpublish(unpublish("/calm", "en")).await).unwrap();

    let read = draft(&mut editor).await.unwrap();
    assert_eq!((read.base_snapshot_id.as_str(), read.saved_at), ("", None));
    let Some(Content::Page(last)) = read.body.clone().and_then(|body| body.content) else {
        panic!("the draft is no page");
    };
    assert_eq!(last.seo.unwrap().title, "About calmer", "what was published last");
    let saved = save_upon(&mut editor, &read, "back").await.unwrap();
    let published = try_publish_draft(&mut editor, of_page("/calm", "en"), saved.revision).await;
    assert!(published.unwrap().changed);
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "back");
}

#[tokio::test]
async fn a_first_save_after_unpublishing_is_a_first_save() {
    let (_host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap();
    let unseen = try_save(&mut editor, Content::Page(page("/calm", "en", "unseen")), 0).await;
    assert_eq!(unseen.unwrap_err().code, "STALE_DRAFT");
    answer(editor.unpublish(unpublish("/calm", "en")).await).unwrap();
    let saved = save(&mut editor, Content::Page(page("/calm", "en", "back")), 0).await;
    assert_eq!(saved.revision, 3);
    try_publish_draft(&mut editor, of_page("/calm", "en"), 3)
        .await
        .unwrap();
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "back");
}

#[tokio::test]
async fn an_open_draft_outlives_unpublishing_and_who_does_not_know_is_refused_once() {
    let (_host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    let read = draft(&mut editor).await.unwrap();
    let open = save_upon(&mut editor, &read, "calmer").await.unwrap();
    answer(editor.unpublish(unpublish("/calm", "en")).await).unwrap();

    let unaware = try_publish_draft(&mut editor, of_page("/calm", "en"), open.revision).await;
    assert_eq!(unaware.unwrap_err().code, "STALE_DRAFT");
    assert!(try_get(&mut client, "/calm", "en").await.is_err());
    let read = draft(&mut editor).await.unwrap();
    assert_eq!(
        (read.revision, read.base_snapshot_id.as_str()),
        (open.revision + 1, "")
    );
    let saved = save_upon(&mut editor, &read, "back").await.unwrap();
    try_publish_draft(&mut editor, of_page("/calm", "en"), saved.revision)
        .await
        .unwrap();
    assert_eq!(heading(&get(&mut client, "/calm", "en").await), "back");
}

#[tokio::test]
async fn a_save_upon_a_version_that_was_unpublished_is_stale() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    try_publish_draft(&mut editor, of_page("/calm", "en"), 1)
        .await
        .unwrap();
    let read = draft(&mut editor).await.unwrap();
    answer(editor.unpublish(unpublish("/calm", "en")).await).unwrap();
    let refused = save_upon(&mut editor, &read, "back").await.unwrap_err();
    assert_eq!(refused.code, "STALE_DRAFT");
    let read = draft(&mut editor).await.unwrap();
    assert!(save_upon(&mut editor, &read, "back").await.is_ok());
}

#[tokio::test]
async fn a_locale_can_give_up_its_own_chrome() {
    let (host, mut client, mut editor) = start_editing().await;
    client.publish_chrome(chrome("tr", "Nefes")).await.unwrap();
    let request = UnpublishRequest {
        item: of_chrome("tr"),
        ..UnpublishRequest::default()
    };
    assert!(answer(editor.unpublish(request).await).unwrap().changed);
    host.events("stillpoint.content.chrome.unpublished", 1).await;
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Publish(u8),
    Restore(i32),
    Unpublish,
}

fn steps() -> impl Strategy<Value = Vec<(&'static str, Step)>> {
    let step = prop_oneof![
        3 => (0..4_u8).prop_map(Step::Publish),
        2 => (1..5_i32).prop_map(Step::Restore),
        1 => Just(Step::Unpublish),
    ];
    prop::collection::vec((prop::sample::select(&["en", "tr", "ar"][..]), step), 1..14)
}

/// What a locale has ever published, oldest first, and what of it readers see.
#[derive(Default)]
struct Locale {
    versions: Vec<String>,
    shown: Option<String>,
}

impl Locale {
    fn put_live(&mut self, text: String) {
        if self.shown.as_ref() != Some(&text) {
            self.versions.push(text.clone());
            self.shown = Some(text);
        }
    }
}

struct Clients {
    client: Client,
    editor: Editor,
}

async fn take(clients: &mut Clients, path: &str, locale: &str, step: Step, model: &mut Locale) {
    let Clients { client, editor } = clients;
    match step {
        Step::Publish(number) => {
            let text = format!("{locale} {number}");
            publish(client, page(path, locale, &text)).await;
            model.put_live(text);
        }
        Step::Unpublish => {
            let answered = answer(editor.unpublish(unpublish(path, locale)).await).unwrap();
            assert_eq!(answered.changed, model.shown.take().is_some());
        }
        Step::Restore(version) => {
            let request = RestoreVersionRequest {
                item: of_page(path, locale),
                version,
                ..RestoreVersionRequest::default()
            };
            let known = usize::try_from(version - 1)
                .ok()
                .and_then(|at| model.versions.get(at).cloned());
            let restored = answer(editor.restore_version(request).await);
            assert_eq!(restored.is_ok(), known.is_some());
            if let Some(text) = known {
                model.put_live(text);
            }
        }
    }
}

/// Whatever is published, restored and unpublished in whatever order: every locale shows what was last done there.
#[test]
fn what_is_done_in_one_locale_never_touches_another() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (_host, client, editor) = runtime.block_on(start_editing());
    let case = Cell::new(0);
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(steps in steps())| {
        case.set(case.get() + 1);
        let path = format!("/case-{}", case.get());
        let mut clients = Clients {
            client: client.clone(),
            editor: editor.clone(),
        };
        runtime.block_on(async {
            let mut models: BTreeMap<&str, Locale> = BTreeMap::new();
            for (locale, step) in steps {
                let model = models.entry(locale).or_default();
                take(&mut clients, &path, locale, step, model).await;
                for (locale, model) in &models {
                    let shown = try_get(&mut clients.client, &path, locale).await.ok();
                    let own = shown.filter(|page| page.content_locale == *locale);
                    assert_eq!(own.map(|page| heading(&page)), model.shown.clone());
                }
            }
        });
    });
}

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proto::content::v1::{RestoreVersionRequest, UnpublishRequest};
use serde_json::json;

use crate::fixture::{
    Client, Editor, answer, chrome, get, heading, of_chrome, of_page, page, publish, start_editing, try_get,
};

fn unpublish(url_path: &str, locale: &str) -> UnpublishRequest {
    UnpublishRequest {
        item: of_page(url_path, locale),
        ..UnpublishRequest::default()
    }
}

#[tokio::test]
async fn readers_of_the_locale_get_english_again_and_the_house_is_told() {
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

async fn take(
    (client, editor): (&mut Client, &mut Editor),
    path: &str,
    (locale, step): (&str, Step),
    model: &mut Locale,
) {
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
        let (mut client, mut editor) = (client.clone(), editor.clone());
        runtime.block_on(async {
            let mut models: BTreeMap<&str, Locale> = BTreeMap::new();
            for (locale, step) in steps {
                let model = models.entry(locale).or_default();
                take((&mut client, &mut editor), &path, (locale, step), model).await;
                for (locale, model) in &models {
                    let shown = try_get(&mut client, &path, locale).await.ok();
                    let own = shown.filter(|page| page.content_locale == *locale);
                    assert_eq!(own.map(|page| heading(&page)), model.shown.clone());
                }
            }
        });
    });
}

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::TimeDelta;
use kit::error::Kind;
use proto::content::v1::draft_body::Content;
use proto::content::v1::schedule_publish_request::What;
use proto::content::v1::{Item, PublishReleaseRequest, Release, SchedulePublishRequest};
use serde_json::json;

use crate::fixture::{
    Editor, answer, block, chrome, database, fields, get, heading, of_chrome, of_page, page, publish, save,
    start_editing, try_get,
};
use crate::publishing::add_to_release::add;
use crate::publishing::create_release::create;
use crate::publishing::get_release::get_release;
use crate::publishing::remove_from_release::remove;

pub async fn release(editor: &mut Editor, items: Vec<Option<Item>>) -> Release {
    let created = create(editor).await;
    add(editor, &created, items).await.unwrap()
}

fn publish_it(release: &Release) -> PublishReleaseRequest {
    PublishReleaseRequest {
        release_id: release.release_id.clone(),
        ..PublishReleaseRequest::default()
    }
}

#[tokio::test]
async fn all_members_go_live_with_an_event_each_and_one_for_the_release() {
    let (host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/same", "en", "same")).await;
    save(&mut editor, Content::Page(page("/same", "en", "same")), 0).await;
    save(&mut editor, Content::Page(page("/one", "en", "one")), 0).await;
    save(&mut editor, Content::Page(page("/one", "tr", "bir")), 0).await;
    save(&mut editor, Content::Chrome(chrome("en", "Autumn")), 0).await;
    let items = vec![
        of_page("/same", "en"),
        of_page("/one", "en"),
        of_page("/one", "tr"),
        of_chrome("en"),
    ];
    let autumn = release(&mut editor, items).await;
    let published = answer(editor.publish_release(publish_it(&autumn)).await).unwrap();
    assert_eq!(published.changed, 3);
    assert_eq!(heading(&get(&mut client, "/one", "tr").await), "bir");

    let events = host.events("stillpoint.content.release.published", 1).await;
    assert_eq!(
        events[0].data,
        json!({
            "releaseId": autumn.release_id, "name": "Autumn",
            "items": ["en /one", "tr /one", "en navigation and footer"],
        })
    );
    host.events("stillpoint.content.page.published", 3).await;
    host.events("stillpoint.content.chrome.published", 1).await;

    let again = answer(editor.publish_release(publish_it(&autumn)).await).unwrap_err();
    assert_eq!(
        (again.kind, again.code.as_str()),
        (Kind::Refused, "RELEASE_PUBLISHED")
    );
}

#[tokio::test]
async fn one_invalid_member_keeps_all_back_and_every_error_is_named() {
    let (host, mut client, mut editor) = start_editing().await;
    publish(&mut client, page("/stale", "en", "old")).await;
    save(&mut editor, Content::Page(page("/stale", "en", "new")), 0).await;
    publish(&mut client, page("/stale", "en", "hotfix")).await;
    save(&mut editor, Content::Page(page("/good", "en", "good")), 0).await;
    let mut invalid = page("/faulty", "tr", "x");
    invalid.seo.as_mut().unwrap().title = String::new();
    invalid.sections.push(block("Hologram", &json!({})));
    save(&mut editor, Content::Page(invalid), 0).await;
    let items = vec![
        of_page("/stale", "en"),
        of_page("/good", "en"),
        of_page("/faulty", "tr"),
    ];
    let autumn = release(&mut editor, items).await;

    let failure = answer(editor.publish_release(publish_it(&autumn)).await).unwrap_err();
    assert_eq!(failure.kind, Kind::Invalid);
    assert_eq!(
        fields(&failure),
        [
            "items[tr /faulty].seo.title",
            "items[tr /faulty].sections[2]",
            "items[en /stale]",
        ]
    );
    assert!(
        try_get(&mut client, "/good", "en").await.is_err(),
        "nothing went live"
    );
    let written: i64 = sqlx::query_scalar("select count(*) from outbox")
        .fetch_one(&mut database(&host).await)
        .await
        .unwrap();
    assert_eq!(written, 2, "the two publishes before");

    let gone = vec![of_page("/stale", "en"), of_page("/faulty", "tr")];
    let rest = remove(&mut editor, &autumn, gone).await;
    assert_eq!(rest.items.len(), 1);
    assert_eq!(
        answer(editor.publish_release(publish_it(&rest)).await)
            .unwrap()
            .changed,
        1
    );
    assert_eq!(heading(&get(&mut client, "/good", "en").await), "good");
}

/// Once a reader has seen one new page, every page read after it is new.
#[tokio::test]
async fn a_reader_never_sees_half_a_release() {
    const PAGES: usize = 12;
    let (_host, mut client, mut editor) = start_editing().await;
    let paths: Vec<String> = (0..PAGES).map(|number| format!("/page-{number}")).collect();
    let mut items = Vec::new();
    for path in &paths {
        publish(&mut client, page(path, "en", "old")).await;
        save(&mut editor, Content::Page(page(path, "en", "new")), 0).await;
        items.push(of_page(path, "en"));
    }
    let autumn = release(&mut editor, items).await;
    let done = Arc::new(AtomicBool::new(false));
    let (first_read, reading) = tokio::sync::oneshot::channel();
    let reader = tokio::spawn({
        let (mut client, done, paths) = (client.clone(), Arc::clone(&done), paths.clone());
        async move {
            let mut first_read = Some(first_read);
            let mut seen_new = false;
            while !done.load(Ordering::SeqCst) {
                for path in &paths {
                    let is_new = heading(&get(&mut client, path, "en").await) == "new";
                    assert!(is_new || !seen_new, "{path} is old after a new page was seen");
                    seen_new |= is_new;
                }
                if let Some(first_read) = first_read.take() {
                    first_read.send(()).unwrap();
                }
            }
        }
    });
    reading.await.unwrap();
    answer(editor.publish_release(publish_it(&autumn)).await).unwrap();
    for path in &paths {
        assert_eq!(heading(&get(&mut client, path, "en").await), "new");
    }
    done.store(true, Ordering::SeqCst);
    reader.await.unwrap();
}

#[tokio::test]
async fn a_release_goes_live_at_its_time_and_only_whole() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/one", "en", "one")), 0).await;
    save(&mut editor, Content::Page(page("/two", "en", "two")), 0).await;
    let autumn = release(&mut editor, vec![of_page("/one", "en"), of_page("/two", "en")]).await;
    let plan = SchedulePublishRequest {
        what: Some(What::ReleaseId(autumn.release_id.clone())),
        local_time: "2026-11-20T08:00".to_owned(),
        time_zone: "America/New_York".to_owned(),
        ..SchedulePublishRequest::default()
    };
    answer(editor.schedule_publish(plan).await).unwrap();
    host.clock().advance(TimeDelta::hours(1));
    host.events("stillpoint.content.release.published", 1).await;
    for (path, text) in [("/one", "one"), ("/two", "two")] {
        assert_eq!(heading(&get(&mut client, path, "en").await), text);
    }
    let out = get_release(&mut editor, &autumn.release_id).await.unwrap();
    assert_eq!(out.published_at, Some(host.clock().now().into()));
}

#[tokio::test]
async fn an_empty_release_is_rejected() {
    let (_host, _client, mut editor) = start_editing().await;
    let created = create(&mut editor).await;
    let failure = answer(editor.publish_release(publish_it(&created)).await).unwrap_err();
    assert_eq!(fields(&failure), ["items"]);
}

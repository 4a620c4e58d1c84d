use kit::error::Kind;
use serde_json::json;

use crate::fixture::{block, database, fields, get, heading, page, props, publish, start, try_get};

#[tokio::test]
async fn a_reader_gets_what_was_published() {
    let (host, mut client) = start().await;
    let published = publish(&mut client, page("/calm", "en", "calm")).await;

    let page = get(&mut client, "/calm", "en").await;
    assert_eq!(
        (
            page.url_path.as_str(),
            page.locale.as_str(),
            page.content_locale.as_str()
        ),
        ("/calm", "en", "en")
    );
    assert_eq!(
        (page.template.as_str(), page.page_type.as_str()),
        ("Page", "article")
    );
    assert_eq!(
        (page.class_name.as_str(), page.favicon.as_str()),
        ("wide", "/favicon.svg")
    );
    assert_eq!(page.seo.as_ref().unwrap().title, "About calm");
    assert_eq!(page.snapshot_id, published.snapshot_id);
    assert_eq!(page.published_at, Some(host.clock().now().into()));
    let kinds: Vec<(&str, &str)> = page
        .sections
        .iter()
        .map(|block| (block.id.as_str(), block.component_name.as_str()))
        .collect();
    assert_eq!(
        kinds,
        [("heading-1", "Heading"), ("markdown-text-1", "MarkdownText")]
    );
    assert_eq!(props(&page.sections[0]), json!({"text": "calm", "tag": "h2"}));
    assert_eq!(
        props(&page.sections[1]),
        json!({"markdown": "*Calm*", "html": "<p><em>Calm</em></p>"})
    );
}

#[tokio::test]
async fn a_locale_without_the_page_gets_the_english_sections() {
    let (_host, mut client) = start().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    publish(&mut client, page("/calm", "tr", "sakin")).await;

    let own = get(&mut client, "/calm", "tr").await;
    assert_eq!(
        (own.content_locale.as_str(), heading(&own).as_str()),
        ("tr", "sakin")
    );
    let lent = get(&mut client, "/calm", "ja").await;
    assert_eq!((lent.locale.as_str(), lent.content_locale.as_str()), ("ja", "en"));
    assert_eq!(heading(&lent), "calm");
    assert_eq!(lent.available_locales, ["en", "tr"]);
}

#[tokio::test]
async fn a_page_nobody_published_is_not_found() {
    let (_host, mut client) = start().await;
    publish(&mut client, page("/calm", "tr", "sakin")).await;
    for (path, locale) in [
        ("/other", "en"),
        ("/calm", "de"),
        ("no path", "en"),
        ("/calm/", "tr"),
        ("", "en"),
    ] {
        let failure = try_get(&mut client, path, locale).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::NotFound, "PAGE_NOT_FOUND"),
            "{path} {locale}"
        );
    }
}

#[tokio::test]
async fn an_unknown_locale_is_named() {
    let (_host, mut client) = start().await;
    for locale in ["xx", "EN", ""] {
        let failure = try_get(&mut client, "/", locale).await.unwrap_err();
        assert_eq!(
            (failure.kind, fields(&failure)),
            (Kind::Invalid, vec!["locale"]),
            "{locale:?}"
        );
    }
}

/// As after an upgrade that dropped a block type, or a hand in the table.
#[tokio::test]
async fn a_block_that_cannot_be_shown_does_not_break_its_page() {
    let (host, mut client) = start().await;
    let mut whole = page("/calm", "en", "calm");
    whole.sections.push(block("Heading", &json!({"text": "after"})));
    publish(&mut client, whole).await;
    let mut tables = database(&host).await;
    let broken = "update snapshot set document = replace(replace(document, 'MarkdownText', 'Hologram'),
                  '{\"text\":\"calm\"', '{\"text\":7')";
    sqlx::raw_sql("alter table snapshot disable trigger snapshot_never_changes")
        .execute(&mut tables)
        .await
        .unwrap();
    sqlx::query(broken).execute(&mut tables).await.unwrap();

    for _ in 0..2 {
        let page = get(&mut client, "/calm", "en").await;
        let ids: Vec<&str> = page.sections.iter().map(|block| block.id.as_str()).collect();
        assert_eq!(ids, ["heading-2"]);
    }
}

#[tokio::test]
async fn a_snapshot_cannot_be_changed() {
    let (host, mut client) = start().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    let mut tables = database(&host).await;
    let refused = sqlx::query("update snapshot set document = '{}'")
        .execute(&mut tables)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("never changes"), "{refused}");
}

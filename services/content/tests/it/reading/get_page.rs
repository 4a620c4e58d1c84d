use kit::error::Kind;
use proto::content::v1::{GetPageRequest, GetPageResponse, PageForm, seo};
use serde_json::json;

use crate::fixture::{
    Client, answer, block, database, fields, get, heading, page, props, publish, start, try_get,
};

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
async fn many_at_once_get_the_page_each_of_them_asked_for() {
    let (_host, mut client) = start().await;
    for number in 0..8 {
        let path = format!("/calm-{number}");
        publish(&mut client, page(&path, "en", &format!("calm {number}"))).await;
        publish(&mut client, page(&path, "tr", &format!("sakin {number}"))).await;
    }
    let asking = (0..200).map(|number| {
        let (mut client, locale) = (client.clone(), ["en", "tr", "de"][number % 3]);
        tokio::spawn(async move {
            let found = try_get(&mut client, &format!("/calm-{}", number % 9), locale).await;
            let expected = match (number % 9, locale) {
                (8, _) => Err("PAGE_NOT_FOUND".to_owned()),
                (number, "tr") => Ok(format!("sakin {number}")),
                (number, _) => Ok(format!("calm {number}")),
            };
            assert_eq!(
                found.map(|page| heading(&page)).map_err(|failure| failure.code),
                expected
            );
        })
    });
    for answered in asking.collect::<Vec<_>>() {
        answered.await.unwrap();
    }
}

#[tokio::test]
async fn unpublished_page_is_not_found() {
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
                  '\"text\":\"calm\"', '\"text\":7')";
    sqlx::raw_sql("alter table snapshot disable trigger snapshot_immutable")
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
    assert!(refused.to_string().contains("immutable"), "{refused}");
}

async fn in_form(client: &mut Client, form: PageForm) -> GetPageResponse {
    let request = GetPageRequest {
        url_path: "/calm".to_owned(),
        locale: "ja".to_owned(),
        form: form.into(),
    };
    client.get_page(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn the_document_is_ready_to_be_handed_on() {
    let (_host, mut client) = start().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    let whole = in_form(&mut client, PageForm::Unspecified).await;
    let fast = in_form(&mut client, PageForm::Document).await;
    assert_eq!(whole.document, fast.document);
    let expected = concat!(
        r#"{"urlPath":"/calm","contentLocale":"en","template":"Page","pageType":"article","className":"wide","#,
        r#""favicon":"/favicon.svg","seo":{"title":"About calm","description":"","noindex":false,"nofollow":false,"#,
        r#""imageUrl":"","canonicalPath":"","breadcrumbs":[],"speakable":[],"organization":false},"sections":["#,
        r#"{"__typename":"Heading","id":"heading-1","componentName":"Heading","text":"calm","tag":"h2"},"#,
        r#"{"__typename":"MarkdownText","id":"markdown-text-1","componentName":"MarkdownText","markdown":"*Calm*","#,
        r#""html":"<p><em>Calm</em></p>"}]}"#
    );
    assert_eq!(String::from_utf8(fast.document).unwrap(), expected);

    let (whole, fast) = (whole.page.unwrap(), fast.page.unwrap());
    assert_eq!(
        (whole.sections.len(), fast.sections.len(), fast.seo),
        (2, 0, None)
    );
    assert_eq!((fast.locale.as_str(), fast.content_locale.as_str()), ("ja", "en"));
    assert_eq!((fast.template, fast.page_type), (whole.template, whole.page_type));
    assert_eq!(
        (fast.snapshot_id, fast.published_at),
        (whole.snapshot_id, whole.published_at)
    );
}

/// As after an upgrade that gave a block a field it did not have.
#[tokio::test]
async fn an_old_page_gets_the_fields_that_came_later() {
    let (host, mut client) = start().await;
    publish(&mut client, page("/calm", "en", "calm")).await;
    sqlx::raw_sql(
        "alter table snapshot disable trigger snapshot_immutable;
         update snapshot set block_types = '', document = replace(document, ',\"tag\":\"h2\"', '');
         update page set content_hash = sha256(convert_to(snapshot.document, 'UTF8')) from snapshot",
    )
    .execute(&mut database(&host).await)
    .await
    .unwrap();
    for _ in 0..2 {
        let page = get(&mut client, "/calm", "en").await;
        assert_eq!(props(&page.sections[0]), json!({"text": "calm", "tag": "h2"}));
    }
}

#[tokio::test]
async fn a_full_head_reaches_the_reader() {
    let (_host, mut client) = start().await;
    let mut whole = page("/calm", "en", "calm");
    let seo = whole.seo.as_mut().unwrap();
    seo.canonical_path = "/quiet".to_owned();
    seo.speakable = vec![".lead".to_owned()];
    seo.how_to = Some(seo::HowTo {
        name: "Breathe".to_owned(),
        steps: vec!["In".to_owned(), "Out".to_owned()],
    });
    let given = whole.seo.clone();
    publish(&mut client, whole.clone()).await;
    assert_eq!(get(&mut client, "/calm", "en").await.seo, given);

    whole.seo.as_mut().unwrap().speakable = vec!["main".to_owned()];
    let failure = answer(client.publish_page(whole).await).unwrap_err();
    assert_eq!(fields(&failure), ["seo.speakable[0]"]);
}

use kit::error::{Failure, Kind};
use proto::content::v1::{ListPagesRequest, ListPagesResponse, PublishPageRequest, Seo};

use crate::fixture::{Client, fields, page, publish, start};

async fn list(client: &mut Client, request: ListPagesRequest) -> ListPagesResponse {
    client.list_pages(request).await.unwrap().into_inner()
}

fn names(answer: &ListPagesResponse) -> Vec<String> {
    answer
        .pages
        .iter()
        .map(|page| format!("{} {}", page.locale, page.url_path))
        .collect()
}

async fn publish_six(client: &mut Client) {
    for path in ["/b", "/a", "/"] {
        for locale in ["tr", "en"] {
            publish(client, page(path, locale, path)).await;
        }
    }
}

#[tokio::test]
async fn pages_come_by_path_and_locale_and_every_one_once() {
    let (_host, mut client) = start().await;
    publish_six(&mut client).await;
    let mut seen = Vec::new();
    let mut page_token = String::new();
    for expected in [4, 2] {
        let answer = list(
            &mut client,
            ListPagesRequest {
                page_size: 4,
                page_token,
                ..Default::default()
            },
        )
        .await;
        assert_eq!(answer.pages.len(), expected);
        seen.extend(names(&answer));
        page_token = answer.next_page_token;
    }
    assert_eq!(page_token, "", "the last answer says it is the last");
    assert_eq!(seen, ["en /", "tr /", "en /a", "tr /a", "en /b", "tr /b"]);
}

/// A page published during a listing neither shifts the list nor repeats a line.
#[tokio::test]
async fn a_page_published_in_between_shifts_nothing() {
    let (_host, mut client) = start().await;
    publish_six(&mut client).await;
    let first = list(
        &mut client,
        ListPagesRequest {
            page_size: 4,
            ..Default::default()
        },
    )
    .await;
    publish(&mut client, page("/a-first", "en", "new")).await;
    publish(&mut client, page("/", "de", "new")).await;
    let rest = ListPagesRequest {
        page_size: 4,
        page_token: first.next_page_token,
        ..Default::default()
    };
    assert_eq!(
        names(&list(&mut client, rest).await),
        ["en /a-first", "en /b", "tr /b"]
    );
}

#[tokio::test]
async fn a_list_can_be_of_one_locale_or_one_type() {
    let (_host, mut client) = start().await;
    publish_six(&mut client).await;
    let seo = Some(Seo {
        title: "Thanks".to_owned(),
        noindex: true,
        ..Seo::default()
    });
    let hidden = PublishPageRequest {
        page_type: "success".to_owned(),
        seo,
        ..page("/thanks", "en", "thanks")
    };
    publish(&mut client, hidden).await;

    let turkish = list(
        &mut client,
        ListPagesRequest {
            locale: "tr".to_owned(),
            ..Default::default()
        },
    )
    .await;
    assert_eq!(names(&turkish), ["tr /", "tr /a", "tr /b"]);
    let successes = list(
        &mut client,
        ListPagesRequest {
            page_type: "success".to_owned(),
            ..Default::default()
        },
    )
    .await;
    assert_eq!(names(&successes), ["en /thanks"]);
    assert!(successes.pages[0].noindex);
    assert_eq!(successes.pages[0].template, "Page");
}

#[tokio::test]
async fn invalid_filters_are_rejected_with_every_reason() {
    let (_host, mut client) = start().await;
    let request = ListPagesRequest {
        locale: "xx".to_owned(),
        page_token: "zz".to_owned(),
        page_size: 1001,
        ..Default::default()
    };
    let failure = Failure::from_status(&client.list_pages(request).await.unwrap_err());
    assert_eq!(
        (failure.kind, fields(&failure)),
        (Kind::Invalid, vec!["locale", "pageToken", "pageSize"])
    );
}

#[tokio::test]
async fn page_lists_its_canonical_path() {
    let (_host, mut client) = start().await;
    for (path, canonical) in [("/a", "/b"), ("/b", "/b"), ("/c", "")] {
        let seo = Seo {
            title: "A page".to_owned(),
            canonical_path: canonical.to_owned(),
            ..Seo::default()
        };
        let page = PublishPageRequest {
            seo: Some(seo),
            ..page(path, "en", "calm")
        };
        publish(&mut client, page).await;
    }
    let listed = list(&mut client, ListPagesRequest::default()).await.pages;
    let canonical: Vec<&str> = listed.iter().map(|page| page.canonical_path.as_str()).collect();
    assert_eq!(canonical, ["/b", "", ""]);
}

//! A running content service and the pages the tests publish in it.

use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::TestHost;
use proto::content::v1::content_service_client::ContentServiceClient;
use proto::content::v1::draft_body::Content;
use proto::content::v1::editing_service_client::EditingServiceClient;
use proto::content::v1::{
    Block, DraftBody, GetPageRequest, GetPageResponse, Item, ItemKind, Page, PublishChromeRequest,
    PublishDraftRequest, PublishDraftResponse, PublishPageRequest, PublishPageResponse, PublishRecordRequest,
    SaveDraftRequest, SaveDraftResponse, Seo,
};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tonic::Status;

pub type Client = ContentServiceClient<Rpc>;
pub type Editor = EditingServiceClient<Rpc>;

pub async fn start() -> (TestHost, Client) {
    let host = TestHost::start_for(&[content::definition()]).await;
    let client = run(&host).await;
    (host, client)
}

/// With an editor's way in.
pub async fn start_editing() -> (TestHost, Client, Editor) {
    let (host, client) = start().await;
    let editor = editor(&host);
    (host, client, editor)
}

pub fn editor(host: &TestHost) -> Editor {
    EditingServiceClient::new(host.context().directory.client("content"))
}

pub async fn run(host: &TestHost) -> Client {
    host.run(content::definition()).await;
    ContentServiceClient::new(host.context().directory.client("content"))
}

/// A way into the tables, for what no caller can do.
pub async fn database(host: &TestHost) -> PgConnection {
    let mut connection = PgConnection::connect(host.database_url()).await.unwrap();
    sqlx::query("set search_path = content")
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

pub fn block(component_name: &str, props: &Value) -> Block {
    Block {
        id: String::new(),
        component_name: component_name.to_owned(),
        props_json: props.to_string(),
    }
}

pub fn page(url_path: &str, locale: &str, text: &str) -> PublishPageRequest {
    PublishPageRequest {
        url_path: url_path.to_owned(),
        locale: locale.to_owned(),
        template: "Page".to_owned(),
        page_type: "article".to_owned(),
        class_name: "wide".to_owned(),
        favicon: "/favicon.svg".to_owned(),
        seo: Some(Seo {
            title: format!("About {text}"),
            ..Seo::default()
        }),
        sections: vec![
            block("Heading", &json!({"text": text})),
            block("MarkdownText", &json!({"markdown": "*Calm*"})),
        ],
    }
}

pub fn chrome(locale: &str, quote: &str) -> PublishChromeRequest {
    let logo = json!({"url": "/favicon.svg", "alt": "Stillpoint"});
    PublishChromeRequest {
        locale: locale.to_owned(),
        navigation: Some(block("Navigation", &json!({"logo": logo, "isMenu": true}))),
        footer: Some(block("Footer", &json!({"logo": logo, "quote": quote}))),
    }
}

pub async fn publish(client: &mut Client, page: PublishPageRequest) -> PublishPageResponse {
    client.publish_page(page).await.unwrap().into_inner()
}

pub async fn try_get(client: &mut Client, url_path: &str, locale: &str) -> Result<Page, Failure> {
    let request = GetPageRequest {
        url_path: url_path.to_owned(),
        locale: locale.to_owned(),
        ..GetPageRequest::default()
    };
    let response: Result<tonic::Response<GetPageResponse>, Status> = client.get_page(request).await;
    response
        .map(|response| response.into_inner().page.unwrap())
        .map_err(|status| Failure::from_status(&status))
}

pub async fn get(client: &mut Client, url_path: &str, locale: &str) -> Page {
    try_get(client, url_path, locale).await.unwrap()
}

/// The text of a page that [`page`] made.
pub fn heading(page: &Page) -> String {
    props(&page.sections[0])["text"].as_str().unwrap().to_owned()
}

pub fn props(block: &Block) -> Value {
    serde_json::from_str(&block.props_json).unwrap()
}

pub fn fields(failure: &Failure) -> Vec<&str> {
    failure.fields.iter().map(|error| error.field.as_str()).collect()
}

pub fn error_fields(errors: &[proto::content::v1::ValidationError]) -> Vec<&str> {
    errors.iter().map(|error| error.field.as_str()).collect()
}

pub fn record(kind: &str, id: &str, locale: &str, props: &Value) -> PublishRecordRequest {
    PublishRecordRequest {
        locale: locale.to_owned(),
        id: id.to_owned(),
        record: Some(block(kind, props)),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as requests hold it")]
pub fn of_page(url_path: &str, locale: &str) -> Option<Item> {
    Some(Item {
        kind: ItemKind::Page.into(),
        locale: locale.to_owned(),
        name: url_path.to_owned(),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "as requests hold it")]
pub fn of_chrome(locale: &str) -> Option<Item> {
    Some(Item {
        kind: ItemKind::Chrome.into(),
        locale: locale.to_owned(),
        name: String::new(),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "as requests hold it")]
pub fn of_record(key: &str, locale: &str) -> Option<Item> {
    Some(Item {
        kind: ItemKind::Record.into(),
        locale: locale.to_owned(),
        name: key.to_owned(),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "as requests hold it")]
pub fn body(content: Content) -> Option<DraftBody> {
    Some(DraftBody {
        content: Some(content),
    })
}

pub async fn try_save(
    editor: &mut Editor,
    content: Content,
    expected_revision: i64,
) -> Result<SaveDraftResponse, Failure> {
    let request = SaveDraftRequest {
        body: body(content),
        expected_revision,
        ..SaveDraftRequest::default()
    };
    answer(editor.save_draft(request).await)
}

pub async fn save(editor: &mut Editor, content: Content, expected_revision: i64) -> SaveDraftResponse {
    try_save(editor, content, expected_revision).await.unwrap()
}

pub async fn try_publish_draft(
    editor: &mut Editor,
    item: Option<Item>,
    expected_revision: i64,
) -> Result<PublishDraftResponse, Failure> {
    let request = PublishDraftRequest {
        item,
        expected_revision,
        ..PublishDraftRequest::default()
    };
    answer(editor.publish_draft(request).await)
}

pub fn answer<T>(response: Result<tonic::Response<T>, Status>) -> Result<T, Failure> {
    response
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

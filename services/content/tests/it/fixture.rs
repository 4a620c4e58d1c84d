//! A running content service and the pages the tests publish in it.

use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::TestHost;
use proto::content::v1::content_service_client::ContentServiceClient;
use proto::content::v1::{
    Block, GetPageRequest, GetPageResponse, Page, PublishChromeRequest, PublishPageRequest,
    PublishPageResponse, Seo,
};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tonic::Status;

pub type Client = ContentServiceClient<Rpc>;

pub async fn start() -> (TestHost, Client) {
    let host = TestHost::start().await;
    let client = run(&host).await;
    (host, client)
}

pub async fn run(host: &TestHost) -> Client {
    host.run(content::part()).await;
    ContentServiceClient::new(host.host().directory.client("content"))
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
    failure.fields.iter().map(|fault| fault.field.as_str()).collect()
}

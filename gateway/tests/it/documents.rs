//! What is written down is what is served.
use expect_test::expect_file;

use crate::site::{Site, body_of, header};

#[test]
fn exported_schema_is_the_one_in_the_code() {
    expect_file!["../../schema.graphql"].assert_eq(&gateway::schema_sdl());
}

#[tokio::test]
async fn api_describes_itself() {
    let site = Site::start().await;
    let document = body_of(site.get("/api/openapi.json").send().await.unwrap()).await;
    assert_eq!(document["openapi"], "3.1.0");
    let register = &document["paths"]["/api/auth/register"]["post"];
    assert_eq!(
        register["responses"]["409"]["content"]["application/problem+json"]["schema"]["$ref"],
        "#/components/schemas/Problem"
    );
    let readable = site.get("/api/docs").send().await.unwrap();
    assert_eq!(header(&readable, "content-type"), "text/html; charset=utf-8");
    assert!(
        readable
            .text()
            .await
            .unwrap()
            .contains("/api/create-subscription-fixed")
    );
    assert!(document["components"]["schemas"]["Registration"]["properties"]["email"]["example"].is_string());
}

#[tokio::test]
async fn event_stream_is_described() {
    let site = Site::start().await;
    let document = body_of(site.get("/api/asyncapi.json").send().await.unwrap()).await;
    assert_eq!(document["asyncapi"], "3.0.0");
    assert_eq!(
        document["channels"]["auth.user.registered"]["address"],
        "stillpoint.auth.user.registered"
    );
}

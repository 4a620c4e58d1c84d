//! What is written down is what is served.
use expect_test::expect_file;

use crate::site::{Site, body_of, header};

#[test]
fn exported_schema_is_the_one_in_the_code() {
    expect_file!["../../../schema.graphql"].assert_eq(&gateway::schema_sdl());
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

#[test]
fn description_of_the_api_is_whole() {
    let document = serde_json::to_value(gateway::openapi()).unwrap();
    let mut dangling = Vec::new();
    check_references(&document, &document, &mut dangling);
    assert_eq!(dangling, [""; 0]);
    let schemes = document["components"]["securitySchemes"].as_object().unwrap();
    let operations = document["paths"].as_object().unwrap().values();
    for operation in operations.flat_map(|item| item.as_object().unwrap().values()) {
        let needed = operation["security"].as_array().into_iter().flatten();
        for scheme in needed.flat_map(|needed| needed.as_object().unwrap().keys()) {
            assert!(schemes.contains_key(scheme), "{scheme} is not described");
        }
    }
}

fn check_references(node: &serde_json::Value, document: &serde_json::Value, dangling: &mut Vec<String>) {
    if let Some(reference) = node["$ref"].as_str()
        && document.pointer(reference.trim_start_matches('#')).is_none()
    {
        dangling.push(reference.to_owned());
    }
    let fields = node.as_object().into_iter().flat_map(serde_json::Map::values);
    let items = node.as_array().into_iter().flatten();
    fields
        .chain(items)
        .for_each(|inner| check_references(inner, document, dangling));
}

//! GraphQL over HTTP, case by case.
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::graphql::queries::{is_request_error, post, status_and_type};
use crate::site::{READ_TOKEN, Site, body_of, header};

const RESPONSE: &str = "application/graphql-response+json; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

#[tokio::test]
async fn accept_selects_the_media_type_by_quality_value() {
    let site = Site::start().await;
    for (accept, status, kind) in [
        ("application/graphql-response+json", 200, RESPONSE),
        ("application/graphql-response+json; charset=utf-8", 200, RESPONSE),
        ("application/json", 200, JSON),
        ("application/json; charset=utf-8, text/html", 200, JSON),
        (
            "application/graphql-response+json;q=0.4, application/json;q=0.5",
            200,
            JSON,
        ),
        (
            "application/json;q=0.9, application/graphql-response+json",
            200,
            RESPONSE,
        ),
        (
            "application/graphql-response+json, application/json;q=0.9",
            200,
            RESPONSE,
        ),
        ("text/html, */*;q=0.1", 200, JSON),
        ("*/*", 200, JSON),
        ("application/graphql-response+json, */*", 200, RESPONSE),
        ("application/*", 200, JSON),
        ("text/html", 406, JSON),
        ("application/json;q=0", 406, JSON),
        ("", 406, JSON),
    ] {
        let request = post(&site, &json!({"query": "{ __typename }"})).header("accept", accept);
        let (seen, seen_kind, body) = status_and_type(request).await;
        assert_eq!((seen, seen_kind.as_str()), (status, kind), "{accept}: {body}");
        assert_eq!(is_request_error(&body), status != 200, "{accept}: {body}");
    }
}

#[tokio::test]
async fn client_that_names_no_media_type_gets_json() {
    let site = Site::start().await;
    for query in ["{ __typename }", "{ nothing }"] {
        // The library sends `accept: */*` where a request sets none.
        let response = post(&site, &json!({"query": query})).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "content-type")),
            (200, JSON),
            "{query}"
        );
    }
}

fn is_error(body: &Value) -> bool {
    body.get("data").is_none() && body["errors"][0]["message"].is_string()
}

#[tokio::test]
async fn body_must_be_json_in_utf_8() {
    let site = Site::start().await;
    let send = |kind: &'static str, body: &'static str| {
        let request = site
            .request("POST", "/graphql")
            .header("authorization", READ_TOKEN);
        request.header("content-type", kind).body(body)
    };
    let good = r#"{"query": "{ __typename }"}"#;
    for kind in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=\"UTF-8\"",
    ] {
        assert_eq!(status_and_type(send(kind, good)).await.0, 200, "{kind}");
    }
    for kind in [
        "text/plain",
        "application/graphql",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin1",
    ] {
        let response = send(kind, good).send().await.unwrap();
        assert_eq!(response.status(), 415, "{kind}");
        assert_eq!(
            header(&response, "accept-post"),
            "application/json; charset=utf-8"
        );
        assert!(is_error(&body_of(response).await), "{kind}");
    }
    let without = site
        .request("POST", "/graphql")
        .header("authorization", READ_TOKEN)
        .body(good);
    assert_eq!(status_and_type(without).await.0, 415);
    let packed = send("application/json", good).header("content-encoding", "gzip");
    assert_eq!(status_and_type(packed).await.0, 415);
    for body in [
        "",
        " ",
        "null",
        "[]",
        r#"[{"query": "{ __typename }"}]"#,
        r#"{"query": null}"#,
        "\u{feff}{}",
    ] {
        let (status, kind, answer) = status_and_type(send("application/json", body)).await;
        assert_eq!((status, kind.as_str()), (400, RESPONSE), "{body}");
        assert!(is_error(&answer), "{body}");
    }
}

#[tokio::test]
async fn parameters_that_are_null_are_absent() {
    let site = Site::start().await;
    let body =
        json!({"query": "{ __typename }", "operationName": null, "variables": null, "extensions": null});
    let (status, _, answer) = status_and_type(post(&site, &body)).await;
    assert_eq!((status, answer), (200, json!({"data": {"__typename": "Query"}})));
}

#[tokio::test]
async fn operation_name_is_required_with_several_operations() {
    let site = Site::start().await;
    let query = "query A { a: __typename } query B { b: __typename }";
    let ask = async |name: Value| {
        status_and_type(post(&site, &json!({"query": query, "operationName": name}))).await
    };
    assert_eq!(ask(json!("B")).await.2, json!({"data": {"b": "Query"}}));
    assert_eq!(ask(json!("A")).await.2, json!({"data": {"a": "Query"}}));
    for name in [json!(null), json!("C")] {
        let (status, _, body) = ask(name.clone()).await;
        assert_eq!((status, is_error(&body)), (400, true), "{name}: {body}");
    }
}

#[tokio::test]
async fn method_not_allowed_names_the_allowed_methods() {
    let site = Site::start().await;
    for method in ["PUT", "PATCH", "DELETE"] {
        let request = site
            .request(method, "/graphql")
            .header("authorization", READ_TOKEN);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 405, "{method}");
        let allowed = header(&response, "allow");
        assert!(
            allowed.contains("GET") && allowed.contains("POST"),
            "{method}: {allowed}"
        );
    }
    let mutations = ["mutation { x }", "query A { __typename } mutation B { x }"];
    for (query, name) in mutations.into_iter().zip(["", "B"]) {
        let request = site
            .get("/graphql")
            .query(&[("query", query), ("operationName", name)]);
        let response = request.header("authorization", READ_TOKEN).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "allow")),
            (405, "POST"),
            "{query}"
        );
        assert!(is_error(&body_of(response).await));
    }
}

#[tokio::test]
async fn error_of_a_request_is_4xx_where_the_media_type_has_a_status_and_200_where_it_has_none() {
    let site = Site::start().await;
    for query in [
        "{",
        "",
        "{ nothing }",
        "query($x: Int!) { __typename }",
        "mutation { x }",
    ] {
        for (accept, status) in [
            ("application/graphql-response+json", 400),
            ("application/json", 200),
        ] {
            let status = if query.is_empty() { 400 } else { status };
            let request = post(&site, &json!({"query": query})).header("accept", accept);
            let (seen, _, body) = status_and_type(request).await;
            assert_eq!((seen, is_error(&body)), (status, true), "{query} {accept} {body}");
        }
    }
}

fn hashed(query: &str) -> Value {
    json!({"persistedQuery": {"version": 1, "sha256Hash": hex::encode(Sha256::digest(query))}})
}

#[tokio::test]
async fn persisted_query_is_sent_by_its_hash() {
    let site = Site::start().await;
    let query = "{ footer(locale: \"en\") { logo { alt } } }";
    let (_, _, unknown) = status_and_type(post(&site, &json!({"extensions": hashed(query)}))).await;
    assert_eq!(unknown["errors"][0]["message"], "PersistedQueryNotFound");
    assert_eq!(
        unknown["errors"][0]["extensions"]["code"],
        "PERSISTED_QUERY_NOT_FOUND"
    );
    let (_, _, stored) =
        status_and_type(post(&site, &json!({"query": query, "extensions": hashed(query)}))).await;
    assert_eq!(stored["data"]["footer"]["logo"]["alt"], "Stillpoint");
    for _ in 0..3 {
        let by_hash = site
            .get("/graphql")
            .query(&[("extensions", hashed(query).to_string())])
            .header("authorization", READ_TOKEN);
        assert_eq!(status_and_type(by_hash).await.2, stored);
    }
}

#[tokio::test]
async fn hash_that_does_not_fit_is_refused_and_nothing_stored_under_it() {
    let site = Site::start().await;
    let (query, other) = ("{ a: __typename }", "{ b: __typename }");
    let (status, _, _) =
        status_and_type(post(&site, &json!({"query": query, "extensions": hashed(other)}))).await;
    assert_eq!(status, 400);
    let (_, _, unknown) = status_and_type(post(&site, &json!({"extensions": hashed(other)}))).await;
    assert_eq!(unknown["errors"][0]["message"], "PersistedQueryNotFound");
    let broken = "{ nothing }";
    for body in [
        json!({"query": broken, "extensions": hashed(broken)}),
        json!({"extensions": hashed(broken)}),
    ] {
        assert_eq!(
            status_and_type(post(&site, &body)).await.0,
            400,
            "a query with errors is not kept"
        );
    }
}

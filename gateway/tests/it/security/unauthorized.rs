//! Every endpoint is tried without rights. An endpoint that is not in the table fails the test.
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::site::{Site, body_of};

/// What a stranger gets.
enum Stranger {
    /// A public endpoint: the status of a call with an empty body.
    Welcome(u16),
    /// 200 with code V100, as payment calls are specified to say it.
    Envelope,
    /// A problem with this status and code.
    Refused(u16, &'static str),
}
use Stranger::{Envelope, Refused, Welcome};

const TABLE: &[(&str, &str, Stranger)] = &[
    ("GET", "/api/auth/session", Welcome(200)),
    ("POST", "/api/auth/logout", Welcome(204)),
    ("POST", "/api/auth/register", Welcome(422)),
    ("POST", "/api/auth/login", Refused(401, "INVALID_CREDENTIALS")),
    ("POST", "/api/auth/social/nonce", Welcome(201)),
    (
        "POST",
        "/api/auth/social/apple",
        Refused(401, "SOCIAL_TOKEN_INVALID"),
    ),
    (
        "POST",
        "/api/auth/social/facebook",
        Refused(401, "SOCIAL_TOKEN_INVALID"),
    ),
    (
        "POST",
        "/api/auth/social/google",
        Refused(401, "SOCIAL_TOKEN_INVALID"),
    ),
    ("POST", "/api/auth/email-signup", Welcome(422)),
    ("POST", "/api/auth/forgot-password", Welcome(422)),
    ("POST", "/api/auth/reset-password", Refused(422, "LINK_EXPIRED")),
    ("POST", "/api/auth/confirm-email", Refused(422, "LINK_EXPIRED")),
    ("GET", "/api/auth/devices", Refused(401, "V100")),
    ("DELETE", "/api/auth/devices/{id}", Refused(401, "V100")),
    ("POST", "/api/auth/logout-everywhere", Refused(401, "V100")),
    ("POST", "/api/auth/handoff-tokens", Refused(401, "V100")),
    ("POST", "/api/auth/access-tokens", Refused(401, "V100")),
    ("GET", "/.well-known/jwks.json", Welcome(200)),
    ("GET", "/users/temporary-premium", Refused(401, "V100")),
    ("GET", "/api/users/details", Refused(401, "V100")),
    ("POST", "/validate-token", Welcome(200)),
    ("GET", "/api/account/export", Refused(401, "V100")),
    ("POST", "/api/account/erasure", Refused(401, "V100")),
    (
        "GET",
        "/api/account/erasures/{id}",
        Refused(404, "UNKNOWN_ERASURE"),
    ),
    ("POST", "/api/account/step-up", Refused(401, "V100")),
    ("POST", "/api/account/sessions/end", Refused(404, "LINK_INVALID")),
    ("GET", "/api/account/second-factor", Refused(401, "V100")),
    ("DELETE", "/api/account/second-factor", Refused(401, "V100")),
    ("POST", "/api/account/second-factor/enrol", Refused(401, "V100")),
    ("POST", "/api/account/second-factor/confirm", Refused(401, "V100")),
    (
        "POST",
        "/api/account/second-factor/recovery-codes",
        Refused(401, "V100"),
    ),
    (
        "POST",
        "/api/account/second-factor/verify",
        Refused(401, "CHALLENGE_EXPIRED"),
    ),
    ("GET", "/api/profile", Refused(401, "V100")),
    ("PUT", "/api/profile", Refused(401, "V100")),
    ("GET", "/api/country", Welcome(200)),
    ("GET", "/api/countries", Welcome(200)),
    ("GET", "/api/redirects", Welcome(422)),
    ("POST", "/api/survey/orders", Welcome(422)),
    ("GET", "/api/survey", Welcome(200)),
    ("PUT", "/api/survey/answers", Refused(404, "UNKNOWN_ORDER")),
    ("POST", "/api/survey/answers", Welcome(303)),
    ("POST", "/api/withdrawals", Welcome(422)),
    ("GET", "/api/openapi.json", Welcome(200)),
    ("GET", "/api/asyncapi.json", Welcome(200)),
    ("GET", "/api/docs", Welcome(200)),
    ("POST", "/external/samples", Welcome(200)),
    ("POST", "/v1/external/chats/ai", Welcome(422)),
    ("POST", "/api/web-campaign", Envelope),
    ("POST", "/api/web-campaign-landing", Welcome(200)),
    ("POST", "/bincheck", Welcome(422)),
    ("POST", "/api/create-subscription-fixed", Envelope),
    ("POST", "/api/subscriptions/confirm", Envelope),
    ("POST", "/api/subscriptions/meta-data", Envelope),
    ("POST", "/api/create-payment-intent", Envelope),
    ("POST", "/api/create-trial-price-intent", Envelope),
    // The envelope of payment calls: the code says why not.
    ("POST", "/api/gift/create-intent", Welcome(200)),
    ("POST", "/api/one-time/create-intent", Welcome(200)),
    ("POST", "/api/platron/transaction/create-gift", Welcome(422)),
    ("GET", "/api/addition/campaigns", Envelope),
    ("POST", "/api/addition/confirm", Envelope),
    ("POST", "/specialprogram/payment", Welcome(404)),
    ("POST", "/specialprogram/idupdate", Welcome(401)),
    ("GET", "/api/purchases", Refused(401, "V100")),
    ("GET", "/specialprogram/createsurveyplaylist", Welcome(401)),
    ("GET", "/api/subscriptions", Refused(401, "V100")),
    ("GET", "/api/subscriptions/{id}/plans", Refused(401, "V100")),
    (
        "POST",
        "/api/subscriptions/{id}/plan-preview",
        Refused(401, "V100"),
    ),
    ("POST", "/api/subscriptions/{id}/{action}", Refused(401, "V100")),
    ("POST", "/api/analytics/events", Welcome(202)),
    ("POST", "/api/analytics/special-program-events", Welcome(202)),
    ("POST", "/api/csp-reports", Welcome(415)),
    ("GET", "/api/analytics/summary", Refused(401, "UNAUTHENTICATED")),
    ("POST", "/api/paypal/customers/subscription", Envelope),
    ("GET", "/api/platron/transaction/success", Welcome(200)),
    ("GET", "/api/platron/transaction/error", Welcome(200)),
    ("POST", "/webhooks/stripe", Refused(400, "BAD_SIGNATURE")),
    ("POST", "/webhooks/paypal", Refused(400, "BAD_SIGNATURE")),
    ("POST", "/webhooks/yookassa", Refused(400, "BAD_SIGNATURE")),
    (
        "POST",
        "/webhooks/platron/{script}",
        Refused(400, "BAD_SIGNATURE"),
    ),
];

/// Not in the document, as they are no REST.
const BESIDE: &[(&str, &str, u16)] = &[("GET", "/graphql", 401), ("POST", "/graphql", 401)];

#[test]
fn every_endpoint_is_in_the_table() {
    let document = serde_json::to_value(gateway::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<(String, String)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .unwrap()
                .keys()
                .map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let tried: BTreeSet<_> = TABLE
        .iter()
        .map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    assert_eq!(described, tried);
}

#[tokio::test]
async fn visitor_gets_only_public_endpoints() {
    // Each public endpoint is called three times within a second.
    let site = Site::with(&[
        ("AUTH_RATE_PER_MINUTE", "1000"),
        ("GUESS_RATE_PER_MINUTE", "1000"),
        ("RATE_BURST", "1000"),
    ])
    .await;
    for (method, path, stranger) in TABLE {
        for cookie in ["", "stillpoint_session=", "stillpoint_session=dead"] {
            let request = site
                .request(method, path)
                .json(&json!({}))
                .header("cookie", cookie);
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            match stranger {
                Welcome(expected) => assert_eq!(status, *expected, "{method} {path}"),
                Envelope => {
                    let body = body_of(response).await;
                    assert_eq!(
                        (status, &body["code"], &body["data"]),
                        (200, &json!("V100"), &Value::Null),
                        "{method} {path}"
                    );
                }
                Refused(expected, code) => {
                    assert_eq!(
                        (status, &body_of(response).await["code"]),
                        (*expected, &json!(code)),
                        "{method} {path}"
                    );
                }
            }
        }
    }
    assert!(site.services.bought.lock().unwrap().is_none());
}

#[tokio::test]
async fn visitor_reads_only_the_openapi_document() {
    let site = Site::start().await;
    for (method, path, expected) in BESIDE {
        let response = site
            .request(method, path)
            .json(&json!({"query": "{ __typename }"}))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), *expected, "{method} {path}");
    }
}

//! Authorisation matrix: every endpoint for every kind of caller. An endpoint missing in the table fails the test.
use std::collections::BTreeSet;
use std::time::Duration;

use chrono::TimeDelta;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::stack::{Browser, PASSWORD, Stack, body_of, status_and_code};

const MEMBER: &str = "ada@example.com";
const OTHER_MEMBER: &str = "grace@example.com";
const TAKEN: &str = "eve@example.com";

/// Required identity of an endpoint, with the expected status of a minimal call.
#[derive(Clone, Copy, Debug)]
enum Access {
    Public(u16),
    /// Signed in, by session or access token.
    Reader(u16),
    /// Signed in by session, with the data/error envelope: the code comes with status 200.
    Buyer(&'static str),
    /// As `Buyer`, also by access token.
    BearerBuyer(&'static str),
    /// Signed in by session only, for changes.
    Owner(u16),
    /// As `Owner`, checked by auth, which accepts no access token for account data.
    OwnerAtAuth(u16),
    Operator(u16),
}
use Access::{BearerBuyer, Buyer, Operator, Owner, OwnerAtAuth, Public, Reader};

const TABLE: &[(&str, &str, Access)] = &[
    ("GET", "/api/auth/session", Public(200)),
    ("POST", "/api/auth/logout", Public(204)),
    ("POST", "/api/auth/register", Public(422)),
    ("POST", "/api/auth/login", Public(422)),
    ("POST", "/api/auth/email-signup", Public(422)),
    ("POST", "/api/auth/social/nonce", Public(201)),
    ("POST", "/api/auth/social/apple", Public(401)),
    ("POST", "/api/auth/social/google", Public(401)),
    // No Facebook app is configured.
    ("POST", "/api/auth/social/facebook", Public(404)),
    ("POST", "/api/auth/forgot-password", Public(422)),
    ("POST", "/api/auth/reset-password", Public(422)),
    ("POST", "/api/auth/confirm-email", Public(422)),
    ("GET", "/api/auth/devices", OwnerAtAuth(200)),
    ("DELETE", "/api/auth/devices/{id}", Owner(204)),
    ("POST", "/api/auth/logout-everywhere", Owner(204)),
    ("POST", "/api/auth/handoff-tokens", Owner(201)),
    ("POST", "/api/auth/access-tokens", Owner(201)),
    ("GET", "/.well-known/jwks.json", Public(200)),
    ("GET", "/users/temporary-premium", Reader(422)),
    ("GET", "/api/users/details", Reader(200)),
    ("POST", "/validate-token", Public(200)),
    ("GET", "/api/profile", Reader(200)),
    ("PUT", "/api/profile", Owner(409)),
    ("GET", "/api/account/export", Owner(200)),
    ("POST", "/api/account/step-up", Owner(422)),
    ("POST", "/api/account/sessions/end", Public(404)),
    ("GET", "/api/account/second-factor", OwnerAtAuth(200)),
    ("DELETE", "/api/account/second-factor", Owner(204)),
    ("POST", "/api/account/second-factor/enrol", Owner(200)),
    ("POST", "/api/account/second-factor/confirm", Owner(422)),
    ("POST", "/api/account/second-factor/recovery-codes", Owner(409)),
    ("POST", "/api/account/second-factor/verify", Public(422)),
    ("POST", "/api/account/erasure", OwnerAtAuth(403)),
    ("GET", "/api/account/erasures/{id}", Public(404)),
    ("GET", "/api/redirects", Public(422)),
    ("GET", "/api/country", Public(200)),
    ("POST", "/api/survey/orders", Public(422)),
    ("GET", "/api/survey", Public(200)),
    ("PUT", "/api/survey/answers", Public(404)),
    ("POST", "/api/survey/answers", Public(303)),
    ("GET", "/specialprogram/createsurveyplaylist", Owner(404)),
    ("GET", "/api/countries", Public(200)),
    ("POST", "/api/withdrawals", Public(422)),
    ("GET", "/api/openapi.json", Public(200)),
    ("GET", "/api/asyncapi.json", Public(200)),
    ("GET", "/api/docs", Public(200)),
    ("POST", "/external/samples", Public(200)),
    ("POST", "/v1/external/chats/ai", Public(422)),
    ("POST", "/api/web-campaign", BearerBuyer("UNKNOWN_CAMPAIGN")),
    ("POST", "/api/web-campaign-landing", Public(200)),
    ("POST", "/bincheck", Public(422)),
    ("POST", "/api/create-subscription-fixed", Buyer("UNKNOWN_PRICE")),
    (
        "POST",
        "/api/subscriptions/confirm",
        Buyer("UNKNOWN_SUBSCRIPTION"),
    ),
    (
        "POST",
        "/api/subscriptions/meta-data",
        Buyer("UNKNOWN_SUBSCRIPTION"),
    ),
    ("POST", "/api/create-payment-intent", Buyer("UNKNOWN_PRICE")),
    ("POST", "/api/create-trial-price-intent", Buyer("UNKNOWN_PRICE")),
    ("POST", "/api/gift/create-intent", Public(200)),
    ("POST", "/api/one-time/create-intent", Public(200)),
    ("POST", "/api/platron/transaction/create-gift", Public(422)),
    // A success has no code.
    ("GET", "/api/addition/campaigns", BearerBuyer("")),
    ("POST", "/api/addition/confirm", BearerBuyer("UNKNOWN_PRICE")),
    ("POST", "/specialprogram/payment", Public(404)),
    ("POST", "/specialprogram/idupdate", Owner(404)),
    ("GET", "/api/purchases", Reader(200)),
    ("GET", "/api/subscriptions", Reader(200)),
    ("GET", "/api/subscriptions/{id}/plans", Reader(404)),
    ("POST", "/api/subscriptions/{id}/plan-preview", Reader(404)),
    ("POST", "/api/subscriptions/{id}/{action}", Owner(404)),
    ("POST", "/api/analytics/events", Public(202)),
    ("POST", "/api/analytics/special-program-events", Public(422)),
    ("POST", "/api/csp-reports", Public(415)),
    ("GET", "/api/analytics/summary", Operator(200)),
    (
        "POST",
        "/api/paypal/customers/subscription",
        Buyer("UNKNOWN_PAYPAL_SUBSCRIPTION"),
    ),
    ("GET", "/api/platron/transaction/success", Public(200)),
    ("GET", "/api/platron/transaction/error", Public(200)),
    // No account at the provider is configured.
    ("POST", "/webhooks/paypal", Public(422)),
    ("POST", "/webhooks/yookassa", Public(422)),
    ("POST", "/webhooks/platron/{script}", Public(422)),
    // Authenticated by a signature of the body, which no caller has.
    ("POST", "/webhooks/stripe", Public(400)),
];

#[derive(Clone, Copy, Debug)]
enum Caller {
    Anonymous,
    Member,
    OtherMember,
    ExpiredSession,
    RevokedSession,
    ForgedSession,
    AccessToken,
    ExpiredAccessToken,
    ForgedAccessToken,
    RevokedAccessToken,
    OperatorToken,
}

const CALLERS: [Caller; 11] = [
    Caller::Anonymous,
    Caller::Member,
    Caller::OtherMember,
    Caller::ExpiredSession,
    Caller::RevokedSession,
    Caller::ForgedSession,
    Caller::AccessToken,
    Caller::ExpiredAccessToken,
    Caller::ForgedAccessToken,
    Caller::RevokedAccessToken,
    Caller::OperatorToken,
];

/// Status and code, if any.
fn expected(door: Access, caller: Caller) -> (u16, Option<&'static str>) {
    let signed_in = matches!(caller, Caller::Member | Caller::OtherMember);
    let by_token = matches!(caller, Caller::AccessToken);
    match door {
        Public(status) => (status, None),
        Reader(status) | Owner(status) | OwnerAtAuth(status) if signed_in => (status, None),
        Reader(status) if by_token => (status, None),
        Owner(_) | Buyer(_) if by_token => (403, Some("SESSION_REQUIRED")),
        OwnerAtAuth(_) if by_token => (401, None),
        Reader(_) | Owner(_) | OwnerAtAuth(_) => (401, Some("V100")),
        Buyer(code) | BearerBuyer(code) if signed_in => (200, Some(code)),
        BearerBuyer(code) if by_token => (200, Some(code)),
        Buyer(_) | BearerBuyer(_) => (200, Some("V100")),
        Operator(status) if matches!(caller, Caller::OperatorToken) => (status, None),
        Operator(_) => (401, Some("UNAUTHENTICATED")),
    }
}

/// Empty, except where validation precedes authentication.
fn body(path: &str) -> Value {
    match path {
        // The wrong password, so that no account is deleted.
        "/api/account/erasure" => json!({"password": "another quiet walk"}),
        "/api/auth/handoff-tokens" => json!({"purpose": "autologin"}),
        // An address of another member, so that nothing changes.
        "/api/profile" => json!({"fullname": "Ada", "email": TAKEN, "password": PASSWORD}),
        _ => json!({}),
    }
}

/// The credentials of each caller.
struct Callers {
    expired: String,
    revoked: String,
    forged: String,
    expired_token: String,
    revoked_token: String,
}

impl Callers {
    async fn new(stack: &Stack) -> Self {
        stack.register(TAKEN).await;
        stack.register(OTHER_MEMBER).await;
        let expired = stack.register(MEMBER).await.session;
        stack.host.clock().advance(TimeDelta::days(31));

        let expired_token = access_token(stack, &stack.sign_in(MEMBER).await).await;
        stack.host.clock().advance(TimeDelta::minutes(16));

        let leaving = stack.sign_in(MEMBER).await;
        let revoked_token = access_token(stack, &leaving).await;
        let logout = stack.post("/api/auth/logout", &json!({}));
        let logout = logout.header("cookie", &leaving.session).send().await.unwrap();
        assert_eq!(logout.status(), 204);

        let forged = stack.sign_in(MEMBER).await.session;
        Self {
            expired,
            revoked: leaving.session,
            forged: reversed_token(&forged),
            expired_token,
            revoked_token,
        }
    }

    /// Adds a caller's credentials. Sessions are created for each call, because the previous one may have ended them.
    async fn authenticate(&self, stack: &Stack, caller: Caller, call: RequestBuilder) -> RequestBuilder {
        match caller {
            Caller::Anonymous => call,
            Caller::Member => call.header("cookie", stack.sign_in(MEMBER).await.session),
            Caller::OtherMember => call.header("cookie", stack.sign_in(OTHER_MEMBER).await.session),
            Caller::ExpiredSession => call.header("cookie", &self.expired),
            Caller::RevokedSession => call.header("cookie", &self.revoked),
            Caller::ForgedSession => call.header("cookie", &self.forged),
            Caller::AccessToken => {
                let member = stack.sign_in(MEMBER).await;
                call.bearer_auth(access_token(stack, &member).await)
            }
            Caller::ExpiredAccessToken => call.bearer_auth(&self.expired_token),
            Caller::ForgedAccessToken => {
                let other = access_token(stack, &stack.sign_in(OTHER_MEMBER).await).await;
                call.bearer_auth(with_foreign_signature(&self.revoked_token, &other))
            }
            Caller::RevokedAccessToken => call.bearer_auth(&self.revoked_token),
            Caller::OperatorToken => call.bearer_auth("operate"),
        }
    }
}

async fn access_token(stack: &Stack, browser: &Browser) -> String {
    // After the clock passes a key's validity, auth creates the next key at its next interval.
    for _ in 0..100 {
        let call = stack.post("/api/auth/access-tokens", &json!({}));
        let answer = call.header("cookie", &browser.session).send().await.unwrap();
        if answer.status() == 201 {
            return body_of(answer).await["access_token"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no access token is given out");
}

/// A well-formed token that was never issued.
fn reversed_token(session: &str) -> String {
    let (name, token) = session.split_once('=').unwrap();
    format!("{name}={}", token.chars().rev().collect::<String>())
}

/// The claims of one token with the signature of another.
fn with_foreign_signature(claims: &str, signature: &str) -> String {
    let claims = claims.rsplit_once('.').unwrap().0;
    format!("{claims}.{}", signature.rsplit_once('.').unwrap().1)
}

#[test]
fn every_endpoint_is_in_the_table() {
    let document = serde_json::to_value(gateway::openapi()).unwrap();
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.insert((method.to_uppercase(), path.clone()));
        }
    }
    let tried: BTreeSet<(String, String)> = TABLE
        .iter()
        .map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    assert_eq!(described, tried);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_caller_gets_exactly_the_expected_access() {
    let stack = Stack::start_all_services().await;
    let cast = Callers::new(&stack).await;
    let mut errors = Vec::new();
    for &(method, path, door) in TABLE {
        for caller in CALLERS {
            let call = stack.request(method, &path.replace("{id}", "unknown"));
            let call = match method {
                "GET" => call,
                _ => call.json(&body(path)),
            };
            let call = cast.authenticate(&stack, caller, call).await;
            let (status, code) = status_and_code(call).await;
            let (expected_status, expected_code) = expected(door, caller);
            if status != expected_status || expected_code.is_some_and(|expected| expected != code) {
                errors.push(format!("{method} {path} as {caller:?}: {status} {code}"));
            }
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

#[tokio::test]
async fn session_check_identifies_each_caller() {
    let stack = Stack::start(&[]).await;
    let cast = Callers::new(&stack).await;
    for caller in CALLERS {
        let call = cast
            .authenticate(&stack, caller, stack.get("/api/auth/session"))
            .await;
        let session = body_of(call.send().await.unwrap()).await;
        let expected = match caller {
            Caller::Member | Caller::AccessToken => json!(MEMBER),
            Caller::OtherMember => json!(OTHER_MEMBER),
            _ => Value::Null,
        };
        assert_eq!(session["user"]["email"], expected, "{caller:?}");
        assert_eq!(session["logged_in"], json!(!expected.is_null()), "{caller:?}");
    }
}

#[tokio::test]
async fn member_cannot_end_sessions_of_another() {
    let stack = Stack::start(&[]).await;
    let member = stack.register(MEMBER).await;
    let other = stack.register(OTHER_MEMBER).await;
    let as_member = |call: RequestBuilder| call.header("cookie", &member.session);
    let devices = as_member(stack.get("/api/auth/devices")).send().await.unwrap();
    let id = body_of(devices).await["devices"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let foreign = stack.request("DELETE", &format!("/api/auth/devices/{id}"));
    let answer = foreign.header("cookie", &other.session).send().await.unwrap();
    assert_eq!(answer.status(), 204, "as for one that is gone");
    let everywhere = stack.post("/api/auth/logout-everywhere", &json!({}));
    everywhere.header("cookie", &other.session).send().await.unwrap();

    let session = body_of(as_member(stack.get("/api/auth/session")).send().await.unwrap()).await;
    assert_eq!(session["user"]["email"], MEMBER);
}

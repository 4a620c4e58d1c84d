//! Sentinels: a card number, a password, tokens and an e-mail address are sent through every door, and found nowhere but where they
//! belong: not in a table, a stream, the cache, a log, a metric or a trace.

mod process;

use std::time::Duration;

use kit::clock::Clock;
use kit::ids::new_uuid;
use kit::testing::Redis;
use reqwest::{Client, RequestBuilder};
use sandbox::{Options, Sandbox};
use serde_json::{Map, Value, json};

use crate::erasure::member::{Member, session_of};
use crate::erasure::residue::{find_text, in_log, in_streams, in_tables};
use crate::stack::{PASSWORD, all_services_host, body_of};
use crate::test_env::TestEnv;
use process::{Collector, Process};

const TIMEOUT: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(50);

/// Its check digit is right, and it is used nowhere else.
const CARD: &str = "4539578763621486";
const GROUPED_CARD: &str = "4539 5787 6362 1486";
const MARKER: &str = "zqsentinelmark";
const SERVICES: [&str; 5] = ["auth", "checkout", "sessions", "content", "analytics"];

/// An idempotency key is the caller's own text and stored as sent, to recognise a repeat. Our pages send UUIDs.
const PLACES_OF_KEYS: [&str; 2] = ["checkout.idempotency: ", "sessions.ai_reply: "];

const PLACES_OF_ADDRESSES: [&str; 6] = [
    // The account itself.
    "auth.account: ",
    // Links that confirm or restore an address.
    "auth.account_link: ",
    // A mail to a former address that is not sent yet.
    "auth.mail_outbox: ",
    // The buyer, for the provider's customer and receipts.
    "checkout.customer: ",
    "checkout.hosted_checkout: ",
    // Signed reports of providers, which name their customer.
    "checkout.webhook_event: ",
];

/// Called without the session, which they would end.
const ENDS_SESSION: [&str; 3] = [
    "/api/auth/logout",
    "/api/auth/logout-everywhere",
    "/api/account/erasure",
];

const PAGE_VIEWS: &str = "/api/analytics/special-program-events";

/// An endpoint with the text fields of its body.
struct Door {
    method: String,
    path: String,
    fields: Vec<String>,
}

/// Every GET and POST of the description.
fn doors() -> Vec<Door> {
    let document = gateway::openapi();
    let mut doors = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if method == "get" || method == "post" {
                doors.push(Door {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    fields: text_fields(&document, &operation["requestBody"]["content"]),
                });
            }
        }
    }
    let with_text = doors.iter().filter(|door| !door.fields.is_empty()).count();
    assert!(with_text > 20, "only {with_text} bodies have text fields");
    doors
}

fn text_fields(document: &Value, content: &Value) -> Vec<String> {
    let first = content.as_object().and_then(|kinds| kinds.values().next());
    let schema = first.map_or(&Value::Null, |kind| &kind["schema"]);
    let reference = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    let schema = reference
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(schema);
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .filter(|(_, schema)| is_text(schema))
        .map(|(name, _)| name.clone())
        .collect()
}

/// Not a number as text: a sentinel there would hide the other fields.
fn is_text(schema: &Value) -> bool {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    kinds.contains(&"string") && !kinds.contains(&"integer") && schema["format"] != "date-time"
}

/// The sentinel in these fields and in unknown ones.
fn body(path: &str, fields: &[String], sentinel: &str) -> Value {
    let mut body = Map::new();
    for field in fields {
        let value = match (path, field.as_str()) {
            // Words of our own pages; they are published as sent.
            ("/api/survey/orders", "abgroup" | "producttype") => "coaching".to_owned(),
            ("/api/survey/orders", "lang") => "en".to_owned(),
            (PAGE_VIEWS, "event" | "pageType" | "orderid") => "pageload".to_owned(),
            (PAGE_VIEWS, "fullPath") => format!("/en/payment/?token={sentinel}"),
            _ => sentinel.to_owned(),
        };
        body.insert(field.clone(), value.into());
    }
    for unknown in ["card_number", "cardNumber", "cvc", "secret", "access_token"] {
        body.insert(unknown.to_owned(), sentinel.into());
    }
    body.insert("nested".to_owned(), json!({"number": [sentinel]}));
    Value::Object(body)
}

/// A browser that is signed in.
struct Caller<'a> {
    client: &'a Client,
    origin: &'a str,
    session: &'a str,
    clock: &'a Clock,
}

impl Caller<'_> {
    /// With the sentinel in the query and in the headers that a browser or a proxy sends.
    fn request(&self, method: &str, path: &str, sentinel: &str) -> RequestBuilder {
        let parameters = ["token", "email", "q", "orderid", "to", "lang"].map(|name| (name, sentinel));
        let request = self
            .client
            .request(method.parse().unwrap(), format!("{}{path}", self.origin))
            .query(&parameters)
            .header("user-agent", format!("{sentinel} Firefox/144.0 (Android)"))
            .header("referer", format!("{}/en/payment/?token={sentinel}", self.origin))
            .header("x-forwarded-for", format!("{sentinel}, 198.51.100.7"))
            .header("accept-language", sentinel);
        if ENDS_SESSION.contains(&path) {
            request
        } else {
            request.header("cookie", self.session)
        }
    }

    /// Sends the sentinel to every door: in unknown fields of an otherwise empty body, then in all text fields too.
    async fn plant(&self, doors: &[Door], sentinel: &str) {
        let state = self.client.get(format!("{}/api/auth/session", self.origin));
        let state = state.header("cookie", self.session).send().await.unwrap();
        assert_eq!(body_of(state).await["logged_in"], true, "the session is over");
        for door in doors {
            let path = door
                .path
                .replace("{id}", sentinel)
                .replace("{action}", "cancel")
                .replace("{script}", "result");
            for fields in [&door.fields[..0], &door.fields[..]] {
                let mut request = self.request(&door.method, &path, sentinel);
                if door.method == "POST" {
                    request = request.json(&body(&door.path, fields, sentinel));
                }
                // There the key is the event's UUID.
                if sentinel == CARD && door.path != PAGE_VIEWS {
                    request = request.header("idempotency-key", sentinel);
                }
                request.send().await.unwrap().bytes().await.unwrap();
            }
        }
        self.plant_in_valid_bodies(sentinel).await;
    }

    /// Bodies that the description alone does not make.
    async fn plant_in_valid_bodies(&self, sentinel: &str) {
        let event = json!({
            "id": new_uuid(self.clock.now()).to_string(), "name": "page_view",
            "fields": {
                "url": format!("https://stillpoint.example/en/?token={sentinel}&email={MARKER}"),
                "number": CARD, "grouped": GROUPED_CARD, "address": format!("{MARKER}first@example.com"),
            },
        });
        let events = self.request("POST", "/api/analytics/events", sentinel);
        let accepted = events.json(&json!({"events": [event]})).send().await.unwrap();
        assert_eq!(accepted.status(), 202);

        let blocked = format!("https://stillpoint.example/en/?token={sentinel}");
        let report = json!([{"type": "csp-violation", "body": {"effectiveDirective": sentinel, "blockedURL": blocked}}]);
        let reports = self.request("POST", "/api/csp-reports", sentinel);
        let reports = reports.header("content-type", "application/reports+json");
        let counted = reports.body(report.to_string()).send().await.unwrap();
        assert_eq!(counted.status(), 204);

        let question = self.request("POST", "/v1/external/chats/ai", sentinel);
        let question = question.json(&json!({"q": format!("Is {sentinel} safe?"), "lang": "en"}));
        question.send().await.unwrap().bytes().await.unwrap();

        let form = self.request("POST", "/api/auth/login", sentinel);
        let form = form.form(&[("email", sentinel), ("password", sentinel), ("card", sentinel)]);
        form.send().await.unwrap().bytes().await.unwrap();
    }

    /// Opens the mailed link, and uses its token with a password that is too short.
    async fn open_link(&self, token: &str) {
        let page = self.request("GET", "/en/forgot-password/", token);
        page.send().await.unwrap().bytes().await.unwrap();
        let reset = self.request("POST", "/api/auth/reset-password", token);
        let refused = reset.json(&json!({"token": token, "password": "x"})).send();
        assert!(refused.await.unwrap().status().is_client_error());
    }
}

/// The token of the mailed link to choose a password.
async fn reset_token(sandbox: &Sandbox, email: &str) -> String {
    let url = format!("{}/sandbox/mails?to={email}", sandbox.base());
    let arriving = async {
        loop {
            let inbox = reqwest::get(&url).await.unwrap().text().await.unwrap();
            if let Some((_, rest)) = inbox.split_once("/forgot-password/?token=") {
                let token: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                assert!(token.len() >= 32, "{token}");
                return token;
            }
            tokio::time::sleep(POLL).await;
        }
    };
    tokio::time::timeout(TIMEOUT, arriving).await.unwrap()
}

fn client() -> Client {
    let builder = Client::builder().redirect(reqwest::redirect::Policy::none());
    builder.timeout(TIMEOUT).build().unwrap()
}

/// `allowed` are beginnings of places; none is of a log or a stream.
async fn assert_only_in(env: &TestEnv, text: &str, allowed: &[&str]) {
    let mut places = find_text(env, text).await;
    places.extend(in_log(&text.to_lowercase()));
    places.retain(|place| !allowed.iter().any(|allowed| place.starts_with(allowed)));
    assert!(places.is_empty(), "{text} is found in\n{}", places.join("\n"));
}

/// The searches find what is there.
async fn assert_searches_work(env: &TestEnv, member: &Member) {
    for (text, table) in [
        (member.email.as_str(), "auth.account: "),
        (CARD, PLACES_OF_KEYS[0]),
    ] {
        let places = in_tables(env, text).await;
        assert!(
            places.iter().any(|place| place.starts_with(table)),
            "{text} is not in {table}{places:?}"
        );
    }
    assert!(!in_streams(env, &member.user_id).await.is_empty());
    let id = uuid::Uuid::parse_str(member.user_id.trim_start_matches("usr_")).unwrap();
    assert!(!in_log(&member.user_id).is_empty() || !in_log(&id.to_string()).is_empty());
    // The page view arrived on the stream, without its query.
    let views = in_streams(env, "https://stillpoint.example/en/").await;
    assert!(views.iter().any(|view| view.contains("[removed]")), "{views:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinels_are_stored_only_where_they_belong() {
    let env = TestEnv::start().await;
    let member = Member::use_everything(&env, MARKER).await;
    let reset = reset_token(&env.sandbox, &member.email).await;
    let (_, session) = member.session.split_once('=').unwrap();
    let client = client();
    let caller = Caller {
        client: &client,
        origin: &env.stack.origin,
        session: &member.session,
        clock: env.stack.host.clock(),
    };
    let doors = doors();
    for sentinel in [CARD, PASSWORD, session] {
        caller.plant(&doors, sentinel).await;
    }
    caller.open_link(&reset).await;
    env.stack.host.published(&SERVICES).await;
    env.due_work_done().await;

    assert_searches_work(&env, &member).await;
    let guess = format!("{MARKER}guess");
    for secret in [PASSWORD, session, &reset, &guess, GROUPED_CARD] {
        assert_only_in(&env, secret, &[]).await;
    }
    assert_only_in(&env, CARD, &PLACES_OF_KEYS).await;
    assert_only_in(&env, &member.email, &PLACES_OF_ADDRESSES).await;
}

/// The session's cookie of a new member.
async fn join(client: &Client, origin: &str, email: &str) -> String {
    let form = json!({"name": "Ada Lovelace", "email": email, "password": PASSWORD, "card_number": CARD});
    let joined = client.post(format!("{origin}/api/auth/register")).json(&form);
    let joined = joined.send().await.unwrap();
    assert_eq!(joined.status(), 201);
    let session = session_of(&joined);
    for (path, body) in [
        (
            "/api/auth/login",
            json!({"email": email, "password": format!("{MARKER}guess")}),
        ),
        ("/api/auth/forgot-password", json!({"email": email})),
    ] {
        let request = client.post(format!("{origin}{path}")).json(&body);
        assert!(
            !request.send().await.unwrap().status().is_server_error(),
            "{path}"
        );
    }
    session
}

#[tokio::test(flavor = "multi_thread")]
async fn process_prints_counts_and_traces_no_sentinel() {
    const EMAIL: &str = "zqprocessmark@example.com";
    let host = all_services_host().await;
    let (redis, collector) = (Redis::start(), Collector::start().await);
    let sandbox = Sandbox::start(Options::default()).await.unwrap();
    let settings = [
        ("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron".to_owned()),
        ("STRIPE_API_BASE", sandbox.stripe_base()),
        ("PAYPAL_API_BASE", sandbox.paypal_base()),
        ("YOOKASSA_API_BASE", sandbox.yookassa_base()),
        ("PLATRON_API_BASE", sandbox.platron_base()),
        ("AI_API_BASE", sandbox.ai_base()),
        ("SMTP_URL", sandbox.smtp_url()),
        ("REDIS_URL", redis.url()),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone()),
    ];
    let mut process = Process::start(&host, &settings);
    let client = client();
    process.until_ready(&client).await;
    let session = join(&client, &process.origin, EMAIL).await;
    let reset = reset_token(&sandbox, EMAIL).await;
    let (_, token) = session.split_once('=').unwrap();
    let caller = Caller {
        client: &client,
        origin: &process.origin,
        session: &session,
        clock: &Clock::system(),
    };
    let doors = doors();
    for sentinel in [CARD, PASSWORD, token] {
        caller.plant(&doors, sentinel).await;
    }
    caller.open_link(&reset).await;
    host.published(&SERVICES).await;
    let metrics = client
        .get(format!("{}/metrics", process.ops))
        .send()
        .await
        .unwrap();
    let metrics = metrics.text().await.unwrap();
    process.stop().await;

    let guess = format!("{MARKER}guess");
    for (output, present) in [
        (process.printed(), "user registered"),
        (metrics, "gateway_requests_total"),
        (collector.received(), "/api/auth/register"),
    ] {
        assert!(output.contains(present), "{present} is not in {output}");
        let output = output.to_lowercase();
        for sentinel in [CARD, GROUPED_CARD, PASSWORD, token, &reset, &guess, EMAIL] {
            let found = output
                .lines()
                .find(|line| line.contains(&sentinel.to_lowercase()));
            assert!(found.is_none(), "{sentinel} is in {found:?}");
        }
    }
}

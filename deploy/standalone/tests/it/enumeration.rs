//! Account enumeration: neither responses nor their timing reveal whether an account exists.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::stack::{PASSWORD, Stack};

const KNOWN: &str = "ada@example.com";
/// An account without a password.
const WITHOUT_PASSWORD: &str = "eve@example.com";
const UNKNOWN: &str = "bob@example.com";

/// Samples per kind of address. All of them make one verdict: a burst of load affects both kinds, and few of the samples.
const SAMPLES: usize = 160;

/// Rank statistic in thousandths; 500 means equal. Half as many samples of equal work stay within 150 of it on a busy machine;
/// a password hash computed for only one of the two does not.
const SIMILAR_RANKS: std::ops::RangeInclusive<usize> = 280..=720;

/// Production cost of hashes, so that other work does not hide a difference, and no throttle, so that responses
/// before throttling are compared.
const MANY_ATTEMPTS: [(&str, &str); 5] = [
    ("AUTH_ARGON2_MEMORY_KIB", "19456"),
    ("AUTH_ARGON2_ITERATIONS", "2"),
    ("AUTH_SIGN_IN_ATTEMPTS", "100000"),
    ("AUTH_ADDRESS_ATTEMPTS", "100000"),
    ("AUTH_LINK_MAILS", "100000"),
];

async fn with_accounts(env: &[(&str, &str)]) -> Stack {
    let stack = Stack::start(env).await;
    stack.register(KNOWN).await;
    let form = json!({"email": WITHOUT_PASSWORD});
    let signed_up = stack.post("/api/auth/email-signup", &form).send().await.unwrap();
    assert_eq!(signed_up.status(), 201);
    stack
}

/// A response without its per-request values.
#[derive(Debug, PartialEq, Eq)]
struct ObservedResponse {
    status: u16,
    headers: BTreeMap<String, Vec<u8>>,
    body: Value,
}

async fn observe(request: RequestBuilder) -> ObservedResponse {
    let response = request.send().await.unwrap();
    let headers = response
        .headers()
        .iter()
        .filter(|(name, _)| !["date", "x-request-id", "traceparent"].contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
        .collect();
    let status = response.status().as_u16();
    let mut body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default();
    if let Some(body) = body.as_object_mut() {
        body.remove("request_id");
    }
    ObservedResponse {
        status,
        headers,
        body,
    }
}

async fn assert_similar(email: &str, left: impl Fn() -> RequestBuilder, right: impl Fn() -> RequestBuilder) {
    let share = slower(left, right).await;
    assert!(
        SIMILAR_RANKS.contains(&share),
        "{email} was slower in {share} of 1000 pairs"
    );
}

/// Sends both requests in alternating order and returns the rank statistic of their durations.
async fn slower(left: impl Fn() -> RequestBuilder, right: impl Fn() -> RequestBuilder) -> usize {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for turn in 0..SAMPLES {
        if turn % 2 == 0 {
            lefts.push(time(left()).await);
            rights.push(time(right()).await);
        } else {
            rights.push(time(right()).await);
            lefts.push(time(left()).await);
        }
    }
    rank(&lefts, &rights)
}

async fn time(request: RequestBuilder) -> Duration {
    let began = Instant::now();
    request.send().await.unwrap().bytes().await.unwrap();
    began.elapsed()
}

/// Mann-Whitney U as a share: the pairs in which the left value is larger, in thousandths. It
/// depends on order only, so a few slow responses have no influence.
fn rank(lefts: &[Duration], rights: &[Duration]) -> usize {
    let larger = |left: &Duration| rights.iter().filter(|right| left > *right).count();
    lefts.iter().map(larger).sum::<usize>() * 1000 / (lefts.len() * rights.len())
}

#[test]
fn rank_separates_a_shift_from_noise() {
    let millis = |numbers: std::ops::Range<u64>| numbers.map(Duration::from_millis).collect::<Vec<_>>();
    assert_eq!(rank(&millis(100..200), &millis(0..100)), 1000);
    assert_eq!(rank(&millis(0..100), &millis(100..200)), 0);
    assert!(SIMILAR_RANKS.contains(&rank(&millis(0..100), &millis(0..100))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_in_response_does_not_depend_on_an_account() {
    let stack = with_accounts(&MANY_ATTEMPTS).await;
    let guess = |email: &'static str| stack.login(email, "not the password");
    let unknown = observe(guess(UNKNOWN)).await;
    assert_eq!(
        (unknown.status, &unknown.body["code"]),
        (401, &json!("INVALID_CREDENTIALS"))
    );
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(observe(guess(email)).await, unknown, "{email}");
        assert_similar(email, || guess(email), || guess(UNKNOWN)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn password_reset_response_does_not_depend_on_an_account() {
    let stack = with_accounts(&MANY_ATTEMPTS).await;
    let ask = |email: &'static str| {
        let form = json!({"email": email, "lang": "en"});
        stack.post("/api/auth/forgot-password", &form)
    };
    let unknown = observe(ask(UNKNOWN)).await;
    assert_eq!((unknown.status, &unknown.body), (202, &Value::Null));
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(observe(ask(email)).await, unknown, "{email}");
        assert_similar(email, || ask(email), || ask(UNKNOWN)).await;
    }
}

#[tokio::test]
async fn throttle_does_not_depend_on_an_account() {
    let stack = with_accounts(&[]).await;
    let mut throttled = Vec::new();
    for email in [KNOWN, WITHOUT_PASSWORD, UNKNOWN] {
        for _ in 0..10 {
            assert_eq!(observe(stack.login(email, "not the password")).await.status, 401);
        }
        throttled.push(observe(stack.login(email, PASSWORD)).await);
    }
    assert_eq!(throttled[0].status, 429);
    assert!(throttled[0].headers.contains_key("retry-after"));
    assert_eq!(throttled[0], throttled[1]);
    assert_eq!(throttled[0], throttled[2]);

    let mut throttled = Vec::new();
    for email in [KNOWN, WITHOUT_PASSWORD, UNKNOWN] {
        let ask = || stack.post("/api/auth/forgot-password", &json!({"email": email}));
        for _ in 0..3 {
            assert_eq!(observe(ask()).await.status, 202);
        }
        throttled.push(observe(ask()).await);
    }
    assert_eq!(throttled[0].status, 429);
    assert_eq!(throttled[0], throttled[1]);
    assert_eq!(throttled[0], throttled[2]);
}

#[tokio::test]
async fn invalid_link_reveals_nothing() {
    let stack = with_accounts(&[]).await;
    let reset = |token: &str| {
        let form = json!({"token": token, "password": PASSWORD});
        stack.post("/api/auth/reset-password", &form)
    };
    let first = observe(reset(&"0".repeat(64))).await;
    assert_eq!((first.status, &first.body["code"]), (422, &json!("LINK_EXPIRED")));
    for token in ["", "ada@example.com", &"f".repeat(64)] {
        assert_eq!(observe(reset(token)).await, first, "{token}");
    }
}

#[tokio::test]
async fn unsigned_social_token_reveals_nothing() {
    let env = [
        ("APPLE_CLIENT_ID", "us"),
        ("APPLE_JWKS_URL", "http://127.0.0.1:9"),
    ];
    let stack = with_accounts(&env).await;
    let ask = |email: &str| {
        let form = json!({"lang": "en", "email": email, "appleID": "001", "token": "a.b.c"});
        stack.post("/api/auth/social/apple", &form)
    };
    let unknown = observe(ask(UNKNOWN)).await;
    assert_eq!(
        (unknown.status, &unknown.body["code"]),
        (401, &json!("SOCIAL_TOKEN_INVALID"))
    );
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(observe(ask(email)).await, unknown, "{email}");
    }
}

#[tokio::test]
async fn sign_up_conflicts_are_throttled_like_passwords() {
    let stack = with_accounts(&[("AUTH_RATE_PER_MINUTE", "6")]).await;
    let ask = |path: &str| {
        let form = json!({"name": "Ada", "email": KNOWN, "password": PASSWORD});
        let request = stack.post(path, &form);
        request.header("x-forwarded-for", "198.51.100.7")
    };
    for path in ["/api/auth/register", "/api/auth/email-signup"].repeat(3) {
        let conflict = observe(ask(path)).await;
        assert_eq!(
            (conflict.status, &conflict.body["code"]),
            (409, &json!("R100")),
            "{path}"
        );
    }
    assert_eq!(observe(ask("/api/auth/register")).await.status, 429);
}

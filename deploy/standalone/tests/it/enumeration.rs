//! Nobody learns from an answer, nor from the time it takes, who has an account.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::house::{House, PASSWORD};

const KNOWN: &str = "ada@example.com";
/// Has an account that no password opens.
const WITHOUT_PASSWORD: &str = "eve@example.com";
const UNKNOWN: &str = "bob@example.com";

/// Of each of two kinds of address.
const SAMPLES: usize = 80;

/// In thousandths, around 500. Equal work keeps that many samples within 150 of it, however busy the machine is; a hash that
/// only one of the two is worth does not.
const ALIKE: std::ops::RangeInclusive<usize> = 280..=720;

/// A hash as dear as it is in production, or the time of all the rest would hide it; and no throttle, as what is compared are
/// the answers before it.
const MANY_ATTEMPTS: [(&str, &str); 5] = [
    ("AUTH_ARGON2_MEMORY_KIB", "19456"),
    ("AUTH_ARGON2_ITERATIONS", "2"),
    ("AUTH_SIGN_IN_ATTEMPTS", "100000"),
    ("AUTH_ADDRESS_ATTEMPTS", "100000"),
    ("AUTH_LINK_MAILS", "100000"),
];

async fn with_accounts(env: &[(&str, &str)]) -> House {
    let house = House::start(env).await;
    house.register(KNOWN).await;
    let form = json!({"email": WITHOUT_PASSWORD});
    let signed_up = house.post("/api/auth/email-signup", &form).send().await.unwrap();
    assert_eq!(signed_up.status(), 201);
    house
}

/// All of an answer but what is another for every request.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    status: u16,
    headers: BTreeMap<String, Vec<u8>>,
    body: Value,
}

async fn seen(request: RequestBuilder) -> Seen {
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
    Seen {
        status,
        headers,
        body,
    }
}

/// Asks for both in turns, the first of a pair changing, and tells how often the left one took longer.
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

/// The statistic of Mann and Whitney as a share: of all pairs, those in which the left is larger, in thousandths. It
/// looks at order alone, so that a few very slow answers change nothing.
fn rank(lefts: &[Duration], rights: &[Duration]) -> usize {
    let larger = |left: &Duration| rights.iter().filter(|right| left > *right).count();
    lefts.iter().map(larger).sum::<usize>() * 1000 / (lefts.len() * rights.len())
}

#[test]
fn rank_tells_a_shift_from_noise() {
    let millis = |numbers: std::ops::Range<u64>| numbers.map(Duration::from_millis).collect::<Vec<_>>();
    assert_eq!(rank(&millis(100..200), &millis(0..100)), 1000);
    assert_eq!(rank(&millis(0..100), &millis(100..200)), 0);
    assert!(ALIKE.contains(&rank(&millis(0..100), &millis(0..100))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_in_answers_everybody_alike() {
    let house = with_accounts(&MANY_ATTEMPTS).await;
    let guess = |email: &'static str| house.login(email, "not the password");
    let unknown = seen(guess(UNKNOWN)).await;
    assert_eq!(
        (unknown.status, &unknown.body["code"]),
        (401, &json!("INVALID_CREDENTIALS"))
    );
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(seen(guess(email)).await, unknown, "{email}");
        let share = slower(|| guess(email), || guess(UNKNOWN)).await;
        assert!(
            ALIKE.contains(&share),
            "{email} was slower in {share} of 1000 pairs"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_password_answers_everybody_alike() {
    let house = with_accounts(&MANY_ATTEMPTS).await;
    let ask = |email: &'static str| {
        let form = json!({"email": email, "lang": "en"});
        house.post("/api/auth/forgot-password", &form)
    };
    let unknown = seen(ask(UNKNOWN)).await;
    assert_eq!((unknown.status, &unknown.body), (202, &Value::Null));
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(seen(ask(email)).await, unknown, "{email}");
        let share = slower(|| ask(email), || ask(UNKNOWN)).await;
        assert!(
            ALIKE.contains(&share),
            "{email} was slower in {share} of 1000 pairs"
        );
    }
}

#[tokio::test]
async fn throttle_treats_everybody_alike() {
    let house = with_accounts(&[]).await;
    let mut throttled = Vec::new();
    for email in [KNOWN, WITHOUT_PASSWORD, UNKNOWN] {
        for _ in 0..10 {
            assert_eq!(seen(house.login(email, "not the password")).await.status, 401);
        }
        throttled.push(seen(house.login(email, PASSWORD)).await);
    }
    assert_eq!(throttled[0].status, 429);
    assert!(throttled[0].headers.contains_key("retry-after"));
    assert_eq!(throttled[0], throttled[1]);
    assert_eq!(throttled[0], throttled[2]);

    let mut throttled = Vec::new();
    for email in [KNOWN, WITHOUT_PASSWORD, UNKNOWN] {
        let ask = || house.post("/api/auth/forgot-password", &json!({"email": email}));
        for _ in 0..3 {
            assert_eq!(seen(ask()).await.status, 202);
        }
        throttled.push(seen(ask()).await);
    }
    assert_eq!(throttled[0].status, 429);
    assert_eq!(throttled[0], throttled[1]);
    assert_eq!(throttled[0], throttled[2]);
}

#[tokio::test]
async fn link_that_was_never_mailed_tells_nothing() {
    let house = with_accounts(&[]).await;
    let reset = |token: &str| {
        let form = json!({"token": token, "password": PASSWORD});
        house.post("/api/auth/reset-password", &form)
    };
    let first = seen(reset(&"0".repeat(64))).await;
    assert_eq!((first.status, &first.body["code"]), (422, &json!("LINK_EXPIRED")));
    for token in ["", "ada@example.com", &"f".repeat(64)] {
        assert_eq!(seen(reset(token)).await, first, "{token}");
    }
}

#[tokio::test]
async fn token_that_no_provider_signed_tells_nothing() {
    let env = [
        ("APPLE_CLIENT_ID", "us"),
        ("APPLE_JWKS_URL", "http://127.0.0.1:9"),
    ];
    let house = with_accounts(&env).await;
    let ask = |email: &str| {
        let form = json!({"lang": "en", "email": email, "appleID": "001", "token": "a.b.c"});
        house.post("/api/auth/social/apple", &form)
    };
    let unknown = seen(ask(UNKNOWN)).await;
    assert_eq!(
        (unknown.status, &unknown.body["code"]),
        (401, &json!("SOCIAL_TOKEN_INVALID"))
    );
    for email in [KNOWN, WITHOUT_PASSWORD] {
        assert_eq!(seen(ask(email)).await, unknown, "{email}");
    }
}

#[tokio::test]
async fn what_sign_up_must_tell_is_told_as_seldom_as_passwords_are_tried() {
    let house = with_accounts(&[("AUTH_RATE_PER_MINUTE", "6")]).await;
    let ask = |path: &str| {
        let form = json!({"name": "Ada", "email": KNOWN, "password": PASSWORD});
        let request = house.post(path, &form);
        request.header("x-forwarded-for", "198.51.100.7")
    };
    for path in ["/api/auth/register", "/api/auth/email-signup"].repeat(3) {
        let told = seen(ask(path)).await;
        assert_eq!((told.status, &told.body["code"]), (409, &json!("R100")), "{path}");
    }
    assert_eq!(seen(ask("/api/auth/register")).await.status, 429);
}

//! Credential stuffing from many networks.
use std::cell::Cell;
use std::convert::Infallible;
use std::time::Duration;

use chrono::TimeDelta;
use futures::stream::{self, StreamExt as _};

use crate::stack::{Browser, PASSWORD, Stack, body_of, status_and_code};

const CONCURRENCY: usize = 32;
const OWNER: &str = "person0@example.com";

/// Rejected and throttled attempts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    refused: usize,
    throttled: usize,
}

/// Attempts are pairs of network and address.
async fn attack(stack: &Stack, attempts: impl Iterator<Item = (usize, String)>) -> Tally {
    let codes = stream::iter(attempts)
        .map(|(network, email)| attempt(stack, network, email))
        .buffer_unordered(CONCURRENCY);
    codes
        .fold(Tally::default(), async |mut tally, throttled| {
            tally.throttled += usize::from(throttled);
            tally.refused += usize::from(!throttled);
            tally
        })
        .await
}

/// Whether the attempt was throttled before its password was checked.
async fn attempt(stack: &Stack, network: usize, email: String) -> bool {
    let request = stack
        .login(&email, "from a stolen list")
        .header("x-forwarded-for", address(network));
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let wait = response.headers().get("retry-after").cloned();
    let code = body_of(response).await["code"].as_str().unwrap().to_owned();
    match (status, code.as_str()) {
        (401, "INVALID_CREDENTIALS") => false,
        (429, "TOO_MANY_ATTEMPTS") => {
            let wait: u32 = wait.unwrap().to_str().unwrap().parse().unwrap();
            assert!((1..=3_600).contains(&wait), "{wait}");
            true
        }
        other => panic!("an attempt was answered with {other:?}"),
    }
}

fn address(network: usize) -> String {
    format!("203.0.{}.{}", network / 250, network % 250 + 1)
}

/// Runs the work while checking continuously that other members are served.
async fn while_others_are_served<T>(stack: &Stack, member: &Browser, work: impl Future<Output = T>) -> T {
    let looks = Cell::new(0);
    let done = tokio::select! {
        done = work => done,
        never = probe_forever(stack, member, &looks) => match never {},
    };
    assert!(looks.get() > 20, "looked only {} times", looks.get());
    done
}

async fn probe_forever(stack: &Stack, member: &Browser, looks: &Cell<u32>) -> Infallible {
    loop {
        probe(stack, member).await;
        looks.set(looks.get() + 1);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn probe(stack: &Stack, member: &Browser) {
    let page = stack.get("/en/").send().await.unwrap();
    assert_eq!(page.status(), 200);
    let check = stack.get("/api/auth/session").header("cookie", &member.session);
    let session = body_of(check.send().await.unwrap()).await;
    assert_eq!(session["logged_in"], true, "{session}");
}

async fn as_owner(stack: &Stack, cookie: &str) -> u16 {
    let request = stack
        .login(OWNER, PASSWORD)
        .header("x-forwarded-for", "198.51.100.7")
        .header("cookie", cookie);
    status_and_code(request).await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_attempts_succeed_nowhere_and_lock_out_no_member() {
    // The global limit, low enough to be reached by this many attempts.
    let limits = [
        ("AUTH_ACCOUNT_ATTEMPTS", "5"),
        ("AUTH_ACCOUNT_ATTEMPTS_MAX", "10"),
    ];
    let mut stack = Stack::start(&limits).await;
    let owner = stack.register(OWNER).await;

    // 180 accounts, 50 attempts each, from 450 networks, each below the limit per network.
    let spread = (0..9_000).map(|n| (n / 20, format!("person{}@example.com", n % 180)));
    // Another account each time, from five networks.
    let concentrated = (0..1_000).map(|n| (900 + n % 5, format!("victim{n}@example.com")));
    let (spread, concentrated) = while_others_are_served(&stack, &owner, async {
        (attack(&stack, spread).await, attack(&stack, concentrated).await)
    })
    .await;
    let ten_for_each_account = Tally {
        refused: 1_800,
        throttled: 7_200,
    };
    assert_eq!(spread, ten_for_each_account);
    let hundred_for_each_network = Tally {
        refused: 500,
        throttled: 500,
    };
    assert_eq!(concentrated, hundred_for_each_network);

    let known = owner.device.as_str();
    assert_eq!(as_owner(&stack, known).await, 200, "a browser that is known");
    assert_eq!(as_owner(&stack, "").await, 429, "a browser that is not");

    stack.restart_auth().await;
    assert_eq!(as_owner(&stack, known).await, 200, "after a restart");
    assert_eq!(as_owner(&stack, "").await, 429, "after a restart");

    let replica = Stack::start_replica(&stack, &limits).await;
    assert_eq!(as_owner(&replica, known).await, 200, "at another replica");
    assert_eq!(as_owner(&replica, "").await, 429, "at another replica");

    stack.host.clock().advance(TimeDelta::hours(1));
    assert_eq!(as_owner(&stack, "").await, 200, "when the window is over");
}

use std::time::Duration;

use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::{Caller, RegisterRequest, SignInResponse};

use crate::fixture::{Auth, PASSWORD, ada};

const EMAIL: &str = "ada@example.com";

fn from(address: &str) -> Caller {
    Caller {
        address: address.to_owned(),
        ..Caller::default()
    }
}

fn code(answer: Result<SignInResponse, Failure>) -> String {
    answer.map_or_else(|refused| refused.code, |_| "signed in".to_owned())
}

#[tokio::test]
async fn one_network_guessing_at_many_accounts_is_stopped() {
    let auth = Auth::start_with(&[("AUTH_ADDRESS_ATTEMPTS", "20")]).await;
    auth.register(ada()).await.unwrap();
    for n in 0..20 {
        let email = format!("person{n}@example.com");
        let answer = auth.sign_in_from(&email, "guess", from("203.0.113.7")).await;
        assert_eq!(code(answer), "INVALID_CREDENTIALS");
    }
    let refused = auth
        .sign_in_from(EMAIL, PASSWORD, from("203.0.113.7"))
        .await
        .unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.retry_after),
        ("TOO_MANY_ATTEMPTS", Some(Duration::from_mins(15)))
    );
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, from("198.51.100.1")).await),
        "signed in"
    );

    auth.test.clock().advance(TimeDelta::minutes(15));
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, from("203.0.113.7")).await),
        "signed in"
    );
}

#[tokio::test]
async fn an_account_of_ones_own_does_not_buy_more_guesses() {
    let auth = Auth::start_with(&[("AUTH_ADDRESS_ATTEMPTS", "5")]).await;
    auth.register(ada()).await.unwrap();
    let mut guesses = 0;
    for n in 0..20 {
        auth.sign_in_from(EMAIL, PASSWORD, from("203.0.113.7")).await.ok();
        let email = format!("person{n}@example.com");
        guesses += i32::from(
            code(auth.sign_in_from(&email, "guess", from("203.0.113.7")).await) == "INVALID_CREDENTIALS",
        );
    }
    assert_eq!(guesses, 5);
}

#[tokio::test]
async fn right_passwords_from_one_office_are_not_held_against_it() {
    let auth = Auth::start_with(&[("AUTH_ADDRESS_ATTEMPTS", "5")]).await;
    auth.register(ada()).await.unwrap();
    for _ in 0..12 {
        assert_eq!(
            code(auth.sign_in_from(EMAIL, PASSWORD, from("203.0.113.7")).await),
            "signed in"
        );
    }
}

#[tokio::test]
async fn guesses_of_one_stranger_do_not_lock_the_owner_out_of_new_browsers() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    for _ in 0..40 {
        auth.sign_in_from(EMAIL, "guess", from("203.0.113.7"))
            .await
            .unwrap_err();
    }
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, from("203.0.113.7")).await),
        "TOO_MANY_ATTEMPTS"
    );
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, from("198.51.100.1")).await),
        "signed in"
    );
}

#[tokio::test]
async fn an_attack_from_many_networks_leaves_each_two_attempts_and_then_none() {
    let settings = [
        ("AUTH_ACCOUNT_ATTEMPTS", "6"),
        ("AUTH_ACCOUNT_ATTEMPTS_MAX", "12"),
    ];
    let auth = Auth::start_with(&settings).await;
    let device_cookie = auth.register(ada()).await.unwrap().device_cookie;
    let guess = async |network: u8| {
        let caller = from(&format!("203.0.113.{network}"));
        code(auth.sign_in_from(EMAIL, "guess", caller).await)
    };
    for network in 0..3 {
        assert_eq!(guess(network).await, "INVALID_CREDENTIALS");
        assert_eq!(guess(network).await, "INVALID_CREDENTIALS");
    }
    // The seventh is the first beyond the six: its network has two, and so has the owner's.
    for expected in ["INVALID_CREDENTIALS", "INVALID_CREDENTIALS", "TOO_MANY_ATTEMPTS"] {
        assert_eq!(guess(3).await, expected);
    }
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, from("198.51.100.1")).await),
        "signed in"
    );
    for network in 4..8 {
        guess(network).await;
    }
    assert_eq!(guess(9).await, "TOO_MANY_ATTEMPTS");
    let known = Caller {
        device_cookie,
        ..from("198.51.100.2")
    };
    assert_eq!(code(auth.sign_in_from(EMAIL, PASSWORD, known).await), "signed in");

    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.reset(&link, "a new quiet place").await.unwrap();
    let fresh = auth.sign_in_from(EMAIL, "a new quiet place", from("198.51.100.3"));
    assert_eq!(
        code(fresh.await),
        "signed in",
        "a mailed link opens the account again"
    );
}

#[tokio::test]
async fn guesses_of_others_do_not_lock_a_browser_out_that_was_signed_in_before() {
    let auth = Auth::start().await;
    let device_cookie = auth.register(ada()).await.unwrap().device_cookie;
    let known = || Caller {
        device_cookie: device_cookie.clone(),
        ..Caller::default()
    };
    for _ in 0..11 {
        auth.sign_in(EMAIL, "guess").await.unwrap_err();
    }
    assert_eq!(code(auth.sign_in(EMAIL, PASSWORD).await), "TOO_MANY_ATTEMPTS");
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, known()).await),
        "signed in"
    );

    for _ in 0..10 {
        auth.sign_in_from(EMAIL, "guess", known()).await.unwrap_err();
    }
    assert_eq!(
        code(auth.sign_in_from(EMAIL, PASSWORD, known()).await),
        "TOO_MANY_ATTEMPTS"
    );
}

#[tokio::test]
async fn device_cookie_of_another_account_or_a_forged_one_grants_nothing() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    let graces = auth.register(grace).await.unwrap().device_cookie;
    for _ in 0..10 {
        auth.sign_in(EMAIL, "guess").await.unwrap_err();
    }
    for device_cookie in [graces, "0".repeat(96)] {
        let caller = Caller {
            device_cookie,
            ..Caller::default()
        };
        assert_eq!(
            code(auth.sign_in_from(EMAIL, "guess", caller).await),
            "TOO_MANY_ATTEMPTS"
        );
    }
}

#[tokio::test]
async fn what_is_counted_names_no_network_and_survives_a_restart() {
    let auth = Auth::start_with(&[("AUTH_ADDRESS_ATTEMPTS", "2")]).await;
    for n in 0..2 {
        let email = format!("person{n}@example.com");
        auth.sign_in_from(&email, "guess", from("203.0.113.7"))
            .await
            .unwrap_err();
    }
    let stored: String = sqlx::query_scalar("select string_agg(t::text, ' ') from sign_in_attempt t")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(
        !stored.contains("203.0.113") && !stored.contains(&hex::encode("203.0.113.7")),
        "{stored}"
    );

    let auth = auth.restart_with(&[]).await;
    assert_eq!(
        code(auth.sign_in_from(EMAIL, "guess", from("203.0.113.7")).await),
        "TOO_MANY_ATTEMPTS"
    );
}

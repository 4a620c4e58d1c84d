//! Forged, stolen and replayed tokens.
use chrono::TimeDelta;
use proto::auth::v1::{Caller, SignInSociallyRequest};
use sandbox::social::{Case, Person, Provider};
use sandbox::{Action, Fault};

use super::{World, ada};
use crate::{fixture, logs};

const CERTS: &str = "/google/oauth2/v3/certs";

fn down(path: &str) -> Fault {
    let action = Action::Error {
        status: 503,
        body: None,
        stored: None,
    };
    Fault::on("GET", path, action)
}

impl World {
    fn asked(&self, path: &str) -> usize {
        let requests = self.sandbox.requests();
        requests.iter().filter(|request| request.path == path).count()
    }
}

#[tokio::test]
async fn id_tokens_that_are_not_for_this_browser_now_are_refused() {
    let world = World::start().await;
    for provider in [Provider::Apple, Provider::Google] {
        world.enter(provider, &ada(), Case::Valid).await.ok();
        for case in [
            Case::OtherNonce,
            Case::NoNonce,
            Case::OtherAudience,
            Case::OtherIssuer,
            Case::Expired,
            Case::NotYet,
            Case::UnknownKey,
            Case::Forged,
            Case::AlgNone,
            Case::Hs256,
        ] {
            let refused = world.enter(provider, &ada(), case).await.unwrap_err();
            assert_eq!(
                (refused.code.as_str(), refused.kind),
                ("SOCIAL_TOKEN_INVALID", kit::error::Kind::Unauthenticated),
                "{provider:?} {case:?}"
            );
        }
    }
    assert_eq!(world.auth.count("select count(*) from session").await, 1);
}

#[tokio::test]
async fn access_tokens_of_other_apps_and_times_are_refused() {
    let world = World::start().await;
    for case in [Case::OtherAudience, Case::Expired, Case::Forged] {
        let refused = world.refusal(Provider::Facebook, &ada(), case).await;
        assert_eq!(refused, "SOCIAL_TOKEN_INVALID", "{case:?}");
    }
    assert_eq!(world.auth.count("select count(*) from account").await, 0);
}

#[tokio::test]
async fn a_token_opens_one_session() {
    let world = World::start().await;
    for (provider, email) in [
        (Provider::Apple, "a@example.com"),
        (Provider::Google, "g@example.com"),
        (Provider::Facebook, "f@example.com"),
    ] {
        let person = Person::new("Ada", "", email);
        let browser = world.browser().await;
        let request = world.request(provider, &browser, &person, Case::Valid);
        world.send(request.clone()).await.unwrap();
        let replayed = world.send(request).await.unwrap_err();
        assert_eq!(replayed.code, "SOCIAL_TOKEN_INVALID", "{provider:?}");
        // The simulator hands the same response to another browser.
        let elsewhere = world.refusal(provider, &person, Case::Replayed).await;
        assert_eq!(elsewhere, "SOCIAL_TOKEN_INVALID", "{provider:?}");
    }
}

#[tokio::test]
async fn of_two_uses_at_once_one_counts() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    let browser = world.browser().await;
    let request = world.request(Provider::Google, &browser, &ada(), Case::Valid);
    let (one, other) = tokio::join!(world.send(request.clone()), world.send(request.clone()));
    assert!(one.is_ok() != other.is_ok());
}

#[tokio::test]
async fn a_token_asked_for_in_one_browser_is_no_good_in_another() {
    let world = World::start().await;
    let (mine, other) = (world.browser().await, world.browser().await);
    let request = world.request(Provider::Google, &mine, &ada(), Case::Valid);
    for cookie in [other.cookie.as_str(), "", "nonsense"] {
        let stolen = SignInSociallyRequest {
            social_browser: cookie.to_owned(),
            ..request.clone()
        };
        assert_eq!(world.send(stolen).await.unwrap_err().code, "SOCIAL_TOKEN_INVALID");
    }
    world.send(request).await.unwrap();
}

#[tokio::test]
async fn an_answer_comes_within_ten_minutes_or_too_late() {
    let world = World::start().await;
    let browser = world.browser().await;
    world.auth.test.clock().advance(TimeDelta::minutes(10));
    let late = world.request(Provider::Google, &browser, &ada(), Case::Valid);
    assert_eq!(world.send(late).await.unwrap_err().code, "SOCIAL_TOKEN_INVALID");
}

#[tokio::test]
async fn what_the_browser_claims_must_be_what_the_token_says() {
    let world = World::start().await;
    let eve = ("eve@example.com", "");
    for (email, id) in [eve, ("", "117"), ("not an address", "")] {
        let browser = world.browser().await;
        let request = SignInSociallyRequest {
            claimed_email: email.to_owned(),
            claimed_id: id.to_owned(),
            ..world.request(Provider::Google, &browser, &ada(), Case::Valid)
        };
        assert_eq!(
            world.send(request).await.unwrap_err().code,
            "SOCIAL_TOKEN_INVALID"
        );
    }
    let browser = world.browser().await;
    let request = SignInSociallyRequest {
        claimed_email: "ADA@example.com".to_owned(),
        claimed_id: ada().subject(Provider::Google),
        ..world.request(Provider::Google, &browser, &ada(), Case::Valid)
    };
    world.send(request).await.unwrap();
}

#[tokio::test]
async fn a_key_that_the_provider_changed_to_is_asked_for() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert_eq!(world.asked(CERTS), 1);
    world
        .enter(Provider::Google, &ada(), Case::RotatedKey)
        .await
        .unwrap();
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert_eq!(world.asked(CERTS), 2);
}

#[tokio::test]
async fn made_up_keys_do_not_make_us_ask_all_the_time() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    for _ in 0..20 {
        let refused = world.refusal(Provider::Google, &ada(), Case::UnknownKey).await;
        assert_eq!(refused, "SOCIAL_TOKEN_INVALID");
    }
    assert_eq!(world.asked(CERTS), 2);
    world.auth.test.clock().advance(TimeDelta::seconds(30));
    world
        .enter(Provider::Google, &ada(), Case::RotatedKey)
        .await
        .unwrap();
    assert_eq!(world.asked(CERTS), 3);
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_no_refusal_and_uses_nothing_up() {
    let world = World::start().await;
    for (provider, path) in [
        (Provider::Google, CERTS),
        (Provider::Facebook, "/facebook/v24.0/debug_token"),
        (Provider::Facebook, "/facebook/v24.0/me"),
    ] {
        world.sandbox.faults().add(down(path));
        let person = Person::new("Ada", "", &format!("{}@example.com", path.len()));
        let browser = world.browser().await;
        let request = world.request(provider, &browser, &person, Case::Valid);
        let refused = world.send(request.clone()).await.unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.kind),
            ("SOCIAL_UNAVAILABLE", kit::error::Kind::Unavailable),
            "{path}"
        );
        assert!(refused.retry_after.is_some());
        world.send(request).await.unwrap();
    }
    let cut = Fault::on("GET", "/apple/auth/keys", Action::DropBefore {});
    world.sandbox.faults().add(cut);
    assert_eq!(
        world.refusal(Provider::Apple, &ada(), Case::Valid).await,
        "SOCIAL_UNAVAILABLE"
    );
}

#[tokio::test]
async fn known_keys_outlive_an_outage_for_a_day() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    world.auth.test.clock().advance(TimeDelta::hours(2));
    world.sandbox.faults().add(down(CERTS));
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert_eq!(world.asked(CERTS), 2);

    world.auth.test.clock().advance(TimeDelta::hours(23));
    world.sandbox.faults().add(down(CERTS));
    assert_eq!(
        world.refusal(Provider::Google, &ada(), Case::Valid).await,
        "SOCIAL_UNAVAILABLE"
    );
}

#[tokio::test]
async fn a_key_that_was_taken_back_is_not_believed_after_an_hour() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    world.auth.test.clock().advance(TimeDelta::minutes(59));
    let browser = world.browser().await;
    let taken_back = world.request(Provider::Google, &browser, &ada(), Case::Valid);
    for _ in 0..2 {
        world.sandbox.social().rotate_keys(Provider::Google);
    }
    world.auth.test.clock().advance(TimeDelta::minutes(1));
    assert_eq!(
        world.send(taken_back).await.unwrap_err().code,
        "SOCIAL_TOKEN_INVALID"
    );
}

#[tokio::test]
async fn refusals_are_logged_without_personal_data() {
    logs::capture();
    let world = World::start().await;
    world.auth.register(fixture::ada()).await.unwrap();
    let mut tokens = Vec::new();
    for (provider, case) in [
        (Provider::Apple, Case::OtherNonce),
        (Provider::Facebook, Case::Forged),
        // Her address has an account that she must sign in to first.
        (Provider::Google, Case::Valid),
    ] {
        let browser = world.browser().await;
        let request = SignInSociallyRequest {
            caller: Some(Caller {
                address: "203.0.113.7".to_owned(),
                ..Caller::default()
            }),
            ..world.request(provider, &browser, &ada(), case)
        };
        tokens.push(request.token.clone());
        world.send(request).await.unwrap_err();
    }

    let text = logs::captured();
    let lines = text.lines();
    let refusals: Vec<&str> = lines
        .filter(|line| line.contains("sign-in with a provider refused"))
        .collect();
    let expected = [
        ("apple", "Nonce"),
        ("facebook", "is not believed"),
        ("google", "must be signed in to"),
    ];
    assert_eq!(refusals.len(), expected.len(), "{text}");
    for (line, (provider, reason)) in refusals.iter().zip(expected) {
        for part in [provider, reason, "network"] {
            assert!(line.contains(part), "{part} is missing in {line}");
        }
    }
    for personal in ["ada@example.com", "Lovelace", "203.0.113"] {
        assert!(!text.contains(personal), "{personal}");
    }
    assert!(tokens.iter().all(|token| !text.contains(token)));
}

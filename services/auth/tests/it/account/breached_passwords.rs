//! Passwords that the range API of the sandbox lists.
use kit::error::Failure;
use kit::testing::TestHost;
use proto::auth::v1::RegisterRequest;
use sandbox::{Options, Sandbox};

use crate::account::update_profile::update;
use crate::fixture::{Auth, CHEAP, NO_POST, PASSWORD, ada, token};
use crate::second_factor::field_error;

const EMAIL: &str = "ada@example.com";

/// On the sandbox's list, and not on the embedded one.
const BREACHED: &str = "correct horse battery staple";

async fn with_range_api() -> (Auth, Sandbox) {
    let test = TestHost::start_for(&[auth::definition()]).await;
    let sandbox = Sandbox::start(Options {
        clock: test.clock().clone(),
        ..Options::default()
    })
    .await
    .unwrap();
    let url = format!("{}/breached-passwords", sandbox.base());
    let settings = [("BREACHED_PASSWORDS_URL", url.as_str())];
    let auth = Auth::run(test.with_env(CHEAP).with_env([NO_POST]).with_env(settings)).await;
    (auth, sandbox)
}

fn with_password(password: &str) -> RegisterRequest {
    RegisterRequest {
        password: password.to_owned(),
        ..ada()
    }
}

fn is_breached(refused: &Failure) -> bool {
    refused.code == "VALIDATION_FAILED" && field_error(refused) == ("password", "PASSWORD_BREACHED")
}

#[tokio::test]
async fn a_listed_password_is_refused_wherever_one_is_chosen() {
    let (auth, _sandbox) = with_range_api().await;
    let refused = auth.register(with_password(BREACHED)).await.unwrap_err();
    assert!(is_breached(&refused), "{refused}");
    assert_eq!(auth.count("select count(*) from account").await, 0);

    let session = token(&auth.register(ada()).await.unwrap());
    let refused = update(&auth, &session, ["Ada Lovelace", EMAIL, BREACHED])
        .await
        .unwrap_err();
    assert!(is_breached(&refused), "{refused}");
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    let refused = auth.reset(&link, BREACHED).await.unwrap_err();
    assert!(is_breached(&refused), "{refused}");
    auth.reset(&link, "a new quiet place").await.unwrap();
}

#[tokio::test]
async fn a_listed_password_from_before_still_signs_in() {
    let auth = Auth::start().await;
    auth.register(with_password(BREACHED)).await.unwrap();
    auth.sign_in(EMAIL, BREACHED).await.unwrap();
}

#[tokio::test]
async fn an_outage_refuses_only_what_the_embedded_list_has() {
    let auth = Auth::start_with(&[("BREACHED_PASSWORDS_URL", "http://127.0.0.1:1")]).await;
    for well_known in ["123456", "Password1", "stillpoint"] {
        let refused = auth.register(with_password(well_known)).await.unwrap_err();
        assert!(is_breached(&refused), "{refused}");
    }
    auth.register(with_password(BREACHED)).await.unwrap();
    auth.sign_in(EMAIL, BREACHED).await.unwrap();
}

/// Passwords of six characters stay possible.
#[tokio::test]
async fn short_and_unlisted_passwords_are_accepted() {
    let (auth, _sandbox) = with_range_api().await;
    auth.register(with_password("kq7#zv")).await.unwrap();
    auth.sign_in(EMAIL, PASSWORD).await.unwrap_err();
}

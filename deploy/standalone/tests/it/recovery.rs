//! From a forgotten password to a new one, with nothing but a browser and a mailbox.
use std::time::Duration;

use kit::testing::TestHost;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::house::{House, PASSWORD, body_of, status_and_code};

const EMAIL: &str = "ada@example.com";
const NEW: &str = "another quiet walk";

async fn house_and_post() -> (House, Sandbox) {
    let host = TestHost::start().await;
    let post = Sandbox::start(Options {
        clock: host.clock().clone(),
        ..Options::default()
    })
    .await
    .unwrap();
    let env = [("SMTP_URL", post.smtp_url())];
    let env: Vec<_> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (House::over(host, &env, vec![]).await, post)
}

/// The newest mail to this address, as a test of the web reads it.
async fn mail_to(post: &Sandbox, email: &str) -> Value {
    let url = format!("{}/sandbox/mails?to={email}", post.base());
    for _ in 0..200 {
        let inbox: Value = reqwest::get(&url).await.unwrap().json().await.unwrap();
        if let Some(mail) = inbox["mails"].as_array().and_then(|mails| mails.first()) {
            return mail.clone();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no mail came");
}

#[tokio::test]
async fn a_mailed_link_opens_the_account_again_once() {
    let (house, post) = house_and_post().await;
    let before = house.register(EMAIL).await;
    let forgotten = json!({"email": EMAIL, "lang": "fr"});
    let asked = house.post("/api/auth/forgot-password", &forgotten);
    assert_eq!(status_and_code(asked).await.0, 202);

    let mail = mail_to(&post, EMAIL).await;
    assert_eq!(mail["subject"], "Choisissez un nouveau mot de passe");
    let link = mail["links"][0].as_str().unwrap();
    let token = link
        .strip_prefix(&format!("{}/fr/forgot-password/?token=", house.origin))
        .unwrap();
    let reset = |password: &str| {
        let body = json!({"token": token, "password": password});
        house.post("/api/auth/reset-password", &body)
    };
    assert_eq!(status_and_code(reset(NEW)).await.0, 204);
    assert_eq!(
        status_and_code(reset("yet another walk")).await,
        (422, "LINK_EXPIRED".into())
    );

    let session = house.get("/api/auth/session").header("cookie", &before.session);
    assert_eq!(body_of(session.send().await.unwrap()).await["logged_in"], false);
    assert_eq!(status_and_code(house.login(EMAIL, PASSWORD)).await.0, 401);
    assert_eq!(status_and_code(house.login(EMAIL, NEW)).await.0, 200);
}

#[tokio::test]
async fn an_address_alone_is_followed_by_a_link_to_set_a_password() {
    let (house, post) = house_and_post().await;
    let signup = json!({"email": EMAIL, "lang": "ar", "name": "User", "password": "placeholder"});
    let signed_up = house.post("/api/auth/email-signup", &signup);
    assert_eq!(status_and_code(signed_up).await.0, 201);
    let mail = mail_to(&post, EMAIL).await;
    assert!(mail["html"].as_str().unwrap().contains("dir=\"rtl\""));
    let link = mail["links"][0].as_str().unwrap();
    let (_, token) = link.split_once("/ar/forgot-password/?token=").unwrap();
    let body = json!({"token": token, "password": NEW});
    let reset = house.post("/api/auth/reset-password", &body);
    assert_eq!(status_and_code(reset).await.0, 204);
    assert_eq!(status_and_code(house.login(EMAIL, NEW)).await.0, 200);
}

//! Password recovery with a browser and a mailbox.
use std::time::Duration;

use kit::testing::TestHost;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::stack::{PASSWORD, Stack, body_of, status_and_code};

const EMAIL: &str = "ada@example.com";
const NEW: &str = "another quiet walk";

async fn stack_and_sandbox() -> (Stack, Sandbox) {
    let host = TestHost::start_for(&[auth::definition()]).await;
    let sandbox = Sandbox::start(Options {
        clock: host.clock().clone(),
        ..Options::default()
    })
    .await
    .unwrap();
    let env = [("SMTP_URL", sandbox.smtp_url())];
    let env: Vec<_> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (Stack::start_on(host, &env, vec![]).await, sandbox)
}

/// The newest mail to this address, from the sandbox's API.
async fn mail_to(sandbox: &Sandbox, email: &str) -> Value {
    let url = format!("{}/sandbox/mails?to={email}", sandbox.base());
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
async fn mailed_link_resets_the_password_once() {
    let (stack, sandbox) = stack_and_sandbox().await;
    let before = stack.register(EMAIL).await;
    let forgotten = json!({"email": EMAIL, "lang": "fr"});
    let asked = stack.post("/api/auth/forgot-password", &forgotten);
    assert_eq!(status_and_code(asked).await.0, 202);

    let mail = mail_to(&sandbox, EMAIL).await;
    assert_eq!(mail["subject"], "Choisissez un nouveau mot de passe");
    let link = mail["links"][0].as_str().unwrap();
    let token = link
        .strip_prefix(&format!("{}/fr/forgot-password/?token=", stack.origin))
        .unwrap();
    let reset = |password: &str| {
        let body = json!({"token": token, "password": password});
        stack.post("/api/auth/reset-password", &body)
    };
    assert_eq!(status_and_code(reset(NEW)).await.0, 204);
    assert_eq!(
        status_and_code(reset("yet another walk")).await,
        (422, "LINK_EXPIRED".into())
    );

    let session = stack.get("/api/auth/session").header("cookie", &before.session);
    assert_eq!(body_of(session.send().await.unwrap()).await["logged_in"], false);
    assert_eq!(status_and_code(stack.login(EMAIL, PASSWORD)).await.0, 401);
    assert_eq!(status_and_code(stack.login(EMAIL, NEW)).await.0, 200);
}

#[tokio::test]
async fn sign_up_with_an_address_only_mails_a_link_to_set_a_password() {
    let (stack, sandbox) = stack_and_sandbox().await;
    let signup = json!({"email": EMAIL, "lang": "ar", "name": "User", "password": "placeholder"});
    let signed_up = stack.post("/api/auth/email-signup", &signup);
    assert_eq!(status_and_code(signed_up).await.0, 201);
    let mail = mail_to(&sandbox, EMAIL).await;
    assert!(mail["html"].as_str().unwrap().contains("dir=\"rtl\""));
    let link = mail["links"][0].as_str().unwrap();
    let (_, token) = link.split_once("/ar/forgot-password/?token=").unwrap();
    let body = json!({"token": token, "password": NEW});
    let reset = stack.post("/api/auth/reset-password", &body);
    assert_eq!(status_and_code(reset).await.0, 204);
    assert_eq!(status_and_code(stack.login(EMAIL, NEW)).await.0, 200);
}

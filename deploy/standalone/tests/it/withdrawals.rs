//! Withdrawal: checkout stores the declaration, auth sends the confirmation.
use std::time::Duration;

use kit::testing::TestHost;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::stack::{Stack, body_of};

const EMAIL: &str = "ada@example.com";

async fn stack_and_sandbox() -> (Stack, Sandbox) {
    let host = TestHost::start_for(&[auth::definition(), checkout::definition()]).await;
    let sandbox = Sandbox::start(Options {
        clock: host.clock().clone(),
        ..Options::default()
    })
    .await
    .unwrap();
    let smtp_url = sandbox.smtp_url();
    let env = [
        ("SMTP_URL", smtp_url.as_str()),
        (
            "CHECKOUT_SEED_DIR",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns"),
        ),
        ("STRIPE_API_BASE", "http://127.0.0.1:9"),
    ];
    (
        Stack::start_on(host, &env, vec![checkout::definition()]).await,
        sandbox,
    )
}

async fn until_mails(sandbox: &Sandbox, count: usize) {
    for _ in 0..300 {
        if sandbox.mails().len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(sandbox.mails().len(), count);
}

fn declared() -> Value {
    json!({"full_name": "Grace Hopper", "email": EMAIL, "reference": "my receipt 4711", "language": "de"})
}

#[tokio::test]
async fn declaration_is_confirmed_by_one_mail_in_its_language() {
    let (stack, sandbox) = stack_and_sandbox().await;
    let mut answers = Vec::new();
    for _ in 0..2 {
        let asked = stack.post("/api/withdrawals", &declared());
        let response = asked.header("idempotency-key", "one").send().await.unwrap();
        assert_eq!(response.status(), 202);
        answers.push(body_of(response).await);
    }
    assert_eq!(answers[0], answers[1], "asked twice, declared once");
    let id = answers[0]["id"].as_str().unwrap();

    until_mails(&sandbox, 1).await;
    let mail = &sandbox.mails()[0];
    assert_eq!(mail.to, [EMAIL]);
    assert_eq!(mail.content.subject, "Wir haben deinen Widerruf erhalten");
    let at: chrono::DateTime<chrono::Utc> = answers[0]["receivedAt"].as_str().unwrap().parse().unwrap();
    let time = at.format("%H:%M UTC").to_string();
    for said in [id, "Grace Hopper", EMAIL, "my receipt 4711", &time] {
        assert!(mail.content.text.contains(said), "{said}: {}", mail.content.text);
    }
    stack.host.published(&["checkout"]).await;
    stack.host.consumed(&["auth-withdrawals"]).await;
    stack.host.rounds("send-mails", 1).await;
    assert_eq!(sandbox.mails().len(), 1, "and confirmed once");
}

#[tokio::test]
async fn response_does_not_depend_on_an_account() {
    let (stack, sandbox) = stack_and_sandbox().await;
    stack.register(EMAIL).await;
    let mut shapes = Vec::new();
    for email in [EMAIL, "unknown@example.com"] {
        let mut body = declared();
        body["email"] = json!(email);
        let response = stack.post("/api/withdrawals", &body).send().await.unwrap();
        let status = response.status().as_u16();
        let names: Vec<String> = body_of(response)
            .await
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        shapes.push((status, names));
    }
    assert_eq!(shapes[0], shapes[1]);
    until_mails(&sandbox, 2).await;
}

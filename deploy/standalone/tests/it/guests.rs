//! Mails to guest buyers: checkout stores the address, auth sends the mail.
use std::time::Duration;

use reqwest::{Client, Method};
use sandbox::mail::Mail;
use serde_json::{Value, json};

use crate::stack::body_of;
use crate::test_env::TestEnv;

const EMAIL: &str = "guest@example.com";

/// Calls Stripe's API with a publishable or a secret key.
async fn stripe(env: &TestEnv, key: &str, path: &str, form: &[(&str, &str)]) -> Value {
    let url = format!("{}/v1/{path}", env.sandbox.stripe_base());
    let request = Client::new().request(Method::POST, url).bearer_auth(key);
    let response = request.form(form).send().await.unwrap();
    let status = response.status();
    let body = body_of(response).await;
    assert!(status.is_success(), "{path}: {status} {body}");
    body
}

/// Returns the order and its payment intent.
async fn buys_a_course(env: &TestEnv) -> (String, String) {
    let asked = json!({"campaign": "live-program", "language": "de", "country": "DE"});
    let offer = env.stack.post("/api/web-campaign-landing", &asked).send().await;
    let offer = body_of(offer.unwrap()).await;
    let wanted = json!({"price_id": offer["data"]["price_id"], "language": "de", "country": "DE"});
    let opened = env.stack.post("/api/one-time/create-intent", &wanted);
    let opened = opened.header("idempotency-key", "one").send().await.unwrap();
    let opened = body_of(opened).await;
    let secret = opened["data"]["clientSecret"].as_str().unwrap();
    let (intent, _) = secret.split_once("_secret_").unwrap();
    let card = [
        ("type", "card"),
        ("card[number]", "4242424242424242"),
        ("card[exp_month]", "12"),
        ("card[exp_year]", "2034"),
        ("card[cvc]", "123"),
        ("billing_details[email]", EMAIL),
        ("billing_details[name]", "Grace Hopper"),
    ];
    let card = stripe(env, "pk_test_stillpoint", "payment_methods", &card).await;
    let path = format!("payment_intents/{intent}/confirm");
    let form = [
        ("client_secret", secret),
        ("payment_method", card["id"].as_str().unwrap()),
    ];
    let paid = stripe(env, "pk_test_stillpoint", &path, &form).await;
    assert_eq!(paid["status"], "succeeded", "{paid}");
    (
        opened["data"]["orderId"].as_str().unwrap().to_owned(),
        intent.to_owned(),
    )
}

async fn until_mails(env: &TestEnv, count: usize) -> Vec<Mail> {
    for _ in 0..400 {
        if env.sandbox.mails().len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mails = env.sandbox.mails();
    assert_eq!(mails.len(), count, "{mails:?}");
    mails
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_get_receipt_and_refund_mails_in_their_language() {
    let env = TestEnv::start().await;
    let (order, intent) = buys_a_course(&env).await;
    let receipt = until_mails(&env, 1).await.remove(0);
    assert_eq!(receipt.to, [EMAIL]);
    assert_eq!(receipt.content.subject, "Deine Quittung");
    assert!(receipt.content.text.contains(&format!("Bestellnummer: {order}")));
    assert!(
        !receipt.content.text.contains("Hopper"),
        "nothing that they typed"
    );

    let all = [("payment_intent", intent.as_str())];
    stripe(&env, "sk_test_stillpoint", "refunds", &all).await;
    let refund_mail = until_mails(&env, 2).await.remove(1);
    assert_eq!(refund_mail.to, [EMAIL]);
    assert!(
        refund_mail.content.text.contains(&order),
        "{}",
        refund_mail.content.text
    );
    // The row is deleted after the mail is sent.
    env.eventually("select count(*) from auth.mail_outbox", 0).await;
}

//! Coaching and therapy roles: granted by a paid entitlement, not by a product's name.
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::erasure::member::card;
use crate::stack::body_of;
use crate::test_env::TestEnv;

struct Member {
    env: TestEnv,
    session: String,
}

impl Member {
    async fn join() -> Self {
        let env = TestEnv::start().await;
        let session = env.stack.register("ada@example.com").await.session;
        Self { env, session }
    }

    async fn call(&self, request: RequestBuilder) -> Value {
        let response = request.header("cookie", &self.session).send().await.unwrap();
        let status = response.status();
        let body = body_of(response).await;
        assert!(status.is_success(), "{status} {body}");
        body
    }

    async fn offer(&self, campaign: &str) -> Value {
        let asked = json!({"campaign": campaign, "language": "tr"});
        let offer = self.env.stack.post("/api/web-campaign", &asked);
        self.call(offer).await["data"].clone()
    }

    async fn subscribe(&self, campaign: &str) {
        let purchase = json!({
            "price_id": self.offer(campaign).await["price_id"], "payment_method_id": card(&self.env).await,
            "country": "TR", "language": "tr",
        });
        let bought = self.env.stack.post("/api/create-subscription-fixed", &purchase);
        let bought = self.call(bought).await;
        assert_eq!(bought["data"]["status"], "active", "{bought}");
    }

    /// Pays a lifetime order; returns the provider's id of the payment.
    async fn buy_for_good(&self) -> String {
        let price_id = self.offer("lifetime").await["price_id"].clone();
        let wanted = json!({"price_id": price_id, "source": "lifetime", "country": "TR", "language": "tr"});
        let opened = self.env.stack.post("/api/create-payment-intent", &wanted);
        let opened = self.call(opened).await;
        let intent = opened["data"]["paymentIntentId"].as_str().unwrap().to_owned();
        let card = card(&self.env).await;
        let form = [
            ("payment_method", card.as_str()),
            ("client_secret", opened["clientSecret"].as_str().unwrap()),
        ];
        self.stripe(
            &format!("payment_intents/{intent}/confirm"),
            "pk_test_stillpoint",
            &form,
        )
        .await;
        intent
    }

    async fn stripe(&self, path: &str, key: &str, form: &[(&str, &str)]) {
        let url = format!("{}/v1/{path}", self.env.sandbox.stripe_base());
        let asked = reqwest::Client::new().post(url).bearer_auth(key).form(form);
        let response = asked.send().await.unwrap();
        let status = response.status();
        assert!(
            status.is_success(),
            "{path}: {status} {}",
            body_of(response).await
        );
    }

    async fn is(&self, role: &str) -> bool {
        let session = self.call(self.env.stack.get("/api/auth/session")).await;
        session["user"][role] == json!(true)
    }

    async fn becomes(&self, role: &str) {
        for _ in 0..400 {
            if self.is(role).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{role} never came true");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn paid_coaching_or_therapy_grants_the_role() {
    let member = Member::join().await;
    assert!(!member.is("isCoachingUser").await);
    let offer = member.offer("coaching-monthly").await;
    assert_eq!(offer["opens"], json!(["premium", "coaching"]));
    member.subscribe("coaching-monthly").await;
    member.becomes("isCoachingUser").await;
    assert!(!member.is("isTherapyUser").await);

    // Another session, by the saved card.
    let price_id = member.offer("addition-therapy").await["price_id"].clone();
    let session = json!({"price_id": price_id, "source": "therapy_addition", "country": "TR", "lang": "tr"});
    let bought = member
        .call(member.env.stack.post("/api/addition/confirm", &session))
        .await;
    assert_eq!(bought["status"], true, "{bought}");
    member.becomes("isTherapyUser").await;
    assert!(member.is("isCoachingUser").await);
}

/// Members with premium.
const PREMIUM: &str = "select count(*) from auth.account where is_premium_user";

#[tokio::test(flavor = "multi_thread")]
async fn full_refund_of_a_lifetime_order_ends_premium() {
    let member = Member::join().await;
    let intent = member.buy_for_good().await;
    member.env.eventually(PREMIUM, 1).await;
    let refunds = "select count(*) from auth.inbox where consumer = 'auth-refunds'";
    let refund = async |form: &[(&str, &str)]| member.stripe("refunds", "sk_test_stillpoint", form).await;
    refund(&[("payment_intent", intent.as_str()), ("amount", "1000")]).await;
    member.env.eventually(refunds, 1).await;
    assert_eq!(member.env.count(PREMIUM).await, 1, "a part is kept");
    refund(&[("payment_intent", intent.as_str())]).await;
    member.env.eventually(PREMIUM, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paid_premium_grants_neither_role() {
    let member = Member::join().await;
    member.subscribe("web-monthly").await;
    for _ in 0..400 {
        if member.env.count(PREMIUM).await == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(member.env.count(PREMIUM).await, 1);
    assert!(!member.is("isCoachingUser").await && !member.is("isTherapyUser").await);
}

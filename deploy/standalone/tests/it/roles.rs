//! How a member becomes a coaching or a therapy member: by paying for it, and by nothing that a product is called.
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::house::body_of;
use crate::leaving::World;
use crate::leaving::member::card;

struct Member {
    world: World,
    session: String,
}

impl Member {
    async fn join() -> Self {
        let world = World::start().await;
        let session = world.house.register("ada@example.com").await.session;
        Self { world, session }
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
        let offer = self.world.house.post("/api/web-campaign", &asked);
        self.call(offer).await["data"].clone()
    }

    async fn subscribe(&self, campaign: &str) {
        let purchase = json!({
            "price_id": self.offer(campaign).await["price_id"], "payment_method_id": card(&self.world).await,
            "country": "TR", "language": "tr",
        });
        let bought = self.world.house.post("/api/create-subscription-fixed", &purchase);
        let bought = self.call(bought).await;
        assert_eq!(bought["data"]["status"], "active", "{bought}");
    }

    async fn is(&self, role: &str) -> bool {
        let session = self.call(self.world.house.get("/api/auth/session")).await;
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
async fn who_pays_for_coaching_or_a_therapy_session_has_the_role() {
    let member = Member::join().await;
    assert!(!member.is("isCoachingUser").await);
    let offer = member.offer("coaching-monthly").await;
    assert_eq!(offer["opens"], json!(["premium", "coaching"]));
    member.subscribe("coaching-monthly").await;
    member.becomes("isCoachingUser").await;
    assert!(!member.is("isTherapyUser").await);

    // Another session, by the card they have left.
    let price_id = member.offer("addition-therapy").await["price_id"].clone();
    let session = json!({"price_id": price_id, "source": "therapy_addition", "country": "TR", "lang": "tr"});
    let bought = member
        .call(member.world.house.post("/api/addition/confirm", &session))
        .await;
    assert_eq!(bought["status"], true, "{bought}");
    member.becomes("isTherapyUser").await;
    assert!(member.is("isCoachingUser").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pays_for_premium_has_neither_role() {
    let member = Member::join().await;
    member.subscribe("web-monthly").await;
    let premium = "select count(*) from auth.account where is_premium_user";
    for _ in 0..400 {
        if member.world.count(premium).await == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(member.world.count(premium).await, 1);
    assert!(!member.is("isCoachingUser").await && !member.is("isTherapyUser").await);
}

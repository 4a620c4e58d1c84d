//! Somebody who uses everything there is, with a mark of their own in every field.
use kit::ids::new_uuid;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::World;
use crate::house::{PASSWORD, body_of};

pub struct Member {
    /// What every text of theirs contains.
    pub mark: &'static str,
    pub session: String,
    pub user_id: String,
    pub email: String,
    pub survey_order: String,
    pub customer_id: String,
    pub card: String,
}

impl Member {
    pub async fn live(world: &World, mark: &'static str) -> Self {
        let (survey_order, held) = begin_survey(world, mark).await;
        let mut member = register(world, mark, survey_order).await;
        member.take_survey(world, &held).await;
        member.use_account(world).await;
        member.buy(world).await;
        member.be_seen(world).await;
        member.ask_the_model(world).await;
        member
    }

    fn word(&self, what: &str) -> String {
        format!("{}{what}", self.mark)
    }

    fn as_them(&self, request: RequestBuilder) -> RequestBuilder {
        request
            .header("cookie", &self.session)
            .header("user-agent", format!("{} Firefox/144.0 (Android)", self.mark))
    }

    async fn call(&self, request: RequestBuilder) -> Value {
        let response = self.as_them(request).send().await.unwrap();
        let (status, url) = (response.status(), response.url().clone());
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{url}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    async fn use_account(&mut self, world: &World) {
        let house = &world.house;
        // A sign-in ends the browser's former session.
        let signed_in = self.as_them(house.login(&self.email, PASSWORD));
        self.session = session_of(&signed_in.send().await.unwrap());
        let wrong = house.login(&self.email, &self.word("guess"));
        assert_eq!(self.as_them(wrong).send().await.unwrap().status(), 401);
        // Another address waits to be confirmed.
        let email = format!("{}new@example.com", self.mark);
        let profile = json!({"fullname": self.word("renamed"), "email": email, "password": PASSWORD});
        self.call(house.request("PUT", "/api/profile").json(&profile))
            .await;
        self.call(house.post("/api/auth/forgot-password", &json!({"email": self.email})))
            .await;
        self.call(house.post("/api/auth/handoff-tokens", &json!({"purpose": "autologin"})))
            .await;
        self.call(house.get("/users/temporary-premium?subscriptionType=soul"))
            .await;
        self.call(house.post("/api/auth/access-tokens", &json!({}))).await;
        self.call(house.get("/api/auth/devices")).await;
    }

    async fn buy(&mut self, world: &World) {
        let house = &world.house;
        let asked =
            json!({"campaign": "web-monthly", "language": "tr", "utm_content": self.word("campaign")});
        let offer = self.call(house.post("/api/web-campaign", &asked)).await;
        self.card = card(world).await;
        let purchase = json!({
            "price_id": offer["data"]["priceId"].as_str().or(offer["data"]["price_id"].as_str()).unwrap(),
            "payment_method_id": self.card, "country": "TR", "language": "tr",
            "utm_content": self.word("order"), "utm_source": "mail",
        });
        let bought = house
            .post("/api/create-subscription-fixed", &purchase)
            .header("idempotency-key", self.word("purchase"));
        let bought = self.call(bought).await;
        assert_eq!(bought["data"]["status"], "active", "{bought}");
        self.customer_id =
            sqlx::query_scalar("select stripe_customer_id from checkout.customer where user_id = $1")
                .bind(&self.user_id)
                .fetch_one(&world.pool)
                .await
                .unwrap();
    }

    /// What pages report where somebody may be recognised.
    async fn be_seen(&self, world: &World) {
        let house = &world.house;
        let view = json!({
            "fullPath": format!("/en/payment/?utm_content={}", self.word("path")), "pageType": self.word("page"),
            "event": "pageload", "orderid": self.survey_order, "userid": self.user_id,
        });
        self.call(house.post("/api/analytics/special-program-events", &view))
            .await;
        let id = new_uuid(house.host.clock().now()).to_string();
        let who = json!({
            "id": sha256(&self.user_id), "email": sha256(&self.email), "name": sha256(&self.word("renamed")),
            "url": format!("https://stillpoint.example/en/?utm_content={}", self.word("url")),
        });
        let events = json!({"events": [{"id": id, "name": "user", "fields": who}]});
        self.call(house.post("/api/analytics/events", &events)).await;
    }

    /// Shows that the answers are theirs.
    async fn take_survey(&self, world: &World, held: &str) {
        let claim = world
            .house
            .post("/specialprogram/idupdate", &json!({"orderid": self.survey_order}))
            .header("cookie", format!("{}; {held}", self.session));
        assert_eq!(claim.send().await.unwrap().status(), 200);
    }

    async fn ask_the_model(&self, world: &World) {
        let question = json!({"q": format!("What does {} long for?", self.word("question")), "lang": "en"});
        let asked = world.house.post("/v1/external/chats/ai", &question);
        let told = self.as_them(asked).send().await.unwrap();
        assert_eq!(told.status(), 200);
        told.text().await.unwrap();
    }
}

/// The order, and the cookie that opens its answers.
async fn begin_survey(world: &World, mark: &str) -> (String, String) {
    let asked = json!({
        "flow": 1, "variant": 15, "abgroup": format!("{mark}group"), "producttype": format!("{mark}product"),
        "lang": "tr", "utm_content": format!("{mark}survey"),
    });
    let order = world.house.post("/api/survey/orders", &asked);
    let order = order.header("idempotency-key", format!("{mark}surveykey"));
    let response = order.send().await.unwrap();
    let held = response.headers()["set-cookie"].to_str().unwrap();
    let held = held.split(';').next().unwrap().to_owned();
    let order = body_of(response).await["orderid"].as_str().unwrap().to_owned();
    let answers = json!({
        "answers": {"nights": [format!("{mark}answer")]}, "program": format!("{mark}program"),
    });
    let saved = world
        .house
        .request("PUT", "/api/survey/answers")
        .json(&answers)
        .header("cookie", &held);
    assert_eq!(saved.send().await.unwrap().status(), 204);
    (order, held)
}

async fn register(world: &World, mark: &'static str, survey_order: String) -> Member {
    let email = format!("{mark}first@example.com");
    let form = json!({
        "name": format!("{mark}name Lovelace"), "email": email, "password": PASSWORD, "lang": "tr", "country": "TR",
        "orderid": survey_order,
    });
    let request = world.house.post("/api/auth/register", &form);
    let response = request.header("idempotency-key", format!("{mark}register"));
    let response = response.send().await.unwrap();
    assert_eq!(response.status(), 201);
    let session = session_of(&response);
    let user_id = body_of(response).await["user"]["user_id"]
        .as_str()
        .unwrap()
        .to_owned();
    Member {
        mark,
        session,
        user_id,
        email,
        survey_order,
        customer_id: String::new(),
        card: String::new(),
    }
}

pub async fn card(world: &World) -> String {
    let url = format!("{}/v1/payment_methods", world.sandbox.stripe_base());
    let form = [
        ("type", "card"),
        ("card[number]", "4242424242424242"),
        ("card[exp_month]", "12"),
        ("card[exp_year]", "2034"),
        ("card[cvc]", "123"),
    ];
    let request = reqwest::Client::new().post(url).bearer_auth("pk_test_stillpoint");
    let card = body_of(request.form(&form).send().await.unwrap()).await;
    card["id"].as_str().unwrap().to_owned()
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text.trim().to_lowercase().as_bytes()))
}

fn session_of(response: &Response) -> String {
    let cookies = response.headers().get_all("set-cookie").iter();
    cookies
        .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap())
        .find(|cookie| cookie.starts_with("stillpoint_session="))
        .unwrap()
        .to_owned()
}

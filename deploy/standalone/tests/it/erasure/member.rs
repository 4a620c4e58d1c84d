//! A member who uses all features, with a unique marker in every text field.
use kit::ids::new_uuid;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::stack::{PASSWORD, body_of};
use crate::test_env::TestEnv;

pub struct Member {
    /// Contained in every text of this member.
    pub marker: &'static str,
    pub session: String,
    pub user_id: String,
    pub email: String,
    pub survey_order: String,
    pub customer_id: String,
    pub card: String,
}

impl Member {
    pub async fn use_everything(env: &TestEnv, marker: &'static str) -> Self {
        let (survey_order, survey_cookie) = begin_survey(env, marker).await;
        let mut member = register(env, marker, survey_order).await;
        member.claim_survey(env, &survey_cookie).await;
        member.use_account(env).await;
        member.buy(env).await;
        member.send_web_events(env).await;
        member.ask_the_model(env).await;
        member
    }

    fn marked(&self, what: &str) -> String {
        format!("{}{what}", self.marker)
    }

    fn authenticated(&self, request: RequestBuilder) -> RequestBuilder {
        request
            .header("cookie", &self.session)
            .header("user-agent", format!("{} Firefox/144.0 (Android)", self.marker))
    }

    async fn call(&self, request: RequestBuilder) -> Value {
        let response = self.authenticated(request).send().await.unwrap();
        let (status, url) = (response.status(), response.url().clone());
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{url}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    async fn use_account(&mut self, env: &TestEnv) {
        let stack = &env.stack;
        // A sign-in ends the browser's previous session.
        let signed_in = self.authenticated(stack.login(&self.email, PASSWORD));
        self.session = session_of(&signed_in.send().await.unwrap());
        let wrong = stack.login(&self.email, &self.marked("guess"));
        assert_eq!(self.authenticated(wrong).send().await.unwrap().status(), 401);
        // Leaves an unconfirmed change of the e-mail address.
        let email = format!("{}new@example.com", self.marker);
        let profile = json!({"fullname": self.marked("renamed"), "email": email, "password": PASSWORD});
        self.call(stack.request("PUT", "/api/profile").json(&profile))
            .await;
        self.call(stack.post("/api/auth/forgot-password", &json!({"email": self.email})))
            .await;
        self.call(stack.post("/api/auth/handoff-tokens", &json!({"purpose": "autologin"})))
            .await;
        self.call(stack.get("/users/temporary-premium?subscriptionType=soul"))
            .await;
        self.call(stack.post("/api/auth/access-tokens", &json!({}))).await;
        self.call(stack.get("/api/auth/devices")).await;
    }

    async fn buy(&mut self, env: &TestEnv) {
        let stack = &env.stack;
        let asked =
            json!({"campaign": "web-monthly", "language": "tr", "utm_content": self.marked("campaign")});
        let offer = self.call(stack.post("/api/web-campaign", &asked)).await;
        self.card = card(env).await;
        let purchase = json!({
            "price_id": offer["data"]["priceId"].as_str().or(offer["data"]["price_id"].as_str()).unwrap(),
            "payment_method_id": self.card, "country": "TR", "language": "tr",
            "utm_content": self.marked("order"), "utm_source": "mail",
        });
        let bought = stack
            .post("/api/create-subscription-fixed", &purchase)
            .header("idempotency-key", self.marked("purchase"));
        let bought = self.call(bought).await;
        assert_eq!(bought["data"]["status"], "active", "{bought}");
        self.customer_id =
            sqlx::query_scalar("select stripe_customer_id from checkout.customer where user_id = $1")
                .bind(&self.user_id)
                .fetch_one(&env.pool)
                .await
                .unwrap();
    }

    /// Events that pages send with consent.
    async fn send_web_events(&self, env: &TestEnv) {
        let stack = &env.stack;
        let view = json!({
            "fullPath": format!("/en/payment/?utm_content={}", self.marked("path")), "pageType": self.marked("page"),
            "event": "pageload", "orderid": self.survey_order, "userid": self.user_id,
        });
        self.call(stack.post("/api/analytics/special-program-events", &view))
            .await;
        let id = new_uuid(stack.host.clock().now()).to_string();
        let who = json!({
            "id": sha256(&self.user_id), "email": sha256(&self.email), "name": sha256(&self.marked("renamed")),
            "url": format!("https://stillpoint.example/en/?utm_content={}", self.marked("url")),
        });
        let events = json!({"events": [{"id": id, "name": "user", "fields": who}]});
        self.call(stack.post("/api/analytics/events", &events)).await;
    }

    /// Claims the survey order with its cookie.
    async fn claim_survey(&self, env: &TestEnv, survey_cookie: &str) {
        let claim = env
            .stack
            .post("/specialprogram/idupdate", &json!({"orderid": self.survey_order}))
            .header("cookie", format!("{}; {survey_cookie}", self.session));
        assert_eq!(claim.send().await.unwrap().status(), 200);
    }

    async fn ask_the_model(&self, env: &TestEnv) {
        let question = json!({"q": format!("What does {} long for?", self.marked("question")), "lang": "en"});
        let asked = env.stack.post("/v1/external/chats/ai", &question);
        let response = self.authenticated(asked).send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.text().await.unwrap();
    }
}

/// The order, and the cookie that authorises its answers.
async fn begin_survey(env: &TestEnv, marker: &str) -> (String, String) {
    let asked = json!({
        "flow": 1, "variant": 15, "abgroup": format!("{marker}group"), "producttype": format!("{marker}product"),
        "lang": "tr", "utm_content": format!("{marker}survey"),
    });
    let order = env.stack.post("/api/survey/orders", &asked);
    let order = order.header("idempotency-key", format!("{marker}surveykey"));
    let response = order.send().await.unwrap();
    let survey_cookie = response.headers()["set-cookie"].to_str().unwrap();
    let survey_cookie = survey_cookie.split(';').next().unwrap().to_owned();
    let order = body_of(response).await["orderid"].as_str().unwrap().to_owned();
    let answers = json!({
        "answers": {"nights": [format!("{marker}answer")]}, "program": format!("{marker}program"),
    });
    let saved = env
        .stack
        .request("PUT", "/api/survey/answers")
        .json(&answers)
        .header("cookie", &survey_cookie);
    assert_eq!(saved.send().await.unwrap().status(), 204);
    (order, survey_cookie)
}

async fn register(env: &TestEnv, marker: &'static str, survey_order: String) -> Member {
    let email = format!("{marker}first@example.com");
    let form = json!({
        "name": format!("{marker}name Lovelace"), "email": email, "password": PASSWORD, "lang": "tr", "country": "TR",
        "orderid": survey_order,
    });
    let request = env.stack.post("/api/auth/register", &form);
    let response = request.header("idempotency-key", format!("{marker}register"));
    let response = response.send().await.unwrap();
    assert_eq!(response.status(), 201);
    let session = session_of(&response);
    let user_id = body_of(response).await["user"]["user_id"]
        .as_str()
        .unwrap()
        .to_owned();
    Member {
        marker,
        session,
        user_id,
        email,
        survey_order,
        customer_id: String::new(),
        card: String::new(),
    }
}

pub async fn card(env: &TestEnv) -> String {
    let url = format!("{}/v1/payment_methods", env.sandbox.stripe_base());
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

pub fn session_of(response: &Response) -> String {
    let cookies = response.headers().get_all("set-cookie").iter();
    cookies
        .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap())
        .find(|cookie| cookie.starts_with("stillpoint_session="))
        .unwrap()
        .to_owned()
}

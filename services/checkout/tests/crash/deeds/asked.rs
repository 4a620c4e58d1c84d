//! Those whom their bank may ask, and what the page does about it.

use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ConfirmIntentRequest, ConfirmSubscriptionRequest, CreateIntentRequest, CreateIntentResponse,
    CreateSubscriptionRequest,
};
use reqwest::RequestBuilder;
use serde_json::Value;
use tonic::Status;

use super::acts::{intent, is_so, later};
use super::{Person, Sweep};

const BROWSER_KEY: &str = "pk_test_stillpoint";

impl Sweep {
    pub async fn pay_once(&self, person: &Person) -> Result<(), Status> {
        let request = intent(person, Purpose::Payment);
        let opened = self.scene.client().create_intent(request).await?.into_inner();
        self.pay_opened(person, &opened).await
    }

    pub async fn begin_paid_trial(&self, person: &Person) -> Result<(), Status> {
        let runs = async || {
            let owned = self.owned(person).await;
            owned.is_ok_and(|owned| owned.status == "trialing")
        };
        if runs().await {
            return Ok(());
        }
        let opened = self.scene.client().create_intent(trial(person)).await?;
        self.pay_opened(person, &opened.into_inner()).await?;
        is_so("begun", runs().await)
    }

    /// Opens it and does not pay: the secret to pay it by.
    pub async fn open_trial(&self, person: &Person) -> String {
        let opened = self.scene.client().create_intent(trial(person)).await.unwrap();
        opened.into_inner().client_secret
    }

    /// They have subscribed in another tab.
    pub async fn pay_beside(&self, person: &Person) -> Result<(), Status> {
        if self.refund_of(&person.user_id).await.as_deref() == Some("succeeded") {
            return Ok(());
        }
        self.pay_in_browser(person, &person.before).await?;
        let (intent, _) = person.before.split_once("_secret_").unwrap();
        self.confirm(person, intent).await?;
        Err(later("not given back yet"))
    }

    pub async fn subscribe(&self, person: &Person) -> Result<(), Status> {
        let request = CreateSubscriptionRequest {
            user_id: person.user_id.clone(),
            email: format!("buyer{}@example.com", person.number),
            price_id: person.before.clone(),
            payment_method_id: person.card.clone(),
            idempotency_key: format!("click-{}", person.number),
            ..Default::default()
        };
        let asked = self
            .scene
            .client()
            .create_subscription(request)
            .await?
            .into_inner();
        if asked.payment_status == "succeeded" {
            return Ok(());
        }
        is_so("asked", asked.payment_status == "requires_action")?;
        self.answer_the_bank(&asked.client_secret).await?;
        let request = ConfirmSubscriptionRequest {
            user_id: person.user_id.clone(),
            subscription_id: asked.subscription.unwrap_or_default().subscription_id,
        };
        let confirmed = self.scene.client().confirm_subscription(request).await?;
        is_so("paid", confirmed.into_inner().payment_status == "succeeded")
    }

    async fn pay_opened(&self, person: &Person, opened: &CreateIntentResponse) -> Result<(), Status> {
        if opened.payment_status == "succeeded" {
            return Ok(());
        }
        is_so("opened", !opened.client_secret.is_empty())?;
        self.pay_in_browser(person, &opened.client_secret).await?;
        self.confirm(person, &opened.payment_intent_id).await
    }

    async fn confirm(&self, person: &Person, intent: &str) -> Result<(), Status> {
        let request = ConfirmIntentRequest {
            user_id: person.user_id.clone(),
            payment_intent_id: intent.to_owned(),
        };
        let confirmed = self.scene.client().confirm_intent(request).await?.into_inner();
        is_so("paid", confirmed.payment_status == "succeeded")
    }

    async fn pay_in_browser(&self, person: &Person, secret: &str) -> Result<(), Status> {
        if self.status_in_browser(secret).await? == "requires_payment_method" {
            let (intent, _) = secret.split_once("_secret_").unwrap();
            let form = [
                ("payment_method", person.card.as_str()),
                ("client_secret", secret),
            ];
            let url = self.stripe(&format!("payment_intents/{intent}/confirm"));
            browse(self.http.post(url).form(&form)).await?;
        }
        self.answer_the_bank(secret).await
    }

    async fn answer_the_bank(&self, secret: &str) -> Result<(), Status> {
        if self.status_in_browser(secret).await? != "requires_action" {
            return Ok(());
        }
        let (source, _) = secret.split_once("_secret_").unwrap();
        let form = [
            ("source", source),
            ("client_secret", secret),
            ("outcome", "succeeded"),
        ];
        let url = self.stripe("3ds2/challenge_complete");
        browse(self.http.post(url).form(&form)).await.map(drop)
    }

    async fn status_in_browser(&self, secret: &str) -> Result<String, Status> {
        let (intent, _) = secret.split_once("_secret_").unwrap();
        let url = self.stripe(&format!("payment_intents/{intent}?client_secret={secret}"));
        let shown = browse(self.http.get(url)).await?;
        Ok(shown["status"].as_str().unwrap_or_default().to_owned())
    }

    pub fn stripe(&self, path: &str) -> String {
        format!("{}/v1/{path}", self.scene.twin.stripe_base())
    }
}

fn trial(person: &Person) -> CreateIntentRequest {
    CreateIntentRequest {
        starts_price_id: person.starts.clone(),
        ..intent(person, Purpose::Trial)
    }
}

/// These calls are lost like any other; the page tries again.
async fn browse(request: RequestBuilder) -> Result<Value, Status> {
    let lost = |error: reqwest::Error| later(&error.to_string());
    let answer = request.bearer_auth(BROWSER_KEY).send().await.map_err(lost)?;
    let answer = answer.error_for_status().map_err(lost)?;
    answer.json().await.map_err(lost)
}

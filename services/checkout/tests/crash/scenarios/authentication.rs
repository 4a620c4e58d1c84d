//! Payments that require 3-D Secure, and the page's part in it.

use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ConfirmIntentRequest, ConfirmSubscriptionRequest, CreateIntentRequest, CreateIntentResponse,
    CreateSubscriptionRequest,
};
use reqwest::RequestBuilder;
use serde_json::Value;
use tonic::Status;

use super::actions::{OrLater, intent, later};
use super::{Actor, Sweep};

const BROWSER_KEY: &str = "pk_test_stillpoint";

impl Sweep {
    pub async fn pay_once(&self, actor: &Actor) -> Result<(), Status> {
        let request = intent(actor, Purpose::Payment);
        let opened = self.fixture.client().create_intent(request).await?.into_inner();
        self.pay_opened(actor, &opened).await
    }

    pub async fn begin_paid_trial(&self, actor: &Actor) -> Result<(), Status> {
        let runs = async || {
            let owned = self.owned(actor).await;
            owned.is_ok_and(|owned| owned.status == "trialing")
        };
        if runs().await {
            return Ok(());
        }
        let opened = self.fixture.client().create_intent(trial(actor)).await?;
        self.pay_opened(actor, &opened.into_inner()).await?;
        runs().await.or_later("begun")
    }

    /// Opens it and does not pay: the secret to pay it by.
    pub async fn open_trial(&self, actor: &Actor) -> String {
        let opened = self.fixture.client().create_intent(trial(actor)).await.unwrap();
        opened.into_inner().client_secret
    }

    /// They have subscribed in another tab.
    pub async fn pay_beside(&self, actor: &Actor) -> Result<(), Status> {
        if self.refund_of(&actor.user_id).await.as_deref() == Some("succeeded") {
            return Ok(());
        }
        self.pay_in_browser(actor, &actor.before).await?;
        let (intent, _) = actor.before.split_once("_secret_").unwrap();
        self.confirm(actor, intent).await?;
        Err(later("not given back yet"))
    }

    pub async fn subscribe(&self, actor: &Actor) -> Result<(), Status> {
        let request = CreateSubscriptionRequest {
            user_id: actor.user_id.clone(),
            email: format!("buyer{}@example.com", actor.number),
            price_id: actor.before.clone(),
            payment_method_id: actor.card.clone(),
            idempotency_key: format!("click-{}", actor.number),
            ..Default::default()
        };
        let asked = self
            .fixture
            .client()
            .create_subscription(request)
            .await?
            .into_inner();
        if asked.payment_status == "succeeded" {
            return Ok(());
        }
        (asked.payment_status == "requires_action").or_later("asked")?;
        self.answer_the_bank(&asked.client_secret).await?;
        let request = ConfirmSubscriptionRequest {
            user_id: actor.user_id.clone(),
            subscription_id: asked.subscription.unwrap_or_default().subscription_id,
        };
        let confirmed = self.fixture.client().confirm_subscription(request).await?;
        (confirmed.into_inner().payment_status == "succeeded").or_later("paid")
    }

    async fn pay_opened(&self, actor: &Actor, opened: &CreateIntentResponse) -> Result<(), Status> {
        if opened.payment_status == "succeeded" {
            return Ok(());
        }
        (!opened.client_secret.is_empty()).or_later("opened")?;
        self.pay_in_browser(actor, &opened.client_secret).await?;
        self.confirm(actor, &opened.payment_intent_id).await
    }

    async fn confirm(&self, actor: &Actor, intent: &str) -> Result<(), Status> {
        let request = ConfirmIntentRequest {
            user_id: actor.user_id.clone(),
            payment_intent_id: intent.to_owned(),
        };
        let confirmed = self.fixture.client().confirm_intent(request).await?.into_inner();
        (confirmed.payment_status == "succeeded").or_later("paid")
    }

    async fn pay_in_browser(&self, actor: &Actor, secret: &str) -> Result<(), Status> {
        if self.status_in_browser(secret).await? == "requires_payment_method" {
            let (intent, _) = secret.split_once("_secret_").unwrap();
            let form = [("payment_method", actor.card.as_str()), ("client_secret", secret)];
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
        format!("{}/v1/{path}", self.fixture.fake_provider.stripe_base())
    }
}

fn trial(actor: &Actor) -> CreateIntentRequest {
    CreateIntentRequest {
        starts_price_id: actor.starts.clone(),
        ..intent(actor, Purpose::Trial)
    }
}

/// These calls are lost like any other; the page tries again.
async fn browse(request: RequestBuilder) -> Result<Value, Status> {
    let lost = |error: reqwest::Error| later(&error.to_string());
    let answer = request.bearer_auth(BROWSER_KEY).send().await.map_err(lost)?;
    let answer = answer.error_for_status().map_err(lost)?;
    answer.json().await.map_err(lost)
}

//! The requests of pages and providers, repeated until they succeed.

use proto::checkout::v1::change_subscription_request::Change;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ConfirmPlatronPaymentRequest, CreateGiftRequest, CreateIntentRequest,
    LinkPaypalSubscriptionRequest, Provider, ReceiveWebhookRequest, SettleSurveyOrderRequest, Subscription,
};
use sandbox::{platron, yookassa};
use serde_json::json;
use tonic::Status;

use super::actors::OTHER_LAST4;
use super::outcome::Scenario;
use super::{Actor, Sweep};

pub fn later(what: &str) -> Status {
    Status::unavailable(what.to_owned())
}

pub trait OrLater {
    /// `what` is not so yet, and is tried again.
    fn or_later(self, what: &str) -> Result<(), Status>;
}

impl OrLater for bool {
    fn or_later(self, what: &str) -> Result<(), Status> {
        if self { Ok(()) } else { Err(later(what)) }
    }
}

pub fn intent(actor: &Actor, purpose: Purpose) -> CreateIntentRequest {
    CreateIntentRequest {
        purpose: purpose.into(),
        user_id: actor.user_id.clone(),
        email: "buyer@example.com".into(),
        price_id: actor.before.clone(),
        idempotency_key: format!("click-{}", actor.number),
        ..Default::default()
    }
}

impl Sweep {
    /// What a page or a provider does, as often as it takes. Done once, it says so without doing anything again.
    pub async fn act(&self, actor: &Actor) -> Result<(), Status> {
        match self.scenario {
            Scenario::OneTime | Scenario::OneTimeAsked => self.pay_once(actor).await,
            Scenario::MonthAsked => self.subscribe(actor).await,
            Scenario::PaidTrial => self.begin_paid_trial(actor).await,
            Scenario::Addition => self.add(actor).await,
            Scenario::Survey => self.settle_survey(actor).await,
            Scenario::Yookassa => self.pay_by_widget(actor).await,
            Scenario::PlatronGift => self.give(actor).await,
            Scenario::Paypal => self.link(actor).await,
            Scenario::Cancel | Scenario::Plan | Scenario::LaterPlan | Scenario::Card => {
                self.change(actor).await
            }
            Scenario::Renewal => self.renew(actor).await,
            Scenario::YookassaRenewal | Scenario::PlatronRenewal => self.renew_ourselves(actor).await,
            Scenario::Overdue => self.pay_overdue(actor).await,
            Scenario::Refund
            | Scenario::YookassaRefund
            | Scenario::PlatronRefund
            | Scenario::PaypalRefund => self.refund(actor).await,
            Scenario::Withdrawal => self.withdraw(actor).await,
            Scenario::DuplicateCapture => self.pay_beside(actor).await,
        }
    }

    async fn add(&self, actor: &Actor) -> Result<(), Status> {
        let request = intent(actor, Purpose::Addition);
        let added = self.fixture.client().create_intent(request).await?.into_inner();
        (added.payment_status == "succeeded").or_later("paid")
    }

    async fn settle_survey(&self, actor: &Actor) -> Result<(), Status> {
        let request = SettleSurveyOrderRequest {
            user_id: actor.user_id.clone(),
            order_id: actor.before.clone(),
        };
        let settled = self.fixture.client().settle_survey_order(request).await?;
        settled.into_inner().paid.or_later("paid")
    }

    async fn provider_payment(&self, handle: &str) -> Result<String, Status> {
        let id: Option<Option<String>> = sqlx::query_scalar(
            "select provider_payment_id from hosted_checkout where redirect_url_or_token = $1",
        )
        .bind(handle)
        .fetch_optional(&self.pool)
        .await
        .unwrap();
        id.flatten().ok_or_else(|| later("no page"))
    }

    pub async fn pay_by_widget(&self, actor: &Actor) -> Result<(), Status> {
        if self.is_subscribed(actor).await {
            return Ok(());
        }
        let offer = self.offer("web-monthly", &actor.user_id, "ru", "RU").await?;
        let token = offer.russian.unwrap_or_default().yookassa_token;
        (!token.is_empty()).or_later("open")?;
        // Settled since the first look, the offer is a new page, and the buyer has paid the one before.
        if self.is_subscribed(actor).await {
            return Ok(());
        }
        let sandbox = self.fixture.fake_provider.sandbox();
        let action = yookassa::BuyerAction::Pay(yookassa::Card::number("5555555555554444"));
        // Paid before, it is not paid again.
        let _ = sandbox.yookassa().act(&token, &action, sandbox.now().timestamp());
        let id = self.provider_payment(&token).await?;
        let hint = json!({"type": "notification", "event": "payment.succeeded", "object": {"id": id, "status": "succeeded"}});
        let request = ReceiveWebhookRequest {
            provider: Provider::Yookassa.into(),
            body: hint.to_string().into_bytes(),
            ..Default::default()
        };
        self.fixture.client().receive_webhook(request).await?;
        self.is_subscribed(actor).await.or_later("active")
    }

    async fn give(&self, actor: &Actor) -> Result<(), Status> {
        let request = CreateGiftRequest {
            full_name: "A Buyer".into(),
            email: format!("buyer{}@example.com", actor.number),
            price_id: actor.before.clone(),
            country: "RU".into(),
            language: "ru".into(),
            idempotency_key: format!("click-{}", actor.number),
        };
        let gift = self.fixture.client().create_gift(request).await?.into_inner();
        if gift.payment_status == "succeeded" {
            return Ok(());
        }
        self.pay_at_platron(&gift.platron_url).await
    }

    async fn pay_at_platron(&self, page: &str) -> Result<(), Status> {
        let (_, customer) = page.split_once("customer=").ok_or_else(|| later("no page"))?;
        let sandbox = self.fixture.fake_provider.sandbox();
        let action = platron::BuyerAction::Pay { after_secs: 0 };
        // Paid before, it is not paid again.
        let _ = sandbox.platron().act(customer, action, sandbox.now().timestamp());
        let payment_id = self.provider_payment(page).await?;
        let reference = {
            let books = sandbox.platron().state();
            let mut payments = books.payments.newest_first();
            let payment = payments.find(|payment| payment.id == payment_id);
            payment
                .and_then(|payment| payment.order.clone())
                .unwrap_or_default()
        };
        let request = ConfirmPlatronPaymentRequest {
            payment_id,
            reference,
        };
        let response = self.fixture.client().confirm_platron_payment(request).await?;
        (response.into_inner().state == "paid").or_later("paid")
    }

    pub async fn pay_by_page(&self, actor: &Actor) -> Result<(), Status> {
        if self.is_subscribed(actor).await {
            return Ok(());
        }
        let offer = self.offer("web-monthly", &actor.user_id, "ru", "RU").await?;
        if self.is_subscribed(actor).await {
            return Ok(());
        }
        self.pay_at_platron(&offer.russian.unwrap_or_default().platron_url)
            .await?;
        self.is_subscribed(actor).await.or_later("active")
    }

    pub async fn is_subscribed(&self, actor: &Actor) -> bool {
        let owned = self.owned(actor).await;
        owned.is_ok_and(|owned| owned.status == "active")
    }

    pub async fn link(&self, actor: &Actor) -> Result<(), Status> {
        let request = LinkPaypalSubscriptionRequest {
            user_id: actor.user_id.clone(),
            email: "buyer@example.com".into(),
            full_name: "A Buyer".into(),
            subscription_id: actor.before.clone(),
            country: "US".into(),
            language: "en".into(),
            ..Default::default()
        };
        let linked = self
            .fixture
            .client()
            .link_paypal_subscription(request)
            .await?
            .into_inner();
        (linked.subscription.unwrap_or_default().status == "active").or_later("active")
    }

    async fn change(&self, actor: &Actor) -> Result<(), Status> {
        let is_done = |owned: &Subscription| match &actor.change {
            Some(Change::Plan(plan)) => {
                let scheduled = owned.scheduled_plan.as_ref().map(|next| &next.price_id);
                owned.price_id == plan.price_id || scheduled == Some(&plan.price_id)
            }
            Some(Change::Card(_)) => owned.card_last4 == OTHER_LAST4,
            _ => owned.cancel_at.is_some(),
        };
        let owned = self.owned(actor).await?;
        if is_done(&owned) && owned.pending_change.is_empty() {
            return Ok(());
        }
        let request = ChangeSubscriptionRequest {
            user_id: actor.user_id.clone(),
            subscription_id: actor.before.clone(),
            change: actor.change.clone(),
        };
        let changed = self
            .fixture
            .client()
            .change_subscription(request)
            .await?
            .into_inner();
        let changed = changed.subscription.unwrap_or_default();
        (is_done(&changed) && changed.pending_change.is_empty()).or_later("changed")
    }
}

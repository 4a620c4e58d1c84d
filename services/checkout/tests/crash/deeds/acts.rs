//! What a page or a provider does until it is done.

use proto::checkout::v1::change_subscription_request::Change;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ConfirmPlatronPaymentRequest, CreateGiftRequest, CreateIntentRequest,
    LinkPaypalSubscriptionRequest, Provider, ReceiveWebhookRequest, SettleSurveyOrderRequest, Subscription,
};
use sandbox::{platron, yookassa};
use serde_json::json;
use tonic::Status;

use super::outcome::Deed;
use super::people::OTHER_LAST4;
use super::{Person, Sweep};

pub fn later(what: &str) -> Status {
    Status::unavailable(what.to_owned())
}

pub fn is_so(what: &str, is_so: bool) -> Result<(), Status> {
    if is_so { Ok(()) } else { Err(later(what)) }
}

pub fn intent(person: &Person, purpose: Purpose) -> CreateIntentRequest {
    CreateIntentRequest {
        purpose: purpose.into(),
        user_id: person.user_id.clone(),
        email: "buyer@example.com".into(),
        price_id: person.before.clone(),
        idempotency_key: format!("click-{}", person.number),
        ..Default::default()
    }
}

impl Sweep {
    /// What a page or a provider does, as often as it takes. Done once, it says so without doing anything again.
    pub async fn act(&self, person: &Person) -> Result<(), Status> {
        match self.deed {
            Deed::OneTime | Deed::OneTimeAsked => self.pay_once(person).await,
            Deed::MonthAsked => self.subscribe(person).await,
            Deed::PaidTrial => self.begin_paid_trial(person).await,
            Deed::Addition => self.add(person).await,
            Deed::Survey => self.settle_survey(person).await,
            Deed::Yookassa => self.pay_by_widget(person).await,
            Deed::PlatronGift => self.give(person).await,
            Deed::Paypal => self.link(person).await,
            Deed::Cancel | Deed::Plan | Deed::LaterPlan | Deed::Card => self.change(person).await,
            Deed::Renewal => self.renew(person).await,
            Deed::YookassaRenewal | Deed::PlatronRenewal => self.renew_ourselves(person).await,
            Deed::Overdue => self.pay_overdue(person).await,
            Deed::Refund | Deed::YookassaRefund | Deed::PlatronRefund | Deed::PaypalRefund => {
                self.refund(person).await
            }
            Deed::Withdrawal => self.withdraw(person).await,
            Deed::Surplus => self.pay_beside(person).await,
        }
    }

    async fn add(&self, person: &Person) -> Result<(), Status> {
        let request = intent(person, Purpose::Addition);
        let added = self.scene.client().create_intent(request).await?.into_inner();
        is_so("paid", added.payment_status == "succeeded")
    }

    async fn settle_survey(&self, person: &Person) -> Result<(), Status> {
        let request = SettleSurveyOrderRequest {
            user_id: person.user_id.clone(),
            order_id: person.before.clone(),
        };
        let settled = self.scene.client().settle_survey_order(request).await?;
        is_so("paid", settled.into_inner().paid)
    }

    async fn provider_payment(&self, handle: &str) -> Result<String, Status> {
        let id: Option<Option<String>> =
            sqlx::query_scalar("select provider_payment_id from payment_page where handle = $1")
                .bind(handle)
                .fetch_optional(&self.pool)
                .await
                .unwrap();
        id.flatten().ok_or_else(|| later("no page"))
    }

    pub async fn pay_by_widget(&self, person: &Person) -> Result<(), Status> {
        if self.is_subscribed(person).await {
            return Ok(());
        }
        let offer = self.offer("web-monthly", &person.user_id, ("ru", "RU")).await?;
        let token = offer.russian.unwrap_or_default().yookassa_token;
        is_so("open", !token.is_empty())?;
        let sandbox = self.scene.twin.sandbox();
        let deed = yookassa::Deed::Pay(yookassa::Card::number("5555555555554444"));
        // Paid before, it is not paid again.
        let _ = sandbox.yookassa().act(&token, &deed, sandbox.now().timestamp());
        let id = self.provider_payment(&token).await?;
        let hint = json!({"type": "notification", "event": "payment.succeeded", "object": {"id": id, "status": "succeeded"}});
        let request = ReceiveWebhookRequest {
            provider: Provider::Yookassa.into(),
            body: hint.to_string().into_bytes(),
            ..Default::default()
        };
        self.scene.client().receive_webhook(request).await?;
        is_so("active", self.is_subscribed(person).await)
    }

    async fn give(&self, person: &Person) -> Result<(), Status> {
        let request = CreateGiftRequest {
            full_name: "A Buyer".into(),
            email: format!("buyer{}@example.com", person.number),
            price_id: person.before.clone(),
            country: "RU".into(),
            language: "ru".into(),
            idempotency_key: format!("click-{}", person.number),
        };
        let gift = self.scene.client().create_gift(request).await?.into_inner();
        if gift.payment_status == "succeeded" {
            return Ok(());
        }
        self.pay_at_platron(&gift.platron_url).await
    }

    async fn pay_at_platron(&self, page: &str) -> Result<(), Status> {
        let (_, customer) = page.split_once("customer=").ok_or_else(|| later("no page"))?;
        let sandbox = self.scene.twin.sandbox();
        let deed = platron::Deed::Pay { after_secs: 0 };
        // Paid before, it is not paid again.
        let _ = sandbox.platron().act(customer, deed, sandbox.now().timestamp());
        let payment_id = self.provider_payment(page).await?;
        let reference = {
            let books = sandbox.platron().books();
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
        let told = self.scene.client().confirm_platron_payment(request).await?;
        is_so("paid", told.into_inner().state == "paid")
    }

    pub async fn pay_by_page(&self, person: &Person) -> Result<(), Status> {
        if self.is_subscribed(person).await {
            return Ok(());
        }
        let offer = self.offer("web-monthly", &person.user_id, ("ru", "RU")).await?;
        self.pay_at_platron(&offer.russian.unwrap_or_default().platron_url)
            .await?;
        is_so("active", self.is_subscribed(person).await)
    }

    pub async fn is_subscribed(&self, person: &Person) -> bool {
        let owned = self.owned(person).await;
        owned.is_ok_and(|owned| owned.status == "active")
    }

    pub async fn link(&self, person: &Person) -> Result<(), Status> {
        let request = LinkPaypalSubscriptionRequest {
            user_id: person.user_id.clone(),
            email: "buyer@example.com".into(),
            full_name: "A Buyer".into(),
            subscription_id: person.before.clone(),
            country: "US".into(),
            language: "en".into(),
            ..Default::default()
        };
        let linked = self
            .scene
            .client()
            .link_paypal_subscription(request)
            .await?
            .into_inner();
        is_so(
            "active",
            linked.subscription.unwrap_or_default().status == "active",
        )
    }

    async fn change(&self, person: &Person) -> Result<(), Status> {
        let is_done = |owned: &Subscription| match &person.wish {
            Some(Change::Plan(plan)) => {
                let scheduled = owned.scheduled_plan.as_ref().map(|next| &next.price_id);
                owned.price_id == plan.price_id || scheduled == Some(&plan.price_id)
            }
            Some(Change::Card(_)) => owned.card_last4 == OTHER_LAST4,
            _ => owned.cancel_at.is_some(),
        };
        let owned = self.owned(person).await?;
        if is_done(&owned) && owned.pending_change.is_empty() {
            return Ok(());
        }
        let request = ChangeSubscriptionRequest {
            user_id: person.user_id.clone(),
            subscription_id: person.before.clone(),
            change: person.wish.clone(),
        };
        let changed = self
            .scene
            .client()
            .change_subscription(request)
            .await?
            .into_inner();
        let changed = changed.subscription.unwrap_or_default();
        is_so("changed", is_done(&changed) && changed.pending_change.is_empty())
    }
}

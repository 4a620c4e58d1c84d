//! What a page or a provider does until it is done.

use proto::checkout::v1::change_subscription_request::Wish;
use proto::checkout::v1::create_intent_request::Counter;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ConfirmIntentRequest, ConfirmPlatronPaymentRequest, CreateGiftRequest,
    CreateIntentRequest, LinkPaypalSubscriptionRequest, Provider, ReceiveWebhookRequest,
    SettleSurveyOrderRequest, Subscription,
};
use sandbox::{platron, yookassa};
use serde_json::json;
use tonic::Status;

use super::{Deed, Person, RENEWALS, Sweep};
use crate::twin::APPROVED;

pub fn later(what: &str) -> Status {
    Status::unavailable(what.to_owned())
}

fn is_so(what: &str, is_so: bool) -> Result<(), Status> {
    if is_so { Ok(()) } else { Err(later(what)) }
}

fn intent(person: &Person, counter: Counter) -> CreateIntentRequest {
    CreateIntentRequest {
        counter: counter.into(),
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
            Deed::OneTime => self.pay_once(person).await,
            Deed::Addition => self.add(person).await,
            Deed::Survey => self.settle_survey(person).await,
            Deed::Yookassa => self.pay_by_widget(person).await,
            Deed::PlatronGift => self.give(person).await,
            Deed::Paypal => self.link(person).await,
            Deed::Cancel | Deed::Plan | Deed::LaterPlan => self.change(person).await,
            Deed::Renewal => self.renew(person).await,
        }
    }

    async fn pay_once(&self, person: &Person) -> Result<(), Status> {
        let request = intent(person, Counter::Payment);
        let opened = self.scene.client().create_intent(request).await?.into_inner();
        if opened.payment_status == "succeeded" {
            return Ok(());
        }
        let intent = opened.payment_intent_id;
        if self.scene.twin.intent_status(&intent).await == "requires_payment_method" {
            let card = self.scene.twin.card(APPROVED).await;
            self.scene
                .twin
                .confirm_in_browser(&opened.client_secret, &card)
                .await;
        }
        let request = ConfirmIntentRequest {
            user_id: person.user_id.clone(),
            payment_intent_id: intent,
        };
        let confirmed = self.scene.client().confirm_intent(request).await?.into_inner();
        is_so("paid", confirmed.payment_status == "succeeded")
    }

    async fn add(&self, person: &Person) -> Result<(), Status> {
        let request = intent(person, Counter::Addition);
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

    async fn pay_by_widget(&self, person: &Person) -> Result<(), Status> {
        if self
            .owned(person)
            .await
            .is_ok_and(|owned| owned.status == "active")
        {
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
        is_so("active", self.owned(person).await?.status == "active")
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
        let (_, customer) = gift
            .platron_url
            .split_once("customer=")
            .ok_or_else(|| later("no page"))?;
        let sandbox = self.scene.twin.sandbox();
        let deed = platron::Deed::Pay { after_secs: 0 };
        let _ = sandbox.platron().act(customer, deed, sandbox.now().timestamp());
        let request = ConfirmPlatronPaymentRequest {
            payment_id: self.provider_payment(&gift.platron_url).await?,
        };
        let told = self.scene.client().confirm_platron_payment(request).await?;
        is_so("paid", told.into_inner().state == "paid")
    }

    async fn link(&self, person: &Person) -> Result<(), Status> {
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
            Some(Wish::Plan(plan)) => {
                let scheduled = owned.scheduled_plan.as_ref().map(|next| &next.price_id);
                owned.price_id == plan.price_id || scheduled == Some(&plan.price_id)
            }
            _ => owned.cancel_at.is_some(),
        };
        let owned = self.owned(person).await?;
        if is_done(&owned) && owned.open_wish.is_empty() {
            return Ok(());
        }
        let request = ChangeSubscriptionRequest {
            user_id: person.user_id.clone(),
            subscription_id: person.before.clone(),
            wish: person.wish.clone(),
        };
        let changed = self
            .scene
            .client()
            .change_subscription(request)
            .await?
            .into_inner();
        let changed = changed.subscription.unwrap_or_default();
        is_so("changed", is_done(&changed) && changed.open_wish.is_empty())
    }

    /// As Stripe tells of it.
    async fn renew(&self, person: &Person) -> Result<(), Status> {
        if self.places.count(RENEWALS).await == person.renewals {
            return Ok(());
        }
        // Not to be taken for a commit of the service's.
        let due = "begin;
            select set_config('crash.counted', pg_current_xact_id()::text, true);
            update subscription_life set due_at = 'epoch' where due_at > now() + interval '1 hour';
            commit";
        sqlx::raw_sql(due).execute(&self.pool).await.unwrap();
        Err(later("not yet"))
    }
}

//! Who wants something, and what they have of it before.

use checkout::domain::ids::UserId;
use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Plan, Wish};
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSubscriptionRequest, CreateSurveyOrderRequest, ListSubscriptionsRequest,
    PreviewPlanRequest, ResolveCampaignRequest, ResolveCampaignResponse, Subscription,
};
use sandbox::paypal::{Buyer, Decision};
use serde_json::{Value, json};
use tonic::Status;

use super::acts::later;
use super::{CHANGES, Deed, Person, Sweep};
use crate::scene::until;
use crate::twin::APPROVED;

const MONTH: TimeDelta = TimeDelta::days(32);

impl Sweep {
    pub async fn offer(
        &self,
        campaign: &str,
        user_id: &str,
        (language, country): (&str, &str),
    ) -> Result<ResolveCampaignResponse, Status> {
        let ask = ResolveCampaignRequest {
            campaign: campaign.into(),
            language: language.into(),
            country: country.into(),
            user_id: user_id.into(),
            email: "buyer@example.com".into(),
            ..Default::default()
        };
        let resolved = self.scene.client().resolve_campaign(ask).await?;
        Ok(resolved.into_inner())
    }

    async fn price(&self, campaign: &str, language: &str) -> String {
        let resolved = self.offer(campaign, "", (language, "")).await.unwrap();
        resolved.offer.unwrap().price_id
    }

    pub async fn owned(&self, person: &Person) -> Result<Subscription, Status> {
        let request = ListSubscriptionsRequest {
            user_id: person.user_id.clone(),
        };
        let listed = self
            .scene
            .client()
            .list_subscriptions(request)
            .await?
            .into_inner();
        listed
            .subscriptions
            .into_iter()
            .next()
            .ok_or_else(|| later("nothing yet"))
    }

    async fn buy(&self, person: &Person) -> String {
        let request = CreateSubscriptionRequest {
            user_id: person.user_id.clone(),
            email: format!("buyer{}@example.com", person.number),
            price_id: self.price("web-monthly", "en").await,
            payment_method_id: self.scene.twin.card(APPROVED).await,
            ..Default::default()
        };
        self.scene.pay(request).await.unwrap().unwrap();
        until("bought", async || {
            self.owned(person)
                .await
                .is_ok_and(|owned| owned.status == "active")
        })
        .await;
        self.owned(person).await.unwrap().subscription_id
    }

    pub async fn somebody(&mut self) -> Person {
        self.people += 1;
        let number = self.people as u128;
        let user_id = format!(
            "usr_{:032x}",
            0x0192_f0c0_a000_7000_8000_0000_0000_0000_u128 + number
        );
        let mut person = Person {
            user_id: UserId::parse(&user_id).unwrap().to_string(),
            number: self.people,
            ..Default::default()
        };
        match self.deed {
            Deed::OneTime => person.before = self.price("live-program", "en").await,
            Deed::PlatronGift => person.before = self.price("gift-year", "ru").await,
            Deed::Addition => {
                self.buy(&person).await;
                person.before = self.price("addition-therapy", "en").await;
            }
            Deed::Survey => {
                person.before = self.survey(&person).await;
                self.buy(&person).await;
            }
            Deed::Paypal => person.before = self.agree(&person).await,
            Deed::Cancel => {
                person.before = self.buy(&person).await;
                person.wish = Some(Wish::Cancel(Cancel {}));
            }
            Deed::Plan => {
                person.before = self.buy(&person).await;
                person.wish = Some(self.plan(&person, "web-annual").await);
            }
            Deed::LaterPlan => {
                person.before = self.buy(&person).await;
                person.wish = Some(self.plan(&person, "web-annual").await);
                let booked = async || self.places.count(CHANGES).await >= self.people;
                until("on the annual plan", async || self.act(&person).await.is_ok()).await;
                until("booked", booked).await;
                person.wish = Some(self.plan(&person, "web-monthly").await);
            }
            Deed::Yookassa | Deed::Renewal => {}
        }
        person
    }

    async fn survey(&self, person: &Person) -> String {
        let request = CreateSurveyOrderRequest {
            lang: "en".into(),
            ..Default::default()
        };
        let opened = self.scene.client().create_survey_order(request).await.unwrap();
        let order_id = opened.into_inner().order_id;
        let claim = ClaimSurveyOrderRequest {
            user_id: person.user_id.clone(),
            order_id: order_id.clone(),
        };
        self.scene.client().claim_survey_order(claim).await.unwrap();
        order_id
    }

    /// At PayPal, by its button.
    async fn agree(&self, person: &Person) -> String {
        let mut plan = String::new();
        until("PayPal has the plan", async || {
            let offer = self.offer("web-monthly", &person.user_id, ("en", "US")).await;
            plan = offer.unwrap().paypal_plan_id;
            !plan.is_empty()
        })
        .await;
        let sandbox = self.scene.twin.sandbox();
        let (http, base) = (reqwest::Client::new(), sandbox.paypal_base());
        let token = http
            .post(format!("{base}/v1/oauth2/token"))
            .basic_auth("paypal-client-stillpoint", Some(""))
            .form(&[("grant_type", "client_credentials")]);
        let token: Value = token.send().await.unwrap().json().await.unwrap();
        let made = http
            .post(format!("{base}/v1/billing/subscriptions"))
            .bearer_auth(token["access_token"].as_str().unwrap())
            .json(&json!({"plan_id": plan, "custom_id": person.user_id}));
        let made: Value = made.send().await.unwrap().json().await.unwrap();
        let id = made["id"].as_str().unwrap().to_owned();
        let now = sandbox.now().timestamp();
        sandbox
            .paypal()
            .decide(&id, Decision::Approve(Buyer::Rich), now)
            .unwrap();
        id
    }

    async fn plan(&self, person: &Person, campaign: &str) -> Wish {
        let preview = PreviewPlanRequest {
            user_id: person.user_id.clone(),
            subscription_id: person.before.clone(),
            price_id: self.price(campaign, "en").await,
        };
        let preview = self
            .scene
            .client()
            .preview_plan(preview)
            .await
            .unwrap()
            .into_inner();
        Wish::Plan(Plan {
            price_id: preview.price_id,
            prorated_at: preview.prorated_at,
            shown: preview.due_now,
        })
    }

    /// The one buyer of them all, a month on.
    pub async fn renewing(&mut self) -> Person {
        if self.people == 0 {
            let person = self.somebody().await;
            self.buy(&person).await;
        }
        self.scene.twin.advance(MONTH).await;
        Person {
            number: 1,
            renewals: self.scene.twin.captured_charges().await.len() - 1,
            ..Default::default()
        }
    }
}

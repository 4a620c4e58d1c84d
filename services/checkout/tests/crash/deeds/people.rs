//! Who wants something, and what they have of it before.

use checkout::domain::ids::UserId;
use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Card, Change, Plan};
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSubscriptionRequest, CreateSurveyOrderRequest, ListSubscriptionsRequest,
    PreviewPlanRequest, ResolveCampaignRequest, ResolveCampaignResponse, Subscription,
};
use sandbox::paypal::{Buyer, Decision};
use serde_json::{Value, json};
use tonic::Status;

use super::acts::later;
use super::outcome::{CHANGES, Deed};
use super::renewals::CARDS;
use super::{Person, Sweep};
use crate::scene::until;
use crate::twin::{APPROVED, ASKS_FOR_3DS};

const OTHER_CARD: &str = "5555555555554444";
pub const OTHER_LAST4: &str = "4444";

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

    /// The subscription's id.
    pub async fn buy(&self, person: &Person) -> String {
        let request = CreateSubscriptionRequest {
            user_id: person.user_id.clone(),
            email: format!("buyer{}@example.com", person.number),
            price_id: self.price("web-monthly", "en").await,
            payment_method_id: self.scene.twin.card(APPROVED).await,
            ..Default::default()
        };
        self.scene.pay(request).await.unwrap().unwrap();
        until("bought", async || self.is_subscribed(person).await).await;
        self.owned(person).await.unwrap().subscription_id
    }

    pub async fn somebody(&mut self) -> Person {
        self.people += 1;
        let mut person = Person {
            user_id: user_id(self.people),
            number: self.people,
            ..Default::default()
        };
        self.prepare(&mut person).await;
        person
    }

    async fn prepare(&self, person: &mut Person) {
        match self.deed {
            Deed::OneTime | Deed::OneTimeAsked => {
                person.card = self.card().await;
                person.before = self.price("live-program", "en").await;
            }
            Deed::MonthAsked => {
                person.card = self.card().await;
                person.before = self.price("web-monthly", "en").await;
            }
            Deed::PaidTrial => self.shown_a_paid_trial(person).await,
            Deed::Surplus => {
                self.shown_a_paid_trial(person).await;
                person.before = self.open_trial(person).await;
                self.buy(person).await;
            }
            Deed::PlatronGift => person.before = self.price("gift-year", "ru").await,
            Deed::Addition => {
                self.buy(person).await;
                person.before = self.price("addition-therapy", "en").await;
            }
            Deed::Survey => {
                person.before = self.survey(person).await;
                self.buy(person).await;
            }
            Deed::Paypal => person.before = self.agree(person).await,
            Deed::Cancel | Deed::Card | Deed::Plan | Deed::LaterPlan => {
                person.before = self.buy(person).await;
                self.prepare_wish(person).await;
            }
            Deed::YookassaRenewal | Deed::PlatronRenewal => self.be_billed(person).await,
            Deed::Refund
            | Deed::YookassaRefund
            | Deed::PlatronRefund
            | Deed::PaypalRefund
            | Deed::Withdrawal => {
                self.buy_anywhere(person).await;
                person.before = self.owned(person).await.unwrap().order_id;
            }
            Deed::Yookassa | Deed::Renewal | Deed::Overdue => {}
        }
    }

    async fn prepare_wish(&self, person: &mut Person) {
        person.wish = Some(match self.deed {
            Deed::Plan => self.plan(person, "web-annual").await,
            Deed::LaterPlan => {
                person.wish = Some(self.plan(person, "web-annual").await);
                let booked = async || self.places.count(CHANGES).await >= self.people;
                until("on the annual plan", async || self.act(person).await.is_ok()).await;
                until("booked", booked).await;
                self.plan(person, "web-monthly").await
            }
            Deed::Card => Change::Card(Card {
                payment_method_id: self.scene.twin.card(OTHER_CARD).await,
            }),
            _ => Change::Cancel(Cancel {}),
        });
    }

    async fn card(&self) -> String {
        let number = match self.deed {
            Deed::OneTimeAsked | Deed::MonthAsked => ASKS_FOR_3DS,
            _ => APPROVED,
        };
        self.scene.twin.card(number).await
    }

    async fn shown_a_paid_trial(&self, person: &mut Person) {
        let shown = self.offer("paid-trial", "", ("en", "")).await.unwrap();
        person.card = self.card().await;
        person.before.clone_from(&shown.trial_prices[0].price_id);
        person.starts = shown.offer.unwrap().price_id;
    }

    /// A month, by whom it is about.
    pub async fn buy_anywhere(&self, person: &mut Person) {
        match self.deed.provider() {
            Provider::Stripe => drop(self.buy(person).await),
            Provider::Yookassa => until("paid", async || self.pay_by_widget(person).await.is_ok()).await,
            Provider::Platron => until("paid", async || self.pay_by_page(person).await.is_ok()).await,
            Provider::Paypal => {
                person.before = self.agree(person).await;
                until("linked", async || self.link(person).await.is_ok()).await;
            }
        }
        until("at rest", async || self.is_at_rest().await).await;
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
            ..Default::default()
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

    async fn plan(&self, person: &Person, campaign: &str) -> Change {
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
        Change::Plan(Plan {
            price_id: preview.price_id,
            prorated_at: preview.prorated_at,
            due_now: preview.due_now,
        })
    }

    /// The one buyer of them all, a month on.
    pub async fn a_month_on(&mut self) -> Person {
        if self.people == 0 {
            let person = self.somebody().await;
            self.buy(&person).await;
        }
        let months = self.scene.twin.captured_charges().await.len();
        let mut person = Person {
            user_id: user_id(1),
            number: 1,
            months,
            ..Default::default()
        };
        if self.deed == Deed::Overdue {
            // Whoever clicks again as the first click is done has wished twice.
            person.cards = self.places.count(CARDS).await;
            self.scene.twin.set_refusal(Some("expired_card")).await;
            person.card = self.scene.twin.card(APPROVED).await;
        }
        self.scene.twin.advance(self.rest_of_the_month().await).await;
        if self.deed == Deed::Overdue {
            self.until_overdue().await;
        }
        person
    }

    /// And the hours until Stripe has charged for the next.
    async fn rest_of_the_month(&self) -> TimeDelta {
        let subscription = self.scene.twin.subscriptions().await.remove(0);
        let end = subscription["items"]["data"][0]["current_period_end"].as_i64();
        let now = self.scene.twin.sandbox().now().timestamp();
        TimeDelta::seconds(end.unwrap() - now) + TimeDelta::days(1)
    }
}

fn user_id(number: usize) -> String {
    let id = format!(
        "usr_{:032x}",
        0x0192_f0c0_a000_7000_8000_0000_0000_0000_u128 + number as u128
    );
    UserId::parse(&id).unwrap().to_string()
}

//! Creates the buyers of the scenarios with what they own before.

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

use super::actions::later;
use super::outcome::{CHANGES, Scenario};
use super::renewals::CARDS;
use super::{Actor, Sweep};
use crate::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::fixture::until;

const OTHER_CARD: &str = "5555555555554444";
pub const OTHER_LAST4: &str = "4444";

impl Sweep {
    pub async fn offer(
        &self,
        campaign: &str,
        user_id: &str,
        language: &str,
        country: &str,
    ) -> Result<ResolveCampaignResponse, Status> {
        let ask = ResolveCampaignRequest {
            campaign: campaign.into(),
            language: language.into(),
            country: country.into(),
            user_id: user_id.into(),
            email: "buyer@example.com".into(),
            ..Default::default()
        };
        let resolved = self.fixture.client().resolve_campaign(ask).await?;
        Ok(resolved.into_inner())
    }

    async fn price(&self, campaign: &str, language: &str) -> String {
        let resolved = self.offer(campaign, "", language, "").await.unwrap();
        resolved.offer.unwrap().price_id
    }

    pub async fn owned(&self, actor: &Actor) -> Result<Subscription, Status> {
        let request = ListSubscriptionsRequest {
            user_id: actor.user_id.clone(),
        };
        let listed = self
            .fixture
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
    pub async fn buy(&self, actor: &Actor) -> String {
        let request = CreateSubscriptionRequest {
            user_id: actor.user_id.clone(),
            email: format!("buyer{}@example.com", actor.number),
            price_id: self.price("web-monthly", "en").await,
            payment_method_id: self.fixture.fake_provider.card(APPROVED).await,
            ..Default::default()
        };
        self.fixture.pay(request).await.unwrap().unwrap();
        until("bought", async || self.is_subscribed(actor).await).await;
        self.owned(actor).await.unwrap().subscription_id
    }

    pub async fn new_actor(&mut self) -> Actor {
        self.actors += 1;
        let mut actor = Actor {
            user_id: user_id(self.actors),
            number: self.actors,
            ..Default::default()
        };
        self.prepare(&mut actor).await;
        actor
    }

    async fn prepare(&self, actor: &mut Actor) {
        match self.scenario {
            Scenario::OneTime | Scenario::OneTimeAsked => {
                actor.card = self.card().await;
                actor.before = self.price("live-program", "en").await;
            }
            Scenario::MonthAsked => {
                actor.card = self.card().await;
                actor.before = self.price("web-monthly", "en").await;
            }
            Scenario::PaidTrial => self.shown_a_paid_trial(actor).await,
            Scenario::DuplicateCapture => {
                self.shown_a_paid_trial(actor).await;
                actor.before = self.open_trial(actor).await;
                self.buy(actor).await;
            }
            Scenario::PlatronGift => actor.before = self.price("gift-year", "ru").await,
            Scenario::Addition => {
                self.buy(actor).await;
                actor.before = self.price("addition-therapy", "en").await;
            }
            Scenario::Survey => {
                actor.before = self.survey(actor).await;
                self.buy(actor).await;
            }
            Scenario::Paypal => actor.before = self.agree(actor).await,
            Scenario::Cancel | Scenario::Card | Scenario::Plan | Scenario::LaterPlan => {
                actor.before = self.buy(actor).await;
                self.prepare_change(actor).await;
            }
            Scenario::YookassaRenewal | Scenario::PlatronRenewal => self.be_billed(actor).await,
            Scenario::Refund
            | Scenario::YookassaRefund
            | Scenario::PlatronRefund
            | Scenario::PaypalRefund
            | Scenario::Withdrawal => {
                self.buy_anywhere(actor).await;
                actor.before = self.owned(actor).await.unwrap().order_id;
            }
            Scenario::Yookassa | Scenario::Renewal | Scenario::Overdue => {}
        }
    }

    async fn prepare_change(&self, actor: &mut Actor) {
        actor.change = Some(match self.scenario {
            Scenario::Plan => self.plan(actor, "web-annual").await,
            Scenario::LaterPlan => {
                actor.change = Some(self.plan(actor, "web-annual").await);
                let booked = async || self.points.count(CHANGES).await >= self.actors;
                until("on the annual plan", async || self.act(actor).await.is_ok()).await;
                until("booked", booked).await;
                self.plan(actor, "web-monthly").await
            }
            Scenario::Card => Change::Card(Card {
                payment_method_id: self.fixture.fake_provider.card(OTHER_CARD).await,
            }),
            _ => Change::Cancel(Cancel {}),
        });
    }

    async fn card(&self) -> String {
        let number = match self.scenario {
            Scenario::OneTimeAsked | Scenario::MonthAsked => ASKS_FOR_3DS,
            _ => APPROVED,
        };
        self.fixture.fake_provider.card(number).await
    }

    async fn shown_a_paid_trial(&self, actor: &mut Actor) {
        let shown = self.offer("paid-trial", "", "en", "").await.unwrap();
        actor.card = self.card().await;
        actor.before.clone_from(&shown.trial_prices[0].price_id);
        actor.starts = shown.offer.unwrap().price_id;
    }

    /// A month, by whom it is about.
    pub async fn buy_anywhere(&self, actor: &mut Actor) {
        match self.scenario.provider() {
            Provider::Stripe => drop(self.buy(actor).await),
            Provider::Yookassa => until("paid", async || self.pay_by_widget(actor).await.is_ok()).await,
            Provider::Platron => until("paid", async || self.pay_by_page(actor).await.is_ok()).await,
            Provider::Paypal => {
                actor.before = self.agree(actor).await;
                until("linked", async || self.link(actor).await.is_ok()).await;
            }
        }
        until("at rest", async || self.is_at_rest().await).await;
    }

    async fn survey(&self, actor: &Actor) -> String {
        let request = CreateSurveyOrderRequest {
            lang: "en".into(),
            ..Default::default()
        };
        let opened = self.fixture.client().create_survey_order(request).await.unwrap();
        let order_id = opened.into_inner().order_id;
        let claim = ClaimSurveyOrderRequest {
            user_id: actor.user_id.clone(),
            order_id: order_id.clone(),
            ..Default::default()
        };
        self.fixture.client().claim_survey_order(claim).await.unwrap();
        order_id
    }

    /// At PayPal, by its button.
    async fn agree(&self, actor: &Actor) -> String {
        let mut plan = String::new();
        until("PayPal has the plan", async || {
            let offer = self.offer("web-monthly", &actor.user_id, "en", "US").await;
            plan = offer.unwrap().paypal_plan_id;
            !plan.is_empty()
        })
        .await;
        let sandbox = self.fixture.fake_provider.sandbox();
        let (http, base) = (reqwest::Client::new(), sandbox.paypal_base());
        let token = http
            .post(format!("{base}/v1/oauth2/token"))
            .basic_auth("paypal-client-stillpoint", Some(""))
            .form(&[("grant_type", "client_credentials")]);
        let token: Value = token.send().await.unwrap().json().await.unwrap();
        let made = http
            .post(format!("{base}/v1/billing/subscriptions"))
            .bearer_auth(token["access_token"].as_str().unwrap())
            .json(&json!({"plan_id": plan, "custom_id": actor.user_id}));
        let made: Value = made.send().await.unwrap().json().await.unwrap();
        let id = made["id"].as_str().unwrap().to_owned();
        let now = sandbox.now().timestamp();
        sandbox
            .paypal()
            .decide(&id, Decision::Approve(Buyer::Rich), now)
            .unwrap();
        id
    }

    async fn plan(&self, actor: &Actor, campaign: &str) -> Change {
        let preview = PreviewPlanRequest {
            user_id: actor.user_id.clone(),
            subscription_id: actor.before.clone(),
            price_id: self.price(campaign, "en").await,
        };
        let preview = self
            .fixture
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
    pub async fn next_month_of_buyer(&mut self) -> Actor {
        if self.actors == 0 {
            let actor = self.new_actor().await;
            self.buy(&actor).await;
        }
        let months = self.fixture.fake_provider.captured_charges().await.len();
        let mut actor = Actor {
            user_id: user_id(1),
            number: 1,
            months,
            ..Default::default()
        };
        if self.scenario == Scenario::Overdue {
            // A repeated click after the first one is done is a second change.
            actor.cards = self.points.count(CARDS).await;
            self.fixture.fake_provider.set_decline(Some("expired_card")).await;
            actor.card = self.fixture.fake_provider.card(APPROVED).await;
        }
        self.fixture
            .fake_provider
            .advance(self.rest_of_the_month().await)
            .await;
        if self.scenario == Scenario::Overdue {
            self.until_overdue().await;
        }
        actor
    }

    /// And the hours until Stripe has charged for the next.
    async fn rest_of_the_month(&self) -> TimeDelta {
        let subscription = self.fixture.fake_provider.subscriptions().await.remove(0);
        let end = subscription["items"]["data"][0]["current_period_end"].as_i64();
        let now = self.fixture.fake_provider.sandbox().now().timestamp();
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

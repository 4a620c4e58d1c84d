//! Crash sweeps over everything else that moves money or changes future charges: one-time orders, 3-D Secure,
//! saved cards, hosted pages, requested changes, renewals and refunds. The caller repeats its request
//! until it succeeds, as a page or a provider does.

mod actions;
mod actors;
mod authentication;
mod ledger_checks;
mod outcome;
mod refunds;
mod renewals;

use std::pin::pin;
use std::time::Duration;

use futures::future::join_all;
use proto::checkout::v1::change_subscription_request::Change;
use reqwest::Client;
use sqlx::PgPool;

use crate::crash_points::{CALLS, CrashPoint, CrashPoints, MinimumHits};
use crate::fixture::{Fixture, until};
use crate::webhook_proxy::WebhookProxy;
use outcome::{Outcome, Scenario};

const LONGEST: u32 = 40;
const POLLS_MAX: usize = 300;

/// Two crash points per lane; each lane has its own process and runs concurrently, because most of the time is waiting.
const LANES: [[CrashPoint; 2]; 2] = [[CALLS[0], CALLS[2]], [CALLS[1], CrashPoint::BeforeCommit]];

/// A buyer, and what they own before the scenario.
#[derive(Default)]
struct Actor {
    user_id: String,
    number: usize,
    /// Bought, opened, agreed to or shown before; by its name.
    before: String,
    /// The price of what begins with it.
    starts: String,
    /// To pay with.
    card: String,
    change: Option<Change>,
    /// Since they bought.
    months: usize,
    /// Changed before.
    cards: usize,
}

struct Sweep {
    _proxy: WebhookProxy,
    fixture: Fixture,
    points: CrashPoints,
    pool: PgPool,
    http: Client,
    scenario: Scenario,
    actors: usize,
}

impl Sweep {
    async fn start(scenario: Scenario) -> Self {
        let mut proxy = WebhookProxy::build().await;
        let fixture = Fixture::with("300", scenario.providers(), &proxy.url).await;
        proxy.lead_to(fixture.client());
        let pool = fixture.pool().await;
        // A connection that rested while a process was started again may just be closing.
        let http = Client::builder().pool_max_idle_per_host(0).build();
        Self {
            _proxy: proxy,
            http: http.unwrap(),
            points: CrashPoints::of(pool.clone(), scenario.calls()).await,
            fixture,
            pool,
            scenario,
            actors: 0,
        }
    }

    /// How often each point was met.
    async fn run_all(&mut self, points: [CrashPoint; 2]) -> [(CrashPoint, u32); 2] {
        let mut all = points.map(|point| (point, 0));
        for (point, met) in &mut all {
            while self.killed_at(*point, *met + 1).await {
                *met += 1;
                assert!(
                    *met < LONGEST,
                    "{:?} {point:?}: does not come to an end",
                    self.scenario
                );
            }
        }
        all
    }

    /// False when it got done without meeting that point.
    async fn killed_at(&mut self, point: CrashPoint, nth: u32) -> bool {
        let actor = if self.scenario.is_of_one_buyer() {
            self.next_month_of_buyer().await
        } else {
            self.new_actor().await
        };
        self.points.choose(&self.fixture.fake_provider, point, nth).await;
        let met = self.is_met_while_doing(&actor, point).await;
        if met {
            self.fixture.kill();
        }
        self.points.clear(&self.fixture.fake_provider, point).await;
        if met {
            self.let_time_pass(point).await;
            self.fixture.launch().await;
        }
        let point = format!("{:?} {point:?} {nth}", self.scenario);
        until(&point, async || self.act(&actor).await.is_ok()).await;
        self.check(&actor, &point).await;
        met
    }

    /// The caller is still waiting when the process is killed.
    async fn is_met_while_doing(&self, actor: &Actor, point: CrashPoint) -> bool {
        let mut acting = pin!(self.until_done(actor));
        loop {
            if self.points.is_reached(&self.fixture.fake_provider, point).await {
                self.fixture.send_sigkill();
                return true;
            }
            if tokio::time::timeout(Duration::from_millis(5), &mut acting)
                .await
                .is_ok()
            {
                return false;
            }
        }
    }

    async fn until_done(&self, actor: &Actor) {
        while self.act(actor).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The scenario took effect once, with one charge and one event of each kind, and the invariants hold.
    async fn check(&self, actor: &Actor, point: &str) {
        let wanted = self.wanted(actor);
        let mut found = self.found().await;
        // What the provider did is booked a moment after it is known.
        for _ in 0..POLLS_MAX {
            if found.reaches(wanted) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            found = self.found().await;
        }
        assert_eq!(found, wanted, "{point}");
        self.fixture.check_invariants().await;
    }

    fn wanted(&self, actor: &Actor) -> Outcome {
        let once = self.scenario.outcome();
        if !self.scenario.is_of_one_buyer() {
            return once.times(self.actors);
        }
        Outcome {
            taken: 1 + actor.months,
            renewed_events: actor.months * once.renewed_events,
            recovered_events: actor.months * once.recovered_events,
            done: actor.months,
            ..once
        }
    }
}

/// `minimum`: what was met in a run, less one or two where looks in the background add some.
async fn sweep(scenario: Scenario, minimum: MinimumHits) {
    let lanes = LANES.map(async |points| Sweep::start(scenario).await.run_all(points).await);
    for (point, met) in join_all(lanes).await.into_iter().flatten() {
        minimum.check(&format!("{scenario:?}"), point, met);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_one_time_order_is_paid_once() {
    sweep(Scenario::OneTime, MinimumHits::calls(5, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_one_time_order_with_3d_secure_is_paid_once() {
    sweep(Scenario::OneTimeAsked, MinimumHits::calls(6, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_month_with_3d_secure_is_paid_once() {
    sweep(Scenario::MonthAsked, MinimumHits::calls(6, 4)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_paid_trial_is_paid_and_started_once() {
    sweep(Scenario::PaidTrial, MinimumHits::calls(7, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_saved_card_pays_a_session_once() {
    sweep(Scenario::Addition, MinimumHits::calls(2, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_survey_is_paid_once() {
    sweep(Scenario::Survey, MinimumHits::calls(0, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_the_widget_sells_one_month() {
    sweep(Scenario::Yookassa, MinimumHits::calls(2, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platrons_page_sells_one_gift() {
    sweep(Scenario::PlatronGift, MinimumHits::calls(2, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_paypal_is_linked_once() {
    sweep(Scenario::Paypal, MinimumHits::calls(2, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_subscription_is_cancelled_once() {
    sweep(Scenario::Cancel, MinimumHits::calls(3, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_dearer_plan_is_charged_once() {
    sweep(Scenario::Plan, MinimumHits::calls(5, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_cheaper_plan_is_scheduled_once() {
    sweep(Scenario::LaterPlan, MinimumHits::calls(4, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_another_card_is_saved_and_charges_nothing() {
    sweep(Scenario::Card, MinimumHits::calls(3, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_another_card_pays_the_overdue_invoice_once() {
    sweep(Scenario::Overdue, MinimumHits::calls(8, 6)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_renewal_is_posted_once() {
    sweep(Scenario::Renewal, MinimumHits::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_yookassa_charges_one_renewal() {
    sweep(Scenario::YookassaRenewal, MinimumHits::calls(1, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platron_charges_one_renewal() {
    sweep(Scenario::PlatronRenewal, MinimumHits::calls(2, 4)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_stripe_refunds_once() {
    sweep(Scenario::Refund, MinimumHits::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_yookassa_refunds_once() {
    sweep(Scenario::YookassaRefund, MinimumHits::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platron_refunds_once() {
    sweep(Scenario::PlatronRefund, MinimumHits::calls(2, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_paypal_refunds_once() {
    sweep(Scenario::PaypalRefund, MinimumHits::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_withdrawal_refunds_and_terminates_once() {
    sweep(Scenario::Withdrawal, MinimumHits::calls(6, 6)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_duplicate_capture_is_refunded_once() {
    sweep(Scenario::DuplicateCapture, MinimumHits::calls(8, 2)).await;
}

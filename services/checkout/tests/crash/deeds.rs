//! The same for everything else that moves money or changes what will be charged: what is paid once, sessions by a saved card, a survey's
//! payment, the pages of other providers, wishes and renewals. Whoever asked asks again until it is done, as a page or a provider does.

#[path = "deeds/acts.rs"]
mod acts;
#[path = "deeds/people.rs"]
mod people;

use std::pin::pin;
use std::time::Duration;

use proto::checkout::v1::change_subscription_request::Wish;
use sqlx::PgPool;

use crate::door::Door;
use crate::places::{CALLS, Place, Places};
use crate::scene::{Scene, until};
use crate::twin::STRIPE;

const LONGEST: u32 = 40;
const CHANGES: &str = "select count(*) from payment where kind = 'change' and state = 'succeeded'";
const RENEWALS: &str = "select count(*) from payment where kind = 'renewal'";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    OneTime,
    Addition,
    Survey,
    Yookassa,
    PlatronGift,
    Paypal,
    Cancel,
    Plan,
    LaterPlan,
    Renewal,
}

/// What each time must come to, and no more.
struct Outcome {
    orders: usize,
    /// First payments, whoever took them.
    paid: usize,
    /// Captured at Stripe.
    charges: usize,
    /// Of what it is about.
    done: &'static str,
}

impl Deed {
    fn providers(self) -> &'static str {
        match self {
            Self::Yookassa => "stripe,yookassa",
            Self::PlatronGift => "stripe,platron",
            Self::Paypal => "stripe,paypal",
            _ => "stripe",
        }
    }

    fn calls(self) -> &'static str {
        match self {
            Self::Yookassa => "/yookassa/v3/*",
            Self::PlatronGift => "/platron/*",
            Self::Paypal => "/paypal/*",
            _ => STRIPE,
        }
    }

    fn outcome(self) -> Outcome {
        let outcome = |orders, paid, charges, done| Outcome {
            orders,
            paid,
            charges,
            done,
        };
        match self {
            Self::OneTime => outcome(
                1,
                1,
                1,
                "select count(*) from orders where kind = 'one_time' and state = 'paid'",
            ),
            Self::Addition => outcome(
                2,
                2,
                2,
                "select count(*) from orders where kind = 'addition' and state = 'paid'",
            ),
            Self::Survey => outcome(
                1,
                1,
                1,
                "select count(*) from survey_order where paid_at is not null",
            ),
            Self::Yookassa | Self::Paypal => outcome(
                1,
                1,
                0,
                "select count(*) from subscription where state = 'active'",
            ),
            Self::PlatronGift => outcome(
                1,
                1,
                0,
                "select count(*) from outbox where event->>'type' like '%platron_payment.captured'",
            ),
            Self::Cancel => outcome(
                1,
                1,
                1,
                "select count(distinct subscription_id) from subscription_wish where kind = 'cancel' and state = 'done'",
            ),
            Self::Plan => outcome(1, 1, 2, CHANGES),
            // The annual plan was charged for before.
            Self::LaterPlan => outcome(
                1,
                1,
                2,
                "select count(*) from subscription_life where next_plan_price_id is not null",
            ),
            Self::Renewal => outcome(0, 0, 0, RENEWALS),
        }
    }
}

/// Somebody who wants something, and what they have of it before.
#[derive(Default)]
struct Person {
    user_id: String,
    number: usize,
    /// Bought, opened or agreed to before; by its name.
    before: String,
    wish: Option<Wish>,
    renewals: usize,
}

struct Sweep {
    _door: Door,
    scene: Scene,
    places: Places,
    pool: PgPool,
    deed: Deed,
    people: usize,
    killed: usize,
}

impl Sweep {
    async fn start(deed: Deed) -> Self {
        let mut door = Door::build().await;
        let scene = Scene::with("300", deed.providers(), &door.url).await;
        door.lead_to(scene.client());
        let pool = scene.pool().await;
        Self {
            _door: door,
            places: Places::of(pool.clone(), deed.calls()).await,
            scene,
            pool,
            deed,
            people: 0,
            killed: 0,
        }
    }

    async fn everywhere(&mut self) {
        // Each call is lost in another way than the one before.
        let kinds: [&dyn Fn(u32) -> Place; 2] = [&|nth| CALLS[(nth as usize + 1) % CALLS.len()], &|_| {
            Place::BeforeCommit
        }];
        for kind in kinds {
            let mut nth = 1;
            while self.killed_at(kind(nth), nth).await {
                nth += 1;
                assert!(
                    nth < LONGEST,
                    "{:?} {:?}: does not come to an end",
                    self.deed,
                    kind(nth)
                );
            }
        }
    }

    /// False when it got done without meeting that place.
    async fn killed_at(&mut self, place: Place, nth: u32) -> bool {
        let person = if self.deed == Deed::Renewal {
            self.renewing().await
        } else {
            self.somebody().await
        };
        self.places.choose(&self.scene.twin, place, nth).await;
        let met = self.is_met_while_doing(&person, place).await;
        if met {
            self.scene.kill();
            self.killed += 1;
        }
        self.places.forget(&self.scene.twin, place).await;
        if met {
            self.scene.launch().await;
        }
        let place = format!("{:?} {place:?} {nth}", self.deed);
        until(&place, async || self.act(&person).await.is_ok()).await;
        self.check(&person, &place).await;
        met
    }

    /// Whoever asks is still waiting when the process is struck.
    async fn is_met_while_doing(&self, person: &Person, place: Place) -> bool {
        let mut acting = pin!(self.until_done(person));
        loop {
            if self.places.is_met(&self.scene.twin, place).await {
                self.scene.strike();
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

    async fn until_done(&self, person: &Person) {
        while self.act(person).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// However it went: done once, charged once, told once, and the rules hold.
    async fn check(&self, person: &Person, place: &str) {
        let people = self.people;
        let outcome = self.deed.outcome();
        if self.deed != Deed::Renewal {
            // What was charged for a plan is booked a moment after the plan is known.
            until(place, async || self.places.count(outcome.done).await >= people).await;
        }
        let done = self.places.count(outcome.done).await;
        let charges = self.scene.twin.captured_charges().await.len();
        if self.deed == Deed::Renewal {
            assert_eq!((done, charges), (person.renewals, person.renewals + 1), "{place}");
            let told = "select count(*) from outbox where event->>'type' like '%subscription.renewed'";
            assert_eq!(self.places.count(told).await, person.renewals, "{place}: told");
        } else {
            assert_eq!(done, people, "{place}: done");
            assert_eq!(charges, people * outcome.charges, "{place}: charges");
            let orders = self.places.count("select count(*) from orders").await;
            assert_eq!(orders, people * outcome.orders, "{place}: orders");
            let paid = "select count(*) from payment where kind = 'first' and state = 'succeeded'";
            assert_eq!(
                self.places.count(paid).await,
                people * outcome.paid,
                "{place}: paid"
            );
            let told = "select count(*) from outbox where event->>'type' like '%order.paid'";
            assert_eq!(
                self.places.count(told).await,
                people * outcome.paid,
                "{place}: told"
            );
        }
        let refunds = self.places.count("select count(*) from refund").await;
        assert_eq!(refunds, 0, "{place}: nothing was taken twice");
        self.scene.check_rules().await;
    }
}

async fn sweep(deed: Deed, places_min: usize) {
    let mut sweep = Sweep::start(deed).await;
    sweep.everywhere().await;
    assert!(sweep.killed >= places_min, "only {} places", sweep.killed);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_what_is_sold_once_is_paid_once() {
    sweep(Deed::OneTime, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_saved_card_pays_a_session_once() {
    sweep(Deed::Addition, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_survey_is_paid_once() {
    sweep(Deed::Survey, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_the_widget_sells_one_month() {
    sweep(Deed::Yookassa, 5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platrons_page_sells_one_gift() {
    sweep(Deed::PlatronGift, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_paypal_is_linked_once() {
    sweep(Deed::Paypal, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_subscription_is_cancelled_once() {
    sweep(Deed::Cancel, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_dearer_plan_is_charged_once() {
    sweep(Deed::Plan, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_cheaper_plan_is_scheduled_once() {
    sweep(Deed::LaterPlan, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_renewal_is_booked_once() {
    sweep(Deed::Renewal, 2).await;
}

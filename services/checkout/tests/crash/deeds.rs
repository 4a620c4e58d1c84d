//! The same for everything else that moves money or changes what will be charged: what is paid once, what the buyer's bank asks
//! about, sessions by a saved card, the pages of other providers, wishes, renewals, and what is given back. Whoever asked asks
//! again until it is done, as a page or a provider does.

#[path = "deeds/acts.rs"]
mod acts;
#[path = "deeds/asked.rs"]
mod asked;
#[path = "deeds/books.rs"]
mod books;
#[path = "deeds/given_back.rs"]
mod given_back;
#[path = "deeds/outcome.rs"]
mod outcome;
#[path = "deeds/people.rs"]
mod people;
#[path = "deeds/renewals.rs"]
mod renewals;

use std::pin::pin;
use std::time::Duration;

use futures::future::join_all;
use proto::checkout::v1::change_subscription_request::Change;
use reqwest::Client;
use sqlx::PgPool;

use crate::door::Door;
use crate::places::{AtLeast, CALLS, Place, Places};
use crate::scene::{Scene, until};
use outcome::{Deed, Outcome};

const LONGEST: u32 = 40;
const LOOKS: usize = 300;

/// Every way, two of them at a time, each with a process of its own: most of it is waiting.
const LANES: [[Place; 2]; 2] = [[CALLS[0], CALLS[2]], [CALLS[1], Place::BeforeCommit]];

/// Somebody who wants something, and what they have of it before.
#[derive(Default)]
struct Person {
    user_id: String,
    number: usize,
    /// Bought, opened, agreed to or shown before; by its name.
    before: String,
    /// The price of what begins with it.
    starts: String,
    /// To pay with.
    card: String,
    wish: Option<Change>,
    /// Since they bought.
    months: usize,
    /// Changed before.
    cards: usize,
}

struct Sweep {
    _door: Door,
    scene: Scene,
    places: Places,
    pool: PgPool,
    http: Client,
    deed: Deed,
    people: usize,
}

impl Sweep {
    async fn start(deed: Deed) -> Self {
        let mut door = Door::build().await;
        let scene = Scene::with("300", deed.providers(), &door.url).await;
        door.lead_to(scene.client());
        let pool = scene.pool().await;
        // A connection that rested while a process was started again may just be closing.
        let http = Client::builder().pool_max_idle_per_host(0).build();
        Self {
            _door: door,
            http: http.unwrap(),
            places: Places::of(pool.clone(), deed.calls()).await,
            scene,
            pool,
            deed,
            people: 0,
        }
    }

    /// How often each place was met.
    async fn everywhere(&mut self, places: [Place; 2]) -> [(Place, u32); 2] {
        let mut all = places.map(|place| (place, 0));
        for (place, met) in &mut all {
            while self.killed_at(*place, *met + 1).await {
                *met += 1;
                assert!(
                    *met < LONGEST,
                    "{:?} {place:?}: does not come to an end",
                    self.deed
                );
            }
        }
        all
    }

    /// False when it got done without meeting that place.
    async fn killed_at(&mut self, place: Place, nth: u32) -> bool {
        let person = if self.deed.is_of_one_buyer() {
            self.a_month_on().await
        } else {
            self.somebody().await
        };
        self.places.choose(&self.scene.twin, place, nth).await;
        let met = self.is_met_while_doing(&person, place).await;
        if met {
            self.scene.kill();
        }
        self.places.forget(&self.scene.twin, place).await;
        if met {
            self.let_time_pass(place).await;
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
        let wanted = self.wanted(person);
        let mut found = self.found().await;
        // What the provider did is booked a moment after it is known.
        for _ in 0..LOOKS {
            if found.reaches(wanted) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            found = self.found().await;
        }
        assert_eq!(found, wanted, "{place}");
        self.scene.check_rules().await;
    }

    fn wanted(&self, person: &Person) -> Outcome {
        let once = self.deed.outcome();
        if !self.deed.is_of_one_buyer() {
            return once.times(self.people);
        }
        Outcome {
            taken: 1 + person.months,
            told_renewed: person.months * once.told_renewed,
            told_recovered: person.months * once.told_recovered,
            done: person.months,
            ..once
        }
    }
}

/// `at_least`: what was met in a run, less one or two where looks in the background add some.
async fn sweep(deed: Deed, at_least: AtLeast) {
    let lanes = LANES.map(async |places| Sweep::start(deed).await.everywhere(places).await);
    for (place, met) in join_all(lanes).await.into_iter().flatten() {
        at_least.check(&format!("{deed:?}"), place, met);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_what_is_sold_once_is_paid_once() {
    sweep(Deed::OneTime, AtLeast::calls(5, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_what_is_sold_once_is_paid_once_after_the_bank_has_asked() {
    sweep(Deed::OneTimeAsked, AtLeast::calls(6, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_month_is_paid_once_after_the_bank_has_asked() {
    sweep(Deed::MonthAsked, AtLeast::calls(6, 4)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_trial_that_costs_something_is_paid_once_and_begins_once() {
    sweep(Deed::PaidTrial, AtLeast::calls(7, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_saved_card_pays_a_session_once() {
    sweep(Deed::Addition, AtLeast::calls(2, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_survey_is_paid_once() {
    sweep(Deed::Survey, AtLeast::calls(0, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_the_widget_sells_one_month() {
    sweep(Deed::Yookassa, AtLeast::calls(2, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platrons_page_sells_one_gift() {
    sweep(Deed::PlatronGift, AtLeast::calls(2, 5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_paypal_is_linked_once() {
    sweep(Deed::Paypal, AtLeast::calls(2, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_subscription_is_cancelled_once() {
    sweep(Deed::Cancel, AtLeast::calls(3, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_dearer_plan_is_charged_once() {
    sweep(Deed::Plan, AtLeast::calls(5, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_cheaper_plan_is_scheduled_once() {
    sweep(Deed::LaterPlan, AtLeast::calls(4, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_another_card_is_kept_and_charges_nothing() {
    sweep(Deed::Card, AtLeast::calls(3, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_another_card_pays_what_is_overdue_once() {
    sweep(Deed::Overdue, AtLeast::calls(8, 6)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_renewal_is_booked_once() {
    sweep(Deed::Renewal, AtLeast::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_yookassa_is_asked_for_one_renewal() {
    sweep(Deed::YookassaRenewal, AtLeast::calls(1, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platron_is_asked_for_one_renewal() {
    sweep(Deed::PlatronRenewal, AtLeast::calls(2, 4)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_stripe_gives_back_once() {
    sweep(Deed::Refund, AtLeast::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_yookassa_gives_back_once() {
    sweep(Deed::YookassaRefund, AtLeast::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_platron_gives_back_once() {
    sweep(Deed::PlatronRefund, AtLeast::calls(2, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_paypal_gives_back_once() {
    sweep(Deed::PaypalRefund, AtLeast::calls(2, 2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_withdrawal_gives_back_and_ends_once() {
    sweep(Deed::Withdrawal, AtLeast::calls(7, 6)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_what_was_paid_beside_a_subscription_goes_back_once() {
    sweep(Deed::Surplus, AtLeast::calls(7, 4)).await;
}

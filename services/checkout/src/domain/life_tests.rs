use chrono::TimeDelta;

use super::*;
use crate::domain::arrears::Grace;
use crate::domain::fixtures::{decline, intended, later, noon, paid, price};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::purchase::Purchase;
use crate::domain::report::{Charge, ProviderStatus, Report};
use crate::domain::settlement;
use crate::domain::subscription::SubscriptionState;

const GRACE: Grace = Grace(TimeDelta::days(14));
const MONTH: i64 = 30 * 24;

fn bought() -> Purchase {
    settlement::decide(intended(), &paid(), noon()).purchase
}

fn showing(status: ProviderStatus, period_end: DateTime<Utc>, invoices: Vec<Invoice>) -> Showing {
    Showing {
        snapshot: Snapshot {
            provider_subscription_id: "sub_1".into(),
            payment_id: None,
            provider_intent_id: None,
            status,
            period_end,
            charge: Charge::Processing,
        },
        cancel_at: None,
        paused_until: None,
        resume_at: None,
        card: None,
        provider_price_id: None,
        invoices,
    }
}

fn invoice(number: i64, state: InvoiceState) -> Invoice {
    Invoice {
        provider_invoice_id: format!("in_{number}"),
        provider_intent_id: Some(format!("pi_{}", number + 1)),
        reason: if number == 0 {
            InvoiceReason::First
        } else {
            InvoiceReason::Period
        },
        amount: price(),
        covers_from: later(number * MONTH),
        covers_until: later((number + 1) * MONTH),
        state,
    }
}

fn paid_invoice(number: i64) -> Invoice {
    let state = InvoiceState::Paid {
        captured: price(),
        at: later(number * MONTH),
    };
    invoice(number, state)
}

struct Member {
    purchase: Purchase,
    life: Life,
    renewals: Vec<Renewal>,
}

impl Member {
    fn new() -> Self {
        let purchase = bought();
        let life = Life::new(purchase.subscription.subscription_id);
        Self {
            purchase,
            life,
            renewals: Vec::new(),
        }
    }

    fn see(&mut self, showing: &Showing, hours: i64) -> (Vec<LifeFact>, Vec<Errand>) {
        let report = Report::Snapshot(showing.snapshot.clone());
        self.purchase = settlement::decide(self.purchase.clone(), &report, later(hours)).purchase;
        let standing = Standing {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            life: self.life.clone(),
        };
        let now = later(hours);
        let followed = follow(standing, showing, GRACE, now, || PaymentId::new(now));
        self.life = followed.life;
        self.renewals.extend(followed.renewals);
        (followed.facts, followed.errands)
    }
}

fn overdue(number: i64) -> Showing {
    let invoices = vec![invoice(number, InvoiceState::Overdue(decline())), paid_invoice(0)];
    showing(ProviderStatus::PastDue, later((number + 1) * MONTH), invoices)
}

#[test]
fn each_paid_invoice_is_one_renewal_however_often_shown() {
    let mut member = Member::new();
    let invoices = vec![paid_invoice(2), paid_invoice(1), paid_invoice(0)];
    let shown = showing(ProviderStatus::Active, later(3 * MONTH), invoices);
    let (facts, errands) = member.see(&shown, 2 * MONTH + 1);
    assert!(
        matches!(facts[..], [LifeFact::Renewed(_), LifeFact::Renewed(_)]),
        "{facts:?}"
    );
    assert_eq!(errands, []);
    assert_eq!(member.see(&shown, 2 * MONTH + 2).0, []);
    let invoices: Vec<&str> = member
        .renewals
        .iter()
        .map(|renewal| renewal.provider_invoice_id.as_str())
        .collect();
    assert_eq!(invoices, ["in_1", "in_2"]);
}

#[test]
fn what_pays_the_order_is_no_renewal() {
    let mut member = Member::new();
    let shown = showing(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)]);
    assert_eq!(member.see(&shown, 1), (vec![], vec![]));
}

#[test]
fn unpaid_renewal_is_held_tried_and_recovered() {
    let mut member = Member::new();
    let (facts, errands) = member.see(&overdue(1), MONTH);
    assert!(matches!(&facts[..], [LifeFact::PastDue(_)]), "{facts:?}");
    let hold = Errand::Hold {
        provider_invoice_id: "in_1".into(),
    };
    assert_eq!(errands, [hold]);
    member.life.arrears.as_mut().unwrap().is_held = true;

    assert_eq!(member.see(&overdue(1), MONTH + 1), (vec![], vec![]));
    let due_at = member.life.due_at;
    assert_eq!(due_at, Some(later(MONTH + 24)));
    let pay = Errand::Pay {
        provider_invoice_id: "in_1".into(),
        key: "try-in_1-1".into(),
    };
    assert_eq!(member.see(&overdue(1), MONTH + 24).1, std::slice::from_ref(&pay));
    // Its answer was lost: the same key again.
    assert_eq!(member.see(&overdue(1), MONTH + 25).1, [pay]);

    let recovered = showing(
        ProviderStatus::Active,
        later(2 * MONTH),
        vec![paid_invoice(1), paid_invoice(0)],
    );
    let (facts, errands) = member.see(&recovered, MONTH + 26);
    assert!(
        matches!(&facts[..], [LifeFact::Renewed(_), LifeFact::Recovered]),
        "{facts:?}"
    );
    assert_eq!((errands, member.life.arrears), (vec![], None));
}

#[test]
fn after_the_grace_it_ends_and_is_never_tried_again() {
    let mut member = Member::new();
    member.see(&overdue(1), MONTH);
    member.life.arrears.as_mut().unwrap().is_held = true;
    let over = MONTH + 14 * 24;
    assert_eq!(member.see(&overdue(1), over).1, [Errand::End]);

    let mut ended = overdue(1);
    ended.snapshot.status = ProviderStatus::Canceled;
    let (facts, errands) = member.see(&ended, over + 1);
    assert!(
        matches!(
            &facts[..],
            [LifeFact::Ended {
                cause: EndCause::Unpaid,
                ..
            }]
        ),
        "{facts:?}"
    );
    let close = Errand::Close {
        provider_invoice_id: "in_1".into(),
    };
    assert_eq!(errands, [close]);

    ended.invoices[0].state = InvoiceState::Closed;
    assert_eq!(member.see(&ended, over + 2), (vec![], vec![]));
    assert_eq!(member.life.due_at, None);
    // A showing from before is no new life.
    assert!(
        !member
            .see(&overdue(1), over + 3)
            .1
            .iter()
            .any(|errand| matches!(errand, Errand::Pay { .. }))
    );
}

#[test]
fn a_cancelled_subscription_with_a_debt_is_not_tried() {
    let mut member = Member::new();
    member.see(&overdue(1), MONTH);
    member.life.arrears.as_mut().unwrap().is_held = true;
    let mut ended = overdue(1);
    ended.snapshot.status = ProviderStatus::Canceled;
    let (_, errands) = member.see(&ended, MONTH + 24);
    assert!(matches!(errands[..], [Errand::Close { .. }]), "{errands:?}");
}

#[test]
fn reminder_before_a_trial_ends_comes_once_and_not_to_whoever_cancelled() {
    let trial = Report::Snapshot(Snapshot {
        period_end: later(7 * 24),
        status: ProviderStatus::Trialing,
        ..showing(ProviderStatus::Trialing, later(7 * 24), vec![]).snapshot
    });
    let Report::Snapshot(mut snapshot) = trial else {
        return;
    };
    snapshot.charge = Charge::NotDue;
    let mut shown = showing(ProviderStatus::Trialing, later(7 * 24), vec![]);
    shown.snapshot = snapshot;
    let begin = || {
        let mut intended = intended();
        intended.order.trial_days = 7;
        let mut member = Member::new();
        member.purchase = intended;
        member
    };

    let mut member = begin();
    assert_eq!(member.see(&shown, 1).0, []);
    assert_eq!(member.life.due_at, Some(later(4 * 24)));
    let until = later(7 * 24);
    assert_eq!(member.see(&shown, 4 * 24).0, [LifeFact::TrialEnding { until }]);
    assert_eq!(member.see(&shown, 5 * 24).0, []);

    let mut leaving = begin();
    shown.cancel_at = Some(until);
    assert_eq!(leaving.see(&shown, 4 * 24).0, []);
}

#[test]
fn a_pause_is_told_when_the_paid_time_is_over() {
    let mut member = Member::new();
    let mut shown = showing(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)]);
    shown.paused_until = Some(later(3 * MONTH));
    assert_eq!(member.see(&shown, 24).0, []);
    shown.snapshot.period_end = later(2 * MONTH);
    let until = later(3 * MONTH);
    assert_eq!(member.see(&shown, MONTH + 1).0, [LifeFact::Paused { until }]);
    assert_eq!(member.see(&shown, MONTH + 2).0, []);
}

#[test]
fn what_stands_still_goes_on_when_it_is_time_and_nothing_is_owed() {
    let mut member = Member::new();
    let halted = Showing {
        resume_at: Some(later(48)),
        ..showing(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)])
    };
    assert_eq!(member.see(&halted, 1), (vec![], vec![]));
    assert_eq!(member.life.due_at, Some(later(48)), "looked after then");
    assert_eq!(member.see(&halted, 48).1, [Errand::Resume]);
    assert_eq!(member.see(&halted, 49).1, [Errand::Resume], "until it does");

    let owing = Showing {
        resume_at: Some(later(48)),
        ..overdue(1)
    };
    let (_, errands) = member.see(&owing, MONTH);
    assert!(!errands.contains(&Errand::Resume), "{errands:?}");
}

#[test]
fn plan_that_follows_begins_when_the_provider_shows_it_and_no_other_way() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let on = |price: &str, months: i64| Showing {
        provider_price_id: Some(price.into()),
        ..showing(
            ProviderStatus::Active,
            later(months * MONTH),
            vec![paid_invoice(0)],
        )
    };
    let mut member = Member::new();
    member.life.next_plan = Some(next.clone());
    assert_eq!(member.see(&on("price_1", 1), 1).1, []);
    assert_eq!(member.life.scheduled(), Some(&next));
    let let_go = Errand::LetGo {
        starts_at: next.starts_at,
    };
    for hours in [1, 2] {
        let errands = member.see(&on("price_2", 2), MONTH + hours).1;
        assert_eq!(errands, std::slice::from_ref(&let_go), "until it is");
        assert_eq!(member.life.plan_price_id, Some(next.price_id));
        assert_eq!(member.life.scheduled(), None);
    }

    // Somebody of ours took it out at the provider.
    let mut member = Member::new();
    member.life.next_plan = Some(next);
    assert_eq!(member.see(&on("price_1", 2), MONTH + 1).1, []);
    assert_eq!((member.life.next_plan, member.life.plan_price_id), (None, None));
}

#[test]
fn showings_from_before_a_plan_neither_begin_nor_drop_it() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let of_first_month = |price: &str| Showing {
        provider_price_id: Some(price.into()),
        ..showing(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)])
    };
    let mut member = Member::new();
    member.life.next_plan = Some(next.clone());
    // Whoever else looks has heard that another period began.
    member.purchase.subscription.state = SubscriptionState::Active {
        period_end: later(2 * MONTH),
    };
    for price in ["price_1", "price_2"] {
        assert_eq!(member.see(&of_first_month(price), MONTH + 1).1, []);
        assert_eq!(member.life.scheduled(), Some(&next), "{price}");
    }
}

#[test]
fn only_the_schedule_of_what_has_begun_is_let_go() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let mut life = Member::new().life;
    life.next_plan = Some(next.clone());
    assert!(!life.lets_go(next.starts_at), "it is still to begin");
    life.plan_price_id = Some(next.price_id);
    assert!(life.lets_go(next.starts_at));
    assert!(!life.lets_go(later(2 * MONTH)), "another one was scheduled since");
}

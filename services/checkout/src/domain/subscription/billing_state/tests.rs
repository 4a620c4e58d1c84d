use chrono::TimeDelta;

use super::*;
use crate::domain::fixtures::{decline, intended, later, noon, paid, price};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::provider_result::{Charge, ProviderResult, ProviderStatus};
use crate::domain::subscription::dunning::Grace;
use crate::domain::subscription::settlement;
use crate::domain::subscription_state::SubscriptionState;

const GRACE: Grace = Grace(TimeDelta::days(14));
const MONTH: i64 = 30 * 24;

fn bought() -> SubscriptionOrder {
    settlement::decide(intended(), &paid(), noon()).purchase
}

fn snapshot(
    status: ProviderStatus,
    period_end: DateTime<Utc>,
    invoices: Vec<Invoice>,
) -> SubscriptionSnapshot {
    SubscriptionSnapshot {
        payment: PaymentSnapshot {
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
        period_start: later(number * MONTH),
        period_end: later((number + 1) * MONTH),
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
    purchase: SubscriptionOrder,
    billing: BillingState,
    renewals: Vec<Renewal>,
}

impl Member {
    fn new() -> Self {
        let purchase = bought();
        let billing = BillingState::new(purchase.subscription.subscription_id);
        Self {
            purchase,
            billing,
            renewals: Vec::new(),
        }
    }

    fn see(
        &mut self,
        snapshot: &SubscriptionSnapshot,
        hours: i64,
    ) -> (Vec<SubscriptionFact>, Vec<ProviderCommand>) {
        let result = ProviderResult::Snapshot(snapshot.payment.clone());
        self.purchase = settlement::decide(self.purchase.clone(), &result, later(hours)).purchase;
        let input = SyncInput {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            state: self.billing.clone(),
        };
        let now = later(hours);
        let followed = apply_snapshot(input, snapshot, GRACE, now, || PaymentId::new(now));
        self.billing = followed.state;
        self.renewals.extend(followed.renewals);
        (followed.facts, followed.commands)
    }
}

fn overdue(number: i64) -> SubscriptionSnapshot {
    let invoices = vec![invoice(number, InvoiceState::Overdue(decline())), paid_invoice(0)];
    snapshot(ProviderStatus::PastDue, later((number + 1) * MONTH), invoices)
}

#[test]
fn each_paid_invoice_is_one_renewal_however_often_shown() {
    let mut member = Member::new();
    let invoices = vec![paid_invoice(2), paid_invoice(1), paid_invoice(0)];
    let shown = snapshot(ProviderStatus::Active, later(3 * MONTH), invoices);
    let (facts, commands) = member.see(&shown, 2 * MONTH + 1);
    assert!(
        matches!(
            facts[..],
            [SubscriptionFact::Renewed(_), SubscriptionFact::Renewed(_)]
        ),
        "{facts:?}"
    );
    assert_eq!(commands, []);
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
    let shown = snapshot(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)]);
    assert_eq!(member.see(&shown, 1), (vec![], vec![]));
}

#[test]
fn overdue_renewal_disables_auto_advance_is_retried_and_recovers() {
    let mut member = Member::new();
    let (facts, commands) = member.see(&overdue(1), MONTH);
    assert!(matches!(&facts[..], [SubscriptionFact::PastDue(_)]), "{facts:?}");
    let hold = ProviderCommand::DisableAutoAdvance {
        provider_invoice_id: "in_1".into(),
    };
    assert_eq!(commands, [hold]);
    member.billing.dunning.as_mut().unwrap().auto_advance_disabled = true;

    assert_eq!(member.see(&overdue(1), MONTH + 1), (vec![], vec![]));
    let due_at = member.billing.due_at;
    assert_eq!(due_at, Some(later(MONTH + 24)));
    let pay = ProviderCommand::PayInvoice {
        provider_invoice_id: "in_1".into(),
        key: "try-in_1-1".into(),
    };
    assert_eq!(member.see(&overdue(1), MONTH + 24).1, std::slice::from_ref(&pay));
    // Its answer was lost: the same key again.
    assert_eq!(member.see(&overdue(1), MONTH + 25).1, [pay]);

    let recovered = snapshot(
        ProviderStatus::Active,
        later(2 * MONTH),
        vec![paid_invoice(1), paid_invoice(0)],
    );
    let (facts, commands) = member.see(&recovered, MONTH + 26);
    assert!(
        matches!(
            &facts[..],
            [SubscriptionFact::Renewed(_), SubscriptionFact::Recovered]
        ),
        "{facts:?}"
    );
    assert_eq!((commands, member.billing.dunning), (vec![], None));
}

#[test]
fn after_the_grace_it_ends_and_is_never_retried() {
    let mut member = Member::new();
    member.see(&overdue(1), MONTH);
    member.billing.dunning.as_mut().unwrap().auto_advance_disabled = true;
    let over = MONTH + 14 * 24;
    assert_eq!(
        member.see(&overdue(1), over).1,
        [ProviderCommand::CancelSubscription]
    );

    let mut ended = overdue(1);
    ended.payment.status = ProviderStatus::Canceled;
    let (facts, commands) = member.see(&ended, over + 1);
    assert!(
        matches!(
            &facts[..],
            [SubscriptionFact::Ended {
                cause: EndCause::Unpaid,
                ..
            }]
        ),
        "{facts:?}"
    );
    let close = ProviderCommand::CloseInvoice {
        provider_invoice_id: "in_1".into(),
    };
    assert_eq!(commands, [close]);

    ended.invoices[0].state = InvoiceState::Closed;
    assert_eq!(member.see(&ended, over + 2), (vec![], vec![]));
    assert_eq!(member.billing.due_at, None);
    // A stale snapshot does not revive it.
    assert!(
        !member
            .see(&overdue(1), over + 3)
            .1
            .iter()
            .any(|command| matches!(command, ProviderCommand::PayInvoice { .. }))
    );
}

#[test]
fn cancelled_overdue_subscription_is_not_retried() {
    let mut member = Member::new();
    member.see(&overdue(1), MONTH);
    member.billing.dunning.as_mut().unwrap().auto_advance_disabled = true;
    let mut ended = overdue(1);
    ended.payment.status = ProviderStatus::Canceled;
    let (_, commands) = member.see(&ended, MONTH + 24);
    assert!(
        matches!(commands[..], [ProviderCommand::CloseInvoice { .. }]),
        "{commands:?}"
    );
}

#[test]
fn trial_ending_is_emitted_once_and_not_after_a_cancel() {
    let trial = ProviderResult::Snapshot(PaymentSnapshot {
        period_end: later(7 * 24),
        status: ProviderStatus::Trialing,
        ..snapshot(ProviderStatus::Trialing, later(7 * 24), vec![]).payment
    });
    let ProviderResult::Snapshot(mut snapshot) = trial else {
        return;
    };
    snapshot.charge = Charge::NotDue;
    let mut shown = self::snapshot(ProviderStatus::Trialing, later(7 * 24), vec![]);
    shown.payment = snapshot;
    let begin = || {
        let mut intended = intended();
        intended.order.trial_days = 7;
        let mut member = Member::new();
        member.purchase = intended;
        member
    };

    let mut member = begin();
    assert_eq!(member.see(&shown, 1).0, []);
    assert_eq!(member.billing.due_at, Some(later(4 * 24)));
    let until = later(7 * 24);
    assert_eq!(
        member.see(&shown, 4 * 24).0,
        [SubscriptionFact::TrialEnding { until }]
    );
    assert_eq!(member.see(&shown, 5 * 24).0, []);

    let mut leaving = begin();
    shown.cancel_at = Some(until);
    assert_eq!(leaving.see(&shown, 4 * 24).0, []);
}

#[test]
fn pause_is_emitted_when_the_paid_time_ends() {
    let mut member = Member::new();
    let mut shown = self::snapshot(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)]);
    shown.paused_until = Some(later(3 * MONTH));
    assert_eq!(member.see(&shown, 24).0, []);
    shown.payment.period_end = later(2 * MONTH);
    let until = later(3 * MONTH);
    assert_eq!(
        member.see(&shown, MONTH + 1).0,
        [SubscriptionFact::Paused { until }]
    );
    assert_eq!(member.see(&shown, MONTH + 2).0, []);
}

#[test]
fn pause_is_resumed_on_time_when_nothing_is_overdue() {
    let mut member = Member::new();
    let halted = SubscriptionSnapshot {
        resume_at: Some(later(48)),
        ..snapshot(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)])
    };
    assert_eq!(member.see(&halted, 1), (vec![], vec![]));
    assert_eq!(member.billing.due_at, Some(later(48)), "looked after then");
    assert_eq!(member.see(&halted, 48).1, [ProviderCommand::Resume]);
    assert_eq!(
        member.see(&halted, 49).1,
        [ProviderCommand::Resume],
        "until it does"
    );

    let owing = SubscriptionSnapshot {
        resume_at: Some(later(48)),
        ..overdue(1)
    };
    let (_, commands) = member.see(&owing, MONTH);
    assert!(!commands.contains(&ProviderCommand::Resume), "{commands:?}");
}

#[test]
fn plan_that_follows_begins_when_the_provider_shows_it_and_no_other_way() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let on = |price: &str, months: i64| SubscriptionSnapshot {
        provider_price_id: Some(price.into()),
        ..snapshot(
            ProviderStatus::Active,
            later(months * MONTH),
            vec![paid_invoice(0)],
        )
    };
    let mut member = Member::new();
    member.billing.next_plan = Some(next.clone());
    assert_eq!(member.see(&on("price_1", 1), 1).1, []);
    assert_eq!(member.billing.scheduled(), Some(&next));
    let release = ProviderCommand::ReleaseSchedule {
        starts_at: next.starts_at,
    };
    for hours in [1, 2] {
        let commands = member.see(&on("price_2", 2), MONTH + hours).1;
        assert_eq!(commands, std::slice::from_ref(&release), "until it is");
        assert_eq!(member.billing.plan_price_id, Some(next.price_id));
        assert_eq!(member.billing.scheduled(), None);
    }

    // An operator removed it at the provider.
    let mut member = Member::new();
    member.billing.next_plan = Some(next);
    assert_eq!(member.see(&on("price_1", 2), MONTH + 1).1, []);
    assert_eq!(
        (member.billing.next_plan, member.billing.plan_price_id),
        (None, None)
    );
}

#[test]
fn stale_snapshots_neither_begin_nor_drop_a_plan() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let of_first_month = |price: &str| SubscriptionSnapshot {
        provider_price_id: Some(price.into()),
        ..snapshot(ProviderStatus::Active, later(MONTH), vec![paid_invoice(0)])
    };
    let mut member = Member::new();
    member.billing.next_plan = Some(next.clone());
    // A concurrent sync recorded the next period.
    member.purchase.subscription.state = SubscriptionState::Active {
        period_end: later(2 * MONTH),
    };
    for price in ["price_1", "price_2"] {
        assert_eq!(member.see(&of_first_month(price), MONTH + 1).1, []);
        assert_eq!(member.billing.scheduled(), Some(&next), "{price}");
    }
}

#[test]
fn only_the_schedule_of_a_begun_plan_is_released() {
    let next = NextPlan {
        price_id: PriceId::new(noon()),
        provider_price_id: "price_2".into(),
        starts_at: later(MONTH),
    };
    let mut billing = Member::new().billing;
    billing.next_plan = Some(next.clone());
    assert!(!billing.releases_schedule(next.starts_at), "it is still to begin");
    billing.plan_price_id = Some(next.price_id);
    assert!(billing.releases_schedule(next.starts_at));
    assert!(
        !billing.releases_schedule(later(2 * MONTH)),
        "another one was scheduled since"
    );
}

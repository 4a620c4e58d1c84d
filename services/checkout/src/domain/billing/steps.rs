//! What is to be done next about a subscription's charges. Decided under its order's lock.

use chrono::{DateTime, Months, SubsecRound, Utc};
use kit::money::Money;

use super::{Billing, Charge, ChargeState, Try};
use crate::domain::life::Life;
use crate::domain::wish::Wish;

/// Longer than anybody lives.
const PERIODS_MAX: u32 = 12 * 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A period has begun and is to be paid: written down with its first try.
    Open { charge: Charge, anchor: DateTime<Utc> },
    /// The provider never heard of the try before.
    Try { charge_id: String, key: String },
    /// It is not wanted any more.
    Close { charge_id: String },
    /// What is owed is not wanted any more: it ends now.
    End,
}

/// Whether anything may be asked for at all.
pub fn may_charge(billing: &Billing, life: &Life, now: DateTime<Utc>) -> bool {
    let is_paused = billing.resumes_at.is_some_and(|at| at > now);
    billing.means.is_some() && billing.ended_at.is_none() && life.cancel_at.is_none() && !is_paused
}

/// `None`: nothing, until something is heard or time goes by.
pub fn next(
    billing: &Billing,
    life: &Life,
    charges: &[Charge],
    amount: Money,
    now: DateTime<Utc>,
) -> Option<Step> {
    if billing.ended_at.is_some() {
        return None;
    }
    match charges.iter().find(|charge| charge.state == ChargeState::Open) {
        Some(open) => about_open(billing, life, open, now),
        None => begin_period(billing, life, charges, amount, now),
    }
}

fn about_open(billing: &Billing, life: &Life, open: &Charge, now: DateTime<Utc>) -> Option<Step> {
    if open.unresolved().is_some() {
        return None;
    }
    let charge_id = open.charge_id.clone();
    if !may_charge(billing, life, now) {
        return match &life.arrears {
            None => Some(Step::Close { charge_id }),
            Some(_) => life.cancel_at.map(|_| Step::End),
        };
    }
    // What the bank refused is tried again by the plan for its refusal.
    open.decline().is_none().then(|| Step::Try {
        key: next_key(&charge_id, &open.tries),
        charge_id,
    })
}

fn begin_period(
    billing: &Billing,
    life: &Life,
    charges: &[Charge],
    amount: Money,
    now: DateTime<Utc>,
) -> Option<Step> {
    let (from, anchor) = next_period(billing, now);
    if !may_charge(billing, life, now) || now < from {
        return None;
    }
    let charge_id = format!(
        "{}.{:x}",
        billing.subscription_id.as_uuid().simple(),
        from.timestamp()
    );
    // Closed when it was not wanted, and now it is.
    let before = charges.iter().find(|charge| charge.charge_id == charge_id);
    let mut tries = before.map(|charge| charge.tries.clone()).unwrap_or_default();
    tries.push(Try::asked(next_key(&charge_id, &tries), now));
    Some(Step::Open {
        charge: Charge {
            charge_id,
            amount,
            covers_from: from,
            covers_until: period_after(anchor, billing.period_months, from),
            state: ChargeState::Open,
            tries,
        },
        anchor,
    })
}

/// Right after what is paid, or anew where time was skipped: by a pause, or because nobody was at work for a whole period.
fn next_period(billing: &Billing, now: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    let from = billing
        .resumes_at
        .map_or(billing.paid_until, |at| at.max(billing.paid_until));
    let anchor = if from > billing.paid_until {
        from
    } else {
        billing.anchor
    };
    if period_after(anchor, billing.period_months, from) > now {
        (from, anchor)
    } else {
        let anew = now.trunc_subsecs(0);
        (anew, anew)
    }
}

/// The first end of a period after `from`, counted from the anchor.
pub(super) fn period_after(anchor: DateTime<Utc>, months: u32, from: DateTime<Utc>) -> DateTime<Utc> {
    let mut ends = (1..=PERIODS_MAX)
        .filter_map(|count| anchor.checked_add_months(Months::new(count.saturating_mul(months))));
    ends.find(|end| *end > from).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// The same for whoever works it out from the same tries.
fn next_key(charge_id: &str, tries: &[Try]) -> String {
    if tries.is_empty() {
        charge_id.to_owned()
    } else {
        format!("{charge_id}-{}", tries.len())
    }
}

/// What a member wants is ours to do.
pub fn take_wish(
    billing: &mut Billing,
    life: &mut Life,
    charges: &[Charge],
    wish: &Wish,
    now: DateTime<Utc>,
) {
    let is_asking = charges.iter().any(|charge| charge.unresolved().is_some());
    match wish {
        // Nobody pays for what was refused: it ends now. What is being asked for right now is waited for.
        Wish::Cancel if life.arrears.is_some() && !is_asking => billing.ended_at = Some(now),
        Wish::End => billing.ended_at = Some(now),
        Wish::Cancel => life.cancel_at = Some(billing.paid_until),
        Wish::Keep => life.cancel_at = None,
        Wish::Pause { until } => {
            billing.resumes_at = Some(*until);
            life.paused_until = Some(*until);
        }
        Wish::Resume => {
            billing.resumes_at = Some(now.trunc_subsecs(0));
            life.paused_until = None;
        }
        Wish::Card { .. } | Wish::Plan { .. } | Wish::KeepPlan => {}
    }
}

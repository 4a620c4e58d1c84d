//! What a showing makes of a life: the one rule by which a subscription is renewed, owes, recovers and ends.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    EndCause, Errand, Followed, Invoice, InvoiceReason, InvoiceState, Life, LifeFact, NextPlan, Showing,
    Standing,
};
use crate::domain::arrears::{Arrears, Grace};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::OrderState;
use crate::domain::payment::Decline;
use crate::domain::provider::Provider;
use crate::domain::renewal::{Renewal, RenewalKind};
use crate::domain::schedule::backoff;
use crate::domain::subscription::{Subscription, SubscriptionState};

/// How long before the first charge of a trial its member is reminded.
pub const TRIAL_NOTICE: TimeDelta = TimeDelta::days(3);
/// Right after a period ends the provider is still busy charging for the next one.
const PERIOD_GRACE: TimeDelta = TimeDelta::minutes(1);
/// A payment made at the provider's own page, of which nobody told us, is found within a day.
const HEARTBEAT: TimeDelta = TimeDelta::days(1);

/// `new_id` names the payments that are heard of for the first time.
pub fn follow(
    standing: Standing<'_>,
    showing: &Showing,
    grace: Grace,
    now: DateTime<Utc>,
    mut new_id: impl FnMut() -> PaymentId,
) -> Followed {
    let before = standing.life.clone();
    let (plan_price_id, next_plan) = plan_after(&standing, showing);
    let renewals = heard_of(&standing, showing, &mut new_id);
    let overdue = overdue(&standing, showing);
    let mut facts: Vec<LifeFact> = renewals.iter().cloned().map(LifeFact::Renewed).collect();
    let mut life = Life {
        cancel_at: showing.cancel_at,
        paused_until: showing.paused_until,
        card: showing.card.clone().or(standing.life.card),
        plan_price_id,
        next_plan,
        ..standing.life
    };
    let state = &standing.subscription.state;
    let errands = if state.has_ended() {
        end(&mut life, state, showing, now, &mut facts)
    } else {
        life.arrears = arrears_after(life.arrears, showing, &mut facts)
            .or_else(|| overdue.map(|owed| begin(owed, grace, now, &mut facts)));
        remind(&mut life, state, now, &mut facts);
        tell_of_pause(&mut life, showing, now, &mut facts);
        let errand = life.arrears.take().and_then(|arrears| {
            let (arrears, errand) = pursue(arrears, now);
            life.arrears = Some(arrears);
            errand
        });
        let goes_on = life.arrears.is_none() && showing.resume_at.is_some_and(|at| at <= now);
        let begun = life.next_plan.as_ref().filter(|_| life.scheduled().is_none());
        errand
            .into_iter()
            .chain(goes_on.then_some(Errand::Resume))
            .chain(begun.map(|next| Errand::LetGo {
                starts_at: next.starts_at,
            }))
            .collect()
    };
    if life != before || !renewals.is_empty() {
        life.looks = 0;
    }
    life.due_at = next_due(&life, standing.subscription, showing, &errands, now);
    Followed {
        life,
        renewals,
        facts,
        errands,
    }
}

/// What was scheduled has begun when the provider shows it, and never will where the next period began without it.
fn plan_after(standing: &Standing<'_>, showing: &Showing) -> (Option<PriceId>, Option<NextPlan>) {
    let life = &standing.life;
    let Some(next) = &life.next_plan else {
        return (life.plan_price_id, None);
    };
    // By its own period: an older showing knows neither of the next one nor of its plan.
    let is_after = showing.snapshot.period_end > next.starts_at;
    let shows_it = showing.provider_price_id.as_deref() == Some(next.provider_price_id.as_str());
    if shows_it && is_after {
        return (Some(next.price_id), Some(next.clone()));
    }
    let is_over = standing.subscription.state.has_ended() || is_after;
    (life.plan_price_id, (!is_over).then(|| next.clone()))
}

/// Paid invoices that are none of ours yet. While the order is unpaid the next charge is the one that pays it.
fn heard_of(
    standing: &Standing<'_>,
    showing: &Showing,
    new_id: &mut impl FnMut() -> PaymentId,
) -> Vec<Renewal> {
    if !standing.order.is_paid() {
        return Vec::new();
    }
    let oldest_first = showing.invoices.iter().rev();
    oldest_first
        .filter(|invoice| !is_taken_in(standing, invoice))
        .filter_map(|invoice| renewal(standing, invoice, new_id))
        .collect()
}

/// We know that it was paid, whatever an older showing says.
fn is_taken_in(standing: &Standing<'_>, invoice: &Invoice) -> bool {
    let pays_order = standing
        .payments
        .iter()
        .filter(|payment| payment.captured().is_some())
        .filter_map(|payment| payment.provider_intent_id.as_ref())
        .any(|intent| invoice.provider_intent_id.as_ref() == Some(intent));
    let is_renewal = standing
        .renewals
        .iter()
        .any(|renewal| renewal.provider_invoice_id == invoice.provider_invoice_id);
    pays_order || is_renewal
}

fn renewal(
    standing: &Standing<'_>,
    invoice: &Invoice,
    new_id: &mut impl FnMut() -> PaymentId,
) -> Option<Renewal> {
    let kind = match invoice.reason {
        InvoiceReason::First => return None,
        InvoiceReason::Period => RenewalKind::Period,
        InvoiceReason::Change => RenewalKind::Change,
    };
    match invoice.state {
        InvoiceState::Paid { captured, at } if captured.minor > 0 => Some(Renewal {
            payment_id: new_id(),
            order_id: standing.order.order_id,
            subscription_id: standing.subscription.subscription_id,
            provider: paid_with(standing),
            kind,
            provider_invoice_id: invoice.provider_invoice_id.clone(),
            provider_intent_id: invoice.provider_intent_id.clone(),
            captured,
            at,
            covers_from: invoice.covers_from,
            covers_until: invoice.covers_until,
        }),
        _ => None,
    }
}

/// Who took the first payment takes the later ones.
fn paid_with(standing: &Standing<'_>) -> Provider {
    let mut payments = standing.payments.iter();
    let paying = payments.find(|payment| match standing.order.state {
        OrderState::Paid { by, .. } => payment.payment_id == by,
        _ => false,
    });
    paying.map_or(Provider::Stripe, |payment| payment.provider)
}

fn end(
    life: &mut Life,
    state: &SubscriptionState,
    showing: &Showing,
    now: DateTime<Utc>,
    facts: &mut Vec<LifeFact>,
) -> Vec<Errand> {
    let cause = match life.arrears.take() {
        Some(_) => EndCause::Unpaid,
        None => EndCause::Requested,
    };
    if let (None, SubscriptionState::Canceled { at } | SubscriptionState::Expired { at }) =
        (life.ended_told_at, state)
    {
        life.ended_told_at = Some(now);
        facts.push(LifeFact::Ended { at: *at, cause });
    }
    let open = showing
        .invoices
        .iter()
        .filter(|invoice| invoice.reason != InvoiceReason::First)
        .filter(|invoice| matches!(invoice.state, InvoiceState::Overdue(_)));
    open.map(|invoice| Errand::Close {
        provider_invoice_id: invoice.provider_invoice_id.clone(),
    })
    .collect()
}

fn arrears_after(arrears: Option<Arrears>, showing: &Showing, facts: &mut Vec<LifeFact>) -> Option<Arrears> {
    let arrears = arrears?;
    let mut invoices = showing.invoices.iter();
    let shown = invoices.find(|invoice| invoice.provider_invoice_id == arrears.provider_invoice_id);
    match shown.map(|invoice| &invoice.state) {
        Some(InvoiceState::Paid { .. } | InvoiceState::Closed) => {
            facts.push(LifeFact::Recovered);
            None
        }
        _ => Some(arrears),
    }
}

/// The oldest debt first.
fn overdue<'a>(standing: &Standing<'_>, showing: &'a Showing) -> Option<(&'a Invoice, &'a Decline)> {
    let mut oldest_first = showing.invoices.iter().rev();
    oldest_first.find_map(|invoice| match &invoice.state {
        InvoiceState::Overdue(decline)
            if invoice.reason != InvoiceReason::First && !is_taken_in(standing, invoice) =>
        {
            Some((invoice, decline))
        }
        _ => None,
    })
}

fn begin(
    (invoice, decline): (&Invoice, &Decline),
    grace: Grace,
    now: DateTime<Utc>,
    facts: &mut Vec<LifeFact>,
) -> Arrears {
    let begun = Arrears::begin(
        &invoice.provider_invoice_id,
        invoice.amount,
        &decline.code,
        grace,
        now,
    );
    facts.push(LifeFact::PastDue(begun.clone()));
    begun
}

/// What is asked of the provider next, if anything. A try whose outcome is unknown is asked for again with its key.
fn pursue(arrears: Arrears, now: DateTime<Utc>) -> (Arrears, Option<Errand>) {
    let provider_invoice_id = arrears.provider_invoice_id.clone();
    if now >= arrears.grace_until {
        return (arrears, Some(Errand::End));
    }
    if !arrears.is_held {
        return (arrears, Some(Errand::Hold { provider_invoice_id }));
    }
    let is_due = arrears.next_try_at.is_some_and(|at| at <= now);
    let arrears = if is_due && arrears.try_key.is_none() {
        arrears.tried()
    } else {
        arrears
    };
    let errand = arrears.try_key.clone().map(|key| Errand::Pay {
        provider_invoice_id,
        key,
    });
    (arrears, errand)
}

fn remind(life: &mut Life, state: &SubscriptionState, now: DateTime<Utc>, facts: &mut Vec<LifeFact>) {
    let SubscriptionState::Trialing { until } = *state else {
        return;
    };
    let is_time = until - TRIAL_NOTICE <= now && now < until;
    if is_time && life.trial_told_at.is_none() && life.cancel_at.is_none() {
        life.trial_told_at = Some(now);
        facts.push(LifeFact::TrialEnding { until });
    }
}

fn tell_of_pause(life: &mut Life, showing: &Showing, now: DateTime<Utc>, facts: &mut Vec<LifeFact>) {
    let Some(until) = life.paused_until else {
        life.pause_told_at = None;
        return;
    };
    let paid_until = showing
        .invoices
        .iter()
        .filter(|invoice| matches!(invoice.state, InvoiceState::Paid { .. }))
        .map(|invoice| invoice.covers_until)
        .max();
    if life.pause_told_at.is_none() && paid_until.is_some_and(|paid_until| paid_until <= now) {
        life.pause_told_at = Some(now);
        facts.push(LifeFact::Paused { until });
    }
}

fn next_due(
    life: &Life,
    subscription: &Subscription,
    showing: &Showing,
    errands: &[Errand],
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let soon = now + backoff(life.looks);
    if !errands.is_empty() {
        return Some(soon);
    }
    if subscription.state.has_ended() {
        return None;
    }
    if let Some(arrears) = &life.arrears {
        let next = arrears.next_try_at.unwrap_or(arrears.grace_until);
        return Some(next.min(arrears.grace_until).min(now + HEARTBEAT));
    }
    let is_awaited = showing
        .invoices
        .iter()
        .any(|invoice| invoice.state == InvoiceState::Awaited && invoice.reason != InvoiceReason::First);
    if is_awaited {
        return Some(soon);
    }
    let period_end = subscription.state.period_end()?;
    if let Some(resume_at) = showing.resume_at {
        let moments = [resume_at, period_end + PERIOD_GRACE].into_iter();
        return Some(moments.filter(|at| *at > now).min().unwrap_or(soon));
    }
    let after_end = period_end + PERIOD_GRACE;
    let reminder = match subscription.state {
        SubscriptionState::Trialing { until } if life.trial_told_at.is_none() => Some(until - TRIAL_NOTICE),
        _ => None,
    };
    let next = reminder
        .filter(|at| *at > now)
        .map_or(after_end, |at| at.min(after_end));
    Some(if next > now { next } else { soon })
}

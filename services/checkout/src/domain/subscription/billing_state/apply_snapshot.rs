//! Applies a provider's snapshot: the only rule by which a subscription renews, becomes overdue, recovers and ends.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    BillingState, EndCause, Invoice, InvoiceReason, InvoiceState, NextPlan, ProviderCommand,
    SubscriptionFact, SubscriptionSnapshot, SyncInput, SyncOutcome,
};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::OrderState;
use crate::domain::payment::Decline;
use crate::domain::payment::poll_schedule::backoff;
use crate::domain::payment::renewal::{Renewal, RenewalKind};
use crate::domain::provider::Provider;
use crate::domain::subscription::dunning::{Dunning, Grace};
use crate::domain::subscription_state::{Subscription, SubscriptionState};

/// How long before the first charge of a trial its member is reminded.
pub const TRIAL_NOTICE: TimeDelta = TimeDelta::days(3);
/// The provider charges for the next period shortly after a period ends.
const PERIOD_GRACE: TimeDelta = TimeDelta::minutes(1);
/// Without a webhook, a payment made on the provider's page is found within a day.
const HEARTBEAT: TimeDelta = TimeDelta::days(1);

/// `new_id` issues the ids of new renewals.
pub fn apply_snapshot(
    input: SyncInput<'_>,
    snapshot: &SubscriptionSnapshot,
    grace: Grace,
    now: DateTime<Utc>,
    mut new_id: impl FnMut() -> PaymentId,
) -> SyncOutcome {
    let before = input.state.clone();
    let (plan_price_id, next_plan) = plan_after(&input, snapshot);
    let renewals = new_renewals(&input, snapshot, &mut new_id);
    let overdue = oldest_overdue(&input, snapshot);
    let mut facts: Vec<SubscriptionFact> = renewals.iter().cloned().map(SubscriptionFact::Renewed).collect();
    let mut billing = BillingState {
        cancel_at: snapshot.cancel_at,
        paused_until: snapshot.paused_until,
        card: snapshot.card.clone().or(input.state.card),
        plan_price_id,
        next_plan,
        ..input.state
    };
    let state = &input.subscription.state;
    let commands = if state.has_ended() {
        apply_end(&mut billing, state, snapshot, now, &mut facts)
    } else {
        billing.dunning = dunning_after(billing.dunning, snapshot, &mut facts).or_else(|| {
            overdue.map(|(invoice, decline)| begin_dunning(invoice, decline, grace, now, &mut facts))
        });
        add_trial_ending(&mut billing, state, now, &mut facts);
        add_pause(&mut billing, snapshot, now, &mut facts);
        let command = billing.dunning.take().and_then(|dunning| {
            let (dunning, command) = next_command(dunning, now);
            billing.dunning = Some(dunning);
            command
        });
        let resumes = billing.dunning.is_none() && snapshot.resume_at.is_some_and(|at| at <= now);
        let begun = billing
            .next_plan
            .as_ref()
            .filter(|_| billing.scheduled().is_none());
        command
            .into_iter()
            .chain(resumes.then_some(ProviderCommand::Resume))
            .chain(begun.map(|next| ProviderCommand::ReleaseSchedule {
                starts_at: next.starts_at,
            }))
            .collect()
    };
    if billing != before || !renewals.is_empty() {
        billing.sync_attempts = 0;
    }
    billing.due_at = next_due(&billing, input.subscription, snapshot, &commands, now);
    SyncOutcome {
        state: billing,
        renewals,
        facts,
        commands,
    }
}

/// A scheduled plan has begun when the snapshot shows it. It is dropped where the next period began without it.
fn plan_after(input: &SyncInput<'_>, snapshot: &SubscriptionSnapshot) -> (Option<PriceId>, Option<NextPlan>) {
    let billing = &input.state;
    let Some(next) = &billing.next_plan else {
        return (billing.plan_price_id, None);
    };
    // By its own period: a stale snapshot has neither the next period nor its plan.
    let is_after = snapshot.payment.period_end > next.starts_at;
    let shows_it = snapshot.provider_price_id.as_deref() == Some(next.provider_price_id.as_str());
    if shows_it && is_after {
        return (Some(next.price_id), Some(next.clone()));
    }
    let is_over = input.subscription.state.has_ended() || is_after;
    (billing.plan_price_id, (!is_over).then(|| next.clone()))
}

/// Paid invoices that are not recorded yet. While the order is unpaid, the next charge pays the order.
fn new_renewals(
    input: &SyncInput<'_>,
    snapshot: &SubscriptionSnapshot,
    new_id: &mut impl FnMut() -> PaymentId,
) -> Vec<Renewal> {
    if !input.order.is_paid() {
        return Vec::new();
    }
    let oldest_first = snapshot.invoices.iter().rev();
    oldest_first
        .filter(|invoice| !is_recorded(input, invoice))
        .filter_map(|invoice| renewal(input, invoice, new_id))
        .collect()
}

/// The payment is recorded; a stale snapshot does not undo it.
fn is_recorded(input: &SyncInput<'_>, invoice: &Invoice) -> bool {
    let pays_order = input
        .payments
        .iter()
        .filter(|payment| payment.captured().is_some())
        .filter_map(|payment| payment.provider_intent_id.as_ref())
        .any(|intent| invoice.provider_intent_id.as_ref() == Some(intent));
    let is_renewal = input
        .renewals
        .iter()
        .any(|renewal| renewal.provider_invoice_id == invoice.provider_invoice_id);
    pays_order || is_renewal
}

fn renewal(
    input: &SyncInput<'_>,
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
            order_id: input.order.order_id,
            subscription_id: input.subscription.subscription_id,
            provider: paid_provider(input)?,
            kind,
            provider_invoice_id: invoice.provider_invoice_id.clone(),
            provider_intent_id: invoice.provider_intent_id.clone(),
            captured,
            at,
            period_start: invoice.period_start,
            period_end: invoice.period_end,
        }),
        _ => None,
    }
}

/// The provider of the initial payment also charges renewals.
fn paid_provider(input: &SyncInput<'_>) -> Option<Provider> {
    let mut payments = input.payments.iter();
    let paying = payments.find(|payment| match input.order.state {
        OrderState::Paid { by, .. } => payment.payment_id == by,
        _ => false,
    });
    paying.map(|payment| payment.provider)
}

fn apply_end(
    billing: &mut BillingState,
    state: &SubscriptionState,
    snapshot: &SubscriptionSnapshot,
    now: DateTime<Utc>,
    facts: &mut Vec<SubscriptionFact>,
) -> Vec<ProviderCommand> {
    let cause = match billing.dunning.take() {
        Some(_) => EndCause::Unpaid,
        None => EndCause::Requested,
    };
    if let (None, SubscriptionState::Canceled { at } | SubscriptionState::Expired { at }) =
        (billing.ended_emitted_at, state)
    {
        billing.ended_emitted_at = Some(now);
        facts.push(SubscriptionFact::Ended { at: *at, cause });
    }
    let open = snapshot
        .invoices
        .iter()
        .filter(|invoice| invoice.reason != InvoiceReason::First)
        .filter(|invoice| matches!(invoice.state, InvoiceState::Overdue(_)));
    open.map(|invoice| ProviderCommand::CloseInvoice {
        provider_invoice_id: invoice.provider_invoice_id.clone(),
    })
    .collect()
}

fn dunning_after(
    dunning: Option<Dunning>,
    snapshot: &SubscriptionSnapshot,
    facts: &mut Vec<SubscriptionFact>,
) -> Option<Dunning> {
    let dunning = dunning?;
    let mut invoices = snapshot.invoices.iter();
    let shown = invoices.find(|invoice| invoice.provider_invoice_id == dunning.provider_invoice_id);
    match shown.map(|invoice| &invoice.state) {
        Some(InvoiceState::Paid { .. } | InvoiceState::Closed) => {
            facts.push(SubscriptionFact::Recovered);
            None
        }
        _ => Some(dunning),
    }
}

/// The oldest overdue invoice.
fn oldest_overdue<'a>(
    input: &SyncInput<'_>,
    snapshot: &'a SubscriptionSnapshot,
) -> Option<(&'a Invoice, &'a Decline)> {
    let mut oldest_first = snapshot.invoices.iter().rev();
    oldest_first.find_map(|invoice| match &invoice.state {
        InvoiceState::Overdue(decline)
            if invoice.reason != InvoiceReason::First && !is_recorded(input, invoice) =>
        {
            Some((invoice, decline))
        }
        _ => None,
    })
}

fn begin_dunning(
    invoice: &Invoice,
    decline: &Decline,
    grace: Grace,
    now: DateTime<Utc>,
    facts: &mut Vec<SubscriptionFact>,
) -> Dunning {
    let begun = Dunning::begin(
        &invoice.provider_invoice_id,
        invoice.amount,
        &decline.code,
        grace,
        now,
    );
    facts.push(SubscriptionFact::PastDue(begun.clone()));
    begun
}

/// The next provider command. An attempt with an unknown outcome is repeated with its key.
fn next_command(dunning: Dunning, now: DateTime<Utc>) -> (Dunning, Option<ProviderCommand>) {
    let provider_invoice_id = dunning.provider_invoice_id.clone();
    if now >= dunning.grace_until {
        return (dunning, Some(ProviderCommand::CancelSubscription));
    }
    if !dunning.auto_advance_disabled {
        return (
            dunning,
            Some(ProviderCommand::DisableAutoAdvance { provider_invoice_id }),
        );
    }
    let is_due = dunning.next_attempt_at.is_some_and(|at| at <= now);
    let dunning = if is_due && dunning.attempt_key.is_none() {
        dunning.with_new_attempt()
    } else {
        dunning
    };
    let command = dunning
        .attempt_key
        .clone()
        .map(|key| ProviderCommand::PayInvoice {
            provider_invoice_id,
            key,
        });
    (dunning, command)
}

fn add_trial_ending(
    billing: &mut BillingState,
    state: &SubscriptionState,
    now: DateTime<Utc>,
    facts: &mut Vec<SubscriptionFact>,
) {
    let SubscriptionState::Trialing { until } = *state else {
        return;
    };
    let is_time = until - TRIAL_NOTICE <= now && now < until;
    if is_time && billing.trial_end_emitted_at.is_none() && billing.cancel_at.is_none() {
        billing.trial_end_emitted_at = Some(now);
        facts.push(SubscriptionFact::TrialEnding { until });
    }
}

fn add_pause(
    billing: &mut BillingState,
    snapshot: &SubscriptionSnapshot,
    now: DateTime<Utc>,
    facts: &mut Vec<SubscriptionFact>,
) {
    let Some(until) = billing.paused_until else {
        billing.pause_emitted_at = None;
        return;
    };
    let paid_until = snapshot
        .invoices
        .iter()
        .filter(|invoice| matches!(invoice.state, InvoiceState::Paid { .. }))
        .map(|invoice| invoice.period_end)
        .max();
    if billing.pause_emitted_at.is_none() && paid_until.is_some_and(|paid_until| paid_until <= now) {
        billing.pause_emitted_at = Some(now);
        facts.push(SubscriptionFact::Paused { until });
    }
}

fn next_due(
    billing: &BillingState,
    subscription: &Subscription,
    snapshot: &SubscriptionSnapshot,
    commands: &[ProviderCommand],
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let soon = now + backoff(billing.sync_attempts);
    if !commands.is_empty() {
        return Some(soon);
    }
    if subscription.state.has_ended() {
        return None;
    }
    if let Some(dunning) = &billing.dunning {
        let next = dunning.next_attempt_at.unwrap_or(dunning.grace_until);
        return Some(next.min(dunning.grace_until).min(now + HEARTBEAT));
    }
    let is_awaited = snapshot
        .invoices
        .iter()
        .any(|invoice| invoice.state == InvoiceState::Awaited && invoice.reason != InvoiceReason::First);
    if is_awaited {
        return Some(soon);
    }
    let period_end = subscription.state.period_end()?;
    if let Some(resume_at) = snapshot.resume_at {
        let moments = [resume_at, period_end + PERIOD_GRACE].into_iter();
        return Some(moments.filter(|at| *at > now).min().unwrap_or(soon));
    }
    let after_end = period_end + PERIOD_GRACE;
    let reminder = match subscription.state {
        SubscriptionState::Trialing { until } if billing.trial_end_emitted_at.is_none() => {
            Some(until - TRIAL_NOTICE)
        }
        _ => None,
    };
    let next = reminder
        .filter(|at| *at > now)
        .map_or(after_end, |at| at.min(after_end));
    Some(if next > now { next } else { soon })
}

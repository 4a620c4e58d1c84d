//! Reads a PayPal subscription as a snapshot: each payment is an invoice, and so is an overdue amount.

use chrono::{DateTime, TimeDelta, Utc};

use super::periods::{self, Period};
use super::wire::{Cycles, SubscriptionObject, Transaction, Transactions};
use super::{declined, snapshot};
use crate::domain::subscription::billing_state::{
    Invoice, InvoiceReason, InvoiceState, SubscriptionSnapshot,
};
use crate::domain::subscription::subscription_change::PAUSE_MAX;
use crate::ports::ProviderError;
use crate::providers::transport::money;

/// Prefix of the suspension reason; the end of the pause follows. PayPal stores no other data of a pause.
const PAUSED: &str = "Paused by the member until ";
/// PayPal suspends an unpaid subscription within this time after the failed payment.
const AT_ONCE: TimeDelta = TimeDelta::hours(1);
/// PayPal charges at its own hour, so a shorter gap is not a pause.
const UNPAID_AT_LEAST: TimeDelta = TimeDelta::days(2);

pub fn pause_note(until: DateTime<Utc>) -> String {
    format!("{PAUSED}{}", super::stamp(until))
}

pub fn paused_until(note: Option<&str>) -> Option<DateTime<Utc>> {
    note?.strip_prefix(PAUSED)?.parse().ok()
}

/// Id of the overdue amount after the last payment; the next payment settles it.
pub fn overdue_invoice_id(subscription_id: &str, last: Option<&Transaction>) -> String {
    let after = last.map_or("nothing", |last| last.id.as_str());
    format!("{subscription_id}/after-{after}")
}

/// The subscription of an overdue invoice id.
pub fn subscription_of(debt_id: &str) -> Option<&str> {
    debt_id
        .split_once("/after-")
        .map(|(subscription_id, _)| subscription_id)
}

pub fn read_snapshot(
    found: &SubscriptionObject,
    transactions: &Transactions,
    cycles: Cycles,
    now: DateTime<Utc>,
) -> Result<SubscriptionSnapshot, ProviderError> {
    let taken = transactions.taken();
    let moments: Vec<DateTime<Utc>> = taken.iter().map(|one| one.time).collect();
    let periods = periods::of(&moments, cycles.months);
    let snapshot = snapshot(found, transactions, Some(cycles), now)?;
    let mut invoices = Vec::new();
    for (place, (one, period)) in taken.iter().zip(&periods).enumerate() {
        let reason = if place == 0 {
            InvoiceReason::First
        } else {
            InvoiceReason::Period
        };
        if place > 0 {
            invoices.push(settled(found, taken[place - 1], one, *period)?);
        }
        invoices.push(payment(one, *period, reason)?);
    }
    invoices.extend(overdue_invoice(found, transactions, snapshot.period_end)?);
    invoices.reverse();

    let paid_until = periods.iter().map(|period| period.until).max();
    let is_over = found.is_over();
    Ok(SubscriptionSnapshot {
        cancel_at: (is_over && now < snapshot.period_end).then_some(snapshot.period_end),
        paused_until: pause(found, transactions, paid_until, now)?,
        resume_at: resume_at(found, transactions)?,
        card: None,
        provider_price_id: Some(found.plan_id.clone()),
        payment: snapshot,
        invoices,
    })
}

fn payment(one: &Transaction, period: Period, reason: InvoiceReason) -> Result<Invoice, ProviderError> {
    let gross = &one.amount_with_breakdown.gross_amount;
    let captured = money(&gross.value, &gross.currency_code)?;
    Ok(Invoice {
        provider_invoice_id: one.id.clone(),
        provider_intent_id: Some(one.id.clone()),
        reason,
        amount: captured,
        period_start: period.from,
        period_end: period.until,
        state: if one.status == "PENDING" {
            InvoiceState::Awaited
        } else {
            InvoiceState::Paid {
                captured,
                at: one.time,
            }
        },
    })
}

/// The invoice of a possible overdue amount before this payment, closed by it.
fn settled(
    found: &SubscriptionObject,
    before: &Transaction,
    one: &Transaction,
    period: Period,
) -> Result<Invoice, ProviderError> {
    Ok(Invoice {
        provider_invoice_id: overdue_invoice_id(&found.id, Some(before)),
        provider_intent_id: None,
        state: InvoiceState::Closed,
        ..payment(one, period, InvoiceReason::Period)?
    })
}

/// `None` if no payment failed after the last capture.
fn overdue_invoice(
    found: &SubscriptionObject,
    transactions: &Transactions,
    period_end: DateTime<Utc>,
) -> Result<Option<Invoice>, ProviderError> {
    let Some(failed) = found.failed_after(transactions) else {
        return Ok(None);
    };
    let owed = found.owed(transactions)?;
    let state = match owed {
        Some(_) if !found.is_over() => InvoiceState::Overdue(declined(failed.code())),
        // The amount is no longer charged.
        _ => InvoiceState::Closed,
    };
    let Some(amount) = owed.or(failed.amount()?) else {
        return Ok(None);
    };
    Ok(Some(Invoice {
        provider_invoice_id: overdue_invoice_id(&found.id, transactions.taken().last().copied()),
        provider_intent_id: None,
        reason: InvoiceReason::Period,
        amount,
        period_start: failed.time,
        period_end: period_end.max(failed.time),
        state,
    }))
}

fn pause(
    found: &SubscriptionObject,
    transactions: &Transactions,
    paid_until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, ProviderError> {
    if found.owed(transactions)?.is_some() {
        return Ok(None);
    }
    if found.status == "SUSPENDED" {
        let by_member = paused_until(found.status_change_note.as_deref());
        let by_merchant = found.suspended_at().map(|at| at + PAUSE_MAX);
        return Ok(by_member.or_else(|| by_merchant.filter(|_| !was_unpaid(found))));
    }
    // Active, and the paid period is over: the time until the next charge is a pause.
    let (Some(paid_until), Some(next)) = (paid_until, found.next_billing()) else {
        return Ok(None);
    };
    let is_unpaid = found.status == "ACTIVE" && paid_until <= now && now < next;
    Ok((is_unpaid && next - paid_until > UNPAID_AT_LEAST).then_some(next))
}

/// When to reactivate a suspended subscription: at the end of its pause, or when the overdue amount is paid. PayPal does not
/// reactivate by itself.
fn resume_at(
    found: &SubscriptionObject,
    transactions: &Transactions,
) -> Result<Option<DateTime<Utc>>, ProviderError> {
    if found.status != "SUSPENDED" || found.owed(transactions)?.is_some() {
        return Ok(None);
    }
    let by_member = paused_until(found.status_change_note.as_deref());
    Ok(by_member.or_else(|| found.suspended_at().filter(|_| was_unpaid(found))))
}

fn was_unpaid(found: &SubscriptionObject) -> bool {
    let failed = found.last_failed().map(|failed| failed.time);
    failed
        .zip(found.suspended_at())
        .is_some_and(|(failed, suspended)| (suspended - failed).abs() < AT_ONCE)
}

#[cfg(test)]
mod tests;

//! Converts checkout's own charges to the snapshot that a billing provider would return.

use chrono::{DateTime, Utc};

use super::{Charge, ChargeState, MerchantSchedule};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::PaymentState;
use crate::domain::payment::provider_result::{self, PaymentSnapshot, ProviderStatus};
use crate::domain::subscription::billing_state::{
    BillingState, Invoice, InvoiceReason, InvoiceState, SubscriptionSnapshot,
};

/// `charges`: newest first.
pub fn to_snapshot(
    purchase: &SubscriptionOrder,
    schedule: &MerchantSchedule,
    billing: &BillingState,
    charges: &[Charge],
    now: DateTime<Utc>,
) -> SubscriptionSnapshot {
    let payment = &purchase.payment;
    SubscriptionSnapshot {
        payment: PaymentSnapshot {
            provider_subscription_id: payment.provider_subscription_id.clone().unwrap_or_default(),
            payment_id: Some(payment.payment_id),
            provider_intent_id: payment.provider_intent_id.clone(),
            status: status(schedule, billing, charges, now),
            period_end: schedule.paid_until,
            charge: provider_result::Charge::NotDue,
        },
        // However far it is paid in the meantime.
        cancel_at: billing.cancel_at.map(|_| schedule.paid_until),
        paused_until: schedule.resumes_at.filter(|at| *at > now),
        resume_at: schedule.resumes_at.filter(|at| *at > now),
        card: schedule
            .payment_method
            .as_ref()
            .and_then(|payment_method| payment_method.card.clone()),
        provider_price_id: None,
        invoices: charges
            .iter()
            .map(invoice)
            .chain(first(purchase, schedule, charges))
            .collect(),
    }
}

fn status(
    schedule: &MerchantSchedule,
    billing: &BillingState,
    charges: &[Charge],
    now: DateTime<Utc>,
) -> ProviderStatus {
    if schedule.ended_at.is_some() {
        return ProviderStatus::Canceled;
    }
    match charges.iter().find(|charge| charge.state == ChargeState::Open) {
        Some(open) if open.decline().is_some() => ProviderStatus::PastDue,
        None if billing.cancel_at.is_some() && schedule.paid_until <= now => ProviderStatus::Canceled,
        Some(_) | None => ProviderStatus::Active,
    }
}

/// The initial payment, with the period that it paid for.
fn first(purchase: &SubscriptionOrder, schedule: &MerchantSchedule, charges: &[Charge]) -> Option<Invoice> {
    let payment = &purchase.payment;
    let PaymentState::Succeeded { captured, at } = payment.state else {
        return None;
    };
    let begun = charges.iter().map(|charge| charge.period_start).min();
    Some(Invoice {
        provider_invoice_id: payment.provider_intent_id.clone()?,
        provider_intent_id: payment.provider_intent_id.clone(),
        reason: InvoiceReason::First,
        amount: captured,
        period_start: at,
        period_end: begun.unwrap_or(schedule.paid_until).max(at),
        state: InvoiceState::Paid { captured, at },
    })
}

fn invoice(charge: &Charge) -> Invoice {
    let paid = charge.paid();
    let state = match (charge.state, paid, charge.unresolved(), charge.decline()) {
        (_, Some((_, captured, at)), _, _) => InvoiceState::Paid { captured, at },
        (ChargeState::Closed, ..) => InvoiceState::Closed,
        (_, None, None, Some(decline)) => InvoiceState::Overdue(decline.clone()),
        (_, None, _, _) => InvoiceState::Awaited,
    };
    Invoice {
        provider_invoice_id: charge.charge_id.clone(),
        provider_intent_id: paid.and_then(|(paid, ..)| paid.provider_payment_id.clone()),
        reason: InvoiceReason::Period,
        amount: charge.amount,
        period_start: charge.period_start,
        period_end: charge.period_end,
        state,
    }
}

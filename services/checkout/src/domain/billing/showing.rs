//! Our own charges, shown as a provider would show a subscription with its invoices.

use chrono::{DateTime, Utc};

use super::{Billing, Charge, ChargeState};
use crate::domain::life::{Invoice, InvoiceReason, InvoiceState, Life, Showing};
use crate::domain::payment::PaymentState;
use crate::domain::purchase::Purchase;
use crate::domain::report::{self, ProviderStatus, Snapshot};

/// `charges`: newest first.
pub fn show(
    purchase: &Purchase,
    billing: &Billing,
    life: &Life,
    charges: &[Charge],
    now: DateTime<Utc>,
) -> Showing {
    let payment = &purchase.payment;
    Showing {
        snapshot: Snapshot {
            provider_subscription_id: payment.provider_subscription_id.clone().unwrap_or_default(),
            payment_id: Some(payment.payment_id),
            provider_intent_id: payment.provider_intent_id.clone(),
            status: status(billing, life, charges, now),
            period_end: billing.paid_until,
            charge: report::Charge::NotDue,
        },
        // However far it is paid in the meantime.
        cancel_at: life.cancel_at.map(|_| billing.paid_until),
        paused_until: billing.resumes_at.filter(|at| *at > now),
        resume_at: billing.resumes_at.filter(|at| *at > now),
        card: billing.means.as_ref().and_then(|means| means.card.clone()),
        provider_price_id: None,
        invoices: charges
            .iter()
            .map(invoice)
            .chain(first(purchase, billing, charges))
            .collect(),
    }
}

fn status(billing: &Billing, life: &Life, charges: &[Charge], now: DateTime<Utc>) -> ProviderStatus {
    if billing.ended_at.is_some() {
        return ProviderStatus::Canceled;
    }
    match charges.iter().find(|charge| charge.state == ChargeState::Open) {
        Some(open) if open.decline().is_some() => ProviderStatus::PastDue,
        None if life.cancel_at.is_some() && billing.paid_until <= now => ProviderStatus::Canceled,
        Some(_) | None => ProviderStatus::Active,
    }
}

/// What began it is paid already; it says for how long.
fn first(purchase: &Purchase, billing: &Billing, charges: &[Charge]) -> Option<Invoice> {
    let payment = &purchase.payment;
    let PaymentState::Succeeded { captured, at } = payment.state else {
        return None;
    };
    let begun = charges.iter().map(|charge| charge.covers_from).min();
    Some(Invoice {
        provider_invoice_id: payment.provider_intent_id.clone()?,
        provider_intent_id: payment.provider_intent_id.clone(),
        reason: InvoiceReason::First,
        amount: captured,
        covers_from: at,
        covers_until: begun.unwrap_or(billing.paid_until).max(at),
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
        covers_from: charge.covers_from,
        covers_until: charge.covers_until,
        state,
    }
}

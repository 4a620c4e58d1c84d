//! Billing on timers: renewals, retries, and the clearing of bank debits.

use super::{
    buyers::Outcome,
    events::{emit_sale_event, emit_subscription_event},
    provider::Context,
    sale::{CLEARING_SECS, Sale, State},
    subscription::{Attempt, Retry, Status, Subscription},
};
use crate::engine::calendar;

const RETRY_SECS: i64 = 5 * 24 * 3600;
/// After the first failure of a billing cycle.
const RETRIES: u32 = 2;

/// The timer of a sale or a subscription is due.
pub fn on_timer(ctx: &mut Context<'_>, id: &str) {
    if ctx.state.sales.get(id).is_some() {
        clear(ctx, id);
    } else {
        step(ctx, id);
    }
}

fn step(ctx: &mut Context<'_>, id: &str) {
    let Some(subscription) = ctx.state.subscriptions.get(id) else {
        return;
    };
    let is_retry = subscription.retry.is_some_and(|retry| retry.at <= ctx.now);
    let is_due = subscription.next_billing.is_some_and(|at| at <= ctx.now);
    if is_due {
        renew(ctx, id);
    } else if is_retry {
        let outstanding = subscription.outstanding;
        charge(ctx, id, outstanding);
    }
    set_timer(ctx, id);
}

/// Activates a subscription that the buyer has approved.
pub fn activate(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    let Some(subscription) = ctx.state.subscriptions.get_mut(id) else {
        return;
    };
    subscription.set_status(Status::Active, None, now);
    subscription.anchor = subscription.start.max(now);
    subscription.next_billing = Some(subscription.anchor);
    subscription.outstanding = subscription.terms.setup_fee;
    let (setup_fee, cancels) = (
        subscription.terms.setup_fee,
        subscription.terms.cancels_without_setup_fee,
    );
    emit_subscription_event(ctx, "BILLING.SUBSCRIPTION.ACTIVATED", id);
    if setup_fee > 0 && charge(ctx, id, setup_fee) == Outcome::Declined && cancels {
        cancel(ctx, id, Some("The setup fee could not be paid."));
        return;
    }
    if is_due(ctx, id) {
        renew(ctx, id);
    }
    set_timer(ctx, id);
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, note: Option<&str>) {
    end(ctx, id, Status::Cancelled, note, "BILLING.SUBSCRIPTION.CANCELLED");
}

pub fn suspend(ctx: &mut Context<'_>, id: &str, note: Option<&str>) {
    end(ctx, id, Status::Suspended, note, "BILLING.SUBSCRIPTION.SUSPENDED");
}

/// Resumes a suspended subscription. Periods that ended meanwhile are not billed.
pub fn resume(ctx: &mut Context<'_>, id: &str, note: Option<&str>) {
    let now = ctx.now;
    if let Some(subscription) = ctx.state.subscriptions.get_mut(id) {
        subscription.set_status(Status::Active, note, now);
        subscription.failures = 0;
        while subscription.next_billing.is_some_and(|at| at <= now) {
            advance_period(subscription);
        }
    }
    emit_subscription_event(ctx, "BILLING.SUBSCRIPTION.ACTIVATED", id);
    set_timer(ctx, id);
}

fn end(ctx: &mut Context<'_>, id: &str, status: Status, note: Option<&str>, event_type: &str) {
    let now = ctx.now;
    if let Some(subscription) = ctx.state.subscriptions.get_mut(id) {
        subscription.set_status(status, note, now);
    }
    emit_subscription_event(ctx, event_type, id);
    set_timer(ctx, id);
}

fn is_due(ctx: &Context<'_>, id: &str) -> bool {
    let subscription = ctx.state.subscriptions.get(id);
    subscription
        .is_some_and(|one| one.status == Status::Active && one.next_billing.is_some_and(|at| at <= ctx.now))
}

/// Bills the next period, with the outstanding balance.
fn renew(ctx: &mut Context<'_>, id: &str) {
    let Some(subscription) = ctx.state.subscriptions.get_mut(id) else {
        return;
    };
    let Some((_, cycle)) = subscription.current_cycle() else {
        end(ctx, id, Status::Expired, None, "BILLING.SUBSCRIPTION.EXPIRED");
        return;
    };
    let price = cycle.price * subscription.quantity;
    subscription.outstanding += price;
    let minor = if subscription.terms.bills_outstanding {
        subscription.outstanding
    } else {
        price
    };
    advance_period(subscription);
    subscription.retry = None;
    if minor > 0 {
        charge(ctx, id, minor);
    }
}

/// Periods are counted from the anchor; a completed billing cycle moves the anchor to its end.
fn advance_period(subscription: &mut Subscription) {
    let Some((index, cycle)) = subscription.current_cycle() else {
        subscription.next_billing = None;
        return;
    };
    let completed = subscription.completed[index] + 1;
    let next = calendar::after(subscription.anchor, &cycle.unit, cycle.count * completed);
    let is_complete = cycle.total > 0 && completed >= cycle.total;
    subscription.completed[index] = completed;
    if is_complete {
        subscription.anchor = next;
    }
    subscription.next_billing = Some(next);
}

/// Charges the buyer, or records the failure.
pub fn charge(ctx: &mut Context<'_>, id: &str, minor: i64) -> Outcome {
    let now = ctx.now;
    let Some(subscription) = ctx.state.subscriptions.get_mut(id) else {
        return Outcome::Declined;
    };
    let Some(buyer) = subscription.buyer else {
        return Outcome::Declined;
    };
    let outcome = buyer.charge(subscription.sales.len(), subscription.failures);
    if outcome == Outcome::Declined {
        fail(ctx, id, minor);
        return outcome;
    }
    subscription.outstanding = (subscription.outstanding - minor).max(0);
    subscription.failures = 0;
    subscription.retry = None;
    subscription.last_payment = Some(Attempt { minor, at: now });
    subscription.updated = now;
    let mut sale = Sale::of(subscription, buyer, minor, now);
    subscription.sales.push(sale.id.clone());
    let sale_id = sale.id.clone();
    if outcome == Outcome::Pending {
        sale.state = State::Pending;
        ctx.set_timer(&sale_id, Some(now + CLEARING_SECS));
    }
    ctx.state.sales.put(&sale_id, sale);
    let event_type = match outcome {
        Outcome::Pending => "PAYMENT.SALE.PENDING",
        Outcome::Paid | Outcome::Declined => "PAYMENT.SALE.COMPLETED",
    };
    emit_sale_event(ctx, event_type, &sale_id);
    outcome
}

fn fail(ctx: &mut Context<'_>, id: &str, minor: i64) {
    let now = ctx.now;
    let Some(subscription) = ctx.state.subscriptions.get_mut(id) else {
        return;
    };
    let attempts_left = subscription
        .retry
        .map_or(RETRIES, |retry| retry.attempts_left.saturating_sub(1));
    subscription.failures += 1;
    subscription.last_failure = Some(Attempt { minor, at: now });
    subscription.retry = (attempts_left > 0).then_some(Retry {
        at: now + RETRY_SECS,
        attempts_left,
    });
    subscription.updated = now;
    let max = subscription.terms.failures_max;
    let is_limit_reached = max > 0 && subscription.failures >= max;
    emit_subscription_event(ctx, "BILLING.SUBSCRIPTION.PAYMENT.FAILED", id);
    if is_limit_reached {
        suspend(
            ctx,
            id,
            Some("The payments of the subscription failed too often."),
        );
    }
}

/// The bank debit has cleared.
fn clear(ctx: &mut Context<'_>, sale: &str) {
    if let Some(sale) = ctx.state.sales.get_mut(sale) {
        sale.state = State::Completed;
        sale.updated = ctx.now;
    }
    emit_sale_event(ctx, "PAYMENT.SALE.COMPLETED", sale);
}

pub fn set_timer(ctx: &mut Context<'_>, id: &str) {
    let at = ctx.state.subscriptions.get(id).and_then(Subscription::next_timer);
    ctx.set_timer(id, at);
}

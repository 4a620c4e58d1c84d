//! The billing engine: the virtual clock brings renewals, further tries and what clears at a bank.

use super::{
    Ctx,
    buyers::Outcome,
    events::{tell_of_sale, tell_of_subscription},
    sales::{CLEARING_SECS, Sale, State},
    subscription::{Attempt, Retry, Status, Subscription},
};
use crate::calendar;

const RETRY_SECS: i64 = 5 * 24 * 3600;
/// After the first failure of a billing cycle.
const RETRIES: u32 = 2;

/// The time of a sale or a subscription has come.
pub fn wake(ctx: &mut Ctx<'_>, id: &str) {
    if ctx.books.sales.get(id).is_some() {
        clear(ctx, id);
    } else {
        step(ctx, id);
    }
}

fn step(ctx: &mut Ctx<'_>, id: &str) {
    let Some(subscription) = ctx.books.subscriptions.get(id) else {
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
    set_wake(ctx, id);
}

/// The buyer has agreed, and so has the merchant: the subscription begins.
pub fn activate(ctx: &mut Ctx<'_>, id: &str) {
    let now = ctx.now;
    let Some(subscription) = ctx.books.subscriptions.get_mut(id) else {
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
    tell_of_subscription(ctx, "BILLING.SUBSCRIPTION.ACTIVATED", id);
    if setup_fee > 0 && charge(ctx, id, setup_fee) == Outcome::Refused && cancels {
        cancel(ctx, id, Some("The setup fee could not be paid."));
        return;
    }
    if is_due(ctx, id) {
        renew(ctx, id);
    }
    set_wake(ctx, id);
}

pub fn cancel(ctx: &mut Ctx<'_>, id: &str, note: Option<&str>) {
    end(
        ctx,
        id,
        (Status::Cancelled, note),
        "BILLING.SUBSCRIPTION.CANCELLED",
    );
}

pub fn suspend(ctx: &mut Ctx<'_>, id: &str, note: Option<&str>) {
    end(
        ctx,
        id,
        (Status::Suspended, note),
        "BILLING.SUBSCRIPTION.SUSPENDED",
    );
}

/// Goes on after a suspension; what would have been billed meanwhile is not.
pub fn resume(ctx: &mut Ctx<'_>, id: &str, note: Option<&str>) {
    let now = ctx.now;
    if let Some(subscription) = ctx.books.subscriptions.get_mut(id) {
        subscription.set_status(Status::Active, note, now);
        subscription.failures = 0;
        while subscription.next_billing.is_some_and(|at| at <= now) {
            pass_cycle(subscription);
        }
    }
    tell_of_subscription(ctx, "BILLING.SUBSCRIPTION.ACTIVATED", id);
    set_wake(ctx, id);
}

fn end(ctx: &mut Ctx<'_>, id: &str, (status, note): (Status, Option<&str>), event_type: &str) {
    let now = ctx.now;
    if let Some(subscription) = ctx.books.subscriptions.get_mut(id) {
        subscription.set_status(status, note, now);
    }
    tell_of_subscription(ctx, event_type, id);
    set_wake(ctx, id);
}

fn is_due(ctx: &Ctx<'_>, id: &str) -> bool {
    let subscription = ctx.books.subscriptions.get(id);
    subscription
        .is_some_and(|one| one.status == Status::Active && one.next_billing.is_some_and(|at| at <= ctx.now))
}

/// Bills the cycle that begins now, with what is still owed.
fn renew(ctx: &mut Ctx<'_>, id: &str) {
    let Some(subscription) = ctx.books.subscriptions.get_mut(id) else {
        return;
    };
    let Some((_, cycle)) = subscription.current() else {
        end(ctx, id, (Status::Expired, None), "BILLING.SUBSCRIPTION.EXPIRED");
        return;
    };
    let price = cycle.price * subscription.quantity;
    subscription.outstanding += price;
    let minor = if subscription.terms.bills_outstanding {
        subscription.outstanding
    } else {
        price
    };
    pass_cycle(subscription);
    subscription.retry = None;
    if minor > 0 {
        charge(ctx, id, minor);
    }
}

/// The next cycle is counted from the same day, or from the end of a billing cycle that is over.
fn pass_cycle(subscription: &mut Subscription) {
    let Some((index, cycle)) = subscription.current() else {
        subscription.next_billing = None;
        return;
    };
    let done = subscription.done[index] + 1;
    let next = calendar::after(subscription.anchor, &cycle.unit, cycle.count * done);
    let is_over = cycle.total > 0 && done >= cycle.total;
    subscription.done[index] = done;
    if is_over {
        subscription.anchor = next;
    }
    subscription.next_billing = Some(next);
}

/// Takes outstanding money from the buyer, or notes that there was none.
pub fn charge(ctx: &mut Ctx<'_>, id: &str, minor: i64) -> Outcome {
    let now = ctx.now;
    let Some(subscription) = ctx.books.subscriptions.get_mut(id) else {
        return Outcome::Refused;
    };
    let Some(buyer) = subscription.buyer else {
        return Outcome::Refused;
    };
    let outcome = buyer.pays(subscription.sales.len(), subscription.failures);
    if outcome == Outcome::Refused {
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
        ctx.books.agenda.wakes.set(&sale_id, Some(now + CLEARING_SECS));
    }
    ctx.books.sales.put(&sale_id, sale);
    let event_type = match outcome {
        Outcome::Pending => "PAYMENT.SALE.PENDING",
        Outcome::Paid | Outcome::Refused => "PAYMENT.SALE.COMPLETED",
    };
    tell_of_sale(ctx, event_type, &sale_id);
    outcome
}

fn fail(ctx: &mut Ctx<'_>, id: &str, minor: i64) {
    let now = ctx.now;
    let Some(subscription) = ctx.books.subscriptions.get_mut(id) else {
        return;
    };
    let left = subscription
        .retry
        .map_or(RETRIES, |retry| retry.left.saturating_sub(1));
    subscription.failures += 1;
    subscription.last_failure = Some(Attempt { minor, at: now });
    subscription.retry = (left > 0).then_some(Retry {
        at: now + RETRY_SECS,
        left,
    });
    subscription.updated = now;
    let most = subscription.terms.failures_max;
    let is_too_many = most > 0 && subscription.failures >= most;
    tell_of_subscription(ctx, "BILLING.SUBSCRIPTION.PAYMENT.FAILED", id);
    if is_too_many {
        suspend(
            ctx,
            id,
            Some("The payments of the subscription failed too often."),
        );
    }
}

/// The bank has paid.
fn clear(ctx: &mut Ctx<'_>, sale: &str) {
    if let Some(sale) = ctx.books.sales.get_mut(sale) {
        sale.state = State::Completed;
        sale.updated = ctx.now;
    }
    tell_of_sale(ctx, "PAYMENT.SALE.COMPLETED", sale);
}

pub fn set_wake(ctx: &mut Ctx<'_>, id: &str) {
    let at = ctx.books.subscriptions.get(id).and_then(Subscription::wake);
    ctx.books.agenda.wakes.set(id, at);
}

//! What happens to a payment: money comes, is taken, is refused, or time runs out.

use serde_json::{Value, json};

use super::{
    Ctx, MERCHANT,
    payment::{Cancellation, Payment, Status},
};
use crate::{ids::uuid, outbox::Letter};

/// How long somebody may take to pay.
pub const CONFIRMATION_SECS: i64 = 3_600;
/// How long a bank holds an authorised sum.
const CAPTURE_SECS: i64 = 7 * 24 * 3600;

/// A payment's time has come.
pub fn wake(ctx: &mut Ctx<'_>, id: &str) {
    let Some(payment) = ctx.books.payments.get(id) else {
        return;
    };
    match payment.status {
        Status::Pending if payment.method.is_some() => authorise(ctx, id),
        Status::Pending => expire(ctx, id),
        Status::WaitingForCapture => {
            cancel(ctx, id, Cancellation::of_yookassa("expired_on_capture"));
        }
        Status::Succeeded | Status::Canceled => {}
    }
}

/// Nobody paid in time; what stood in the way last is the reason.
pub fn expire(ctx: &mut Ctx<'_>, id: &str) {
    let refusal = ctx
        .books
        .payments
        .get(id)
        .and_then(|payment| payment.last_refusal.clone());
    let reason = refusal.unwrap_or(Cancellation::of_yookassa("expired_on_confirmation"));
    cancel(ctx, id, reason);
}

/// The bank has agreed.
pub fn authorise(ctx: &mut Ctx<'_>, id: &str) {
    let now = ctx.now;
    let Some(payment) = ctx.books.payments.get_mut(id) else {
        return;
    };
    if payment.saves_method
        && let Some(method) = &mut payment.method
    {
        method.is_saved = true;
        let method = method.clone();
        ctx.books.methods.put(&method.id.clone(), method);
    }
    let Some(payment) = ctx.books.payments.get_mut(id) else {
        return;
    };
    if payment.is_captured_at_once {
        capture(ctx, id);
        return;
    }
    payment.status = Status::WaitingForCapture;
    payment.expires = Some(now + CAPTURE_SECS);
    ctx.books.agenda.wakes.set(id, Some(now + CAPTURE_SECS));
    tell_of_payment(ctx, "payment.waiting_for_capture", id);
}

/// The money is taken.
pub fn capture(ctx: &mut Ctx<'_>, id: &str) {
    let now = ctx.now;
    if let Some(payment) = ctx.books.payments.get_mut(id) {
        payment.status = Status::Succeeded;
        payment.captured = Some(now);
        payment.expires = None;
    }
    ctx.books.agenda.wakes.set(id, None);
    tell_of_payment(ctx, "payment.succeeded", id);
}

pub fn cancel(ctx: &mut Ctx<'_>, id: &str, cancellation: Cancellation) {
    if let Some(payment) = ctx.books.payments.get_mut(id) {
        payment.status = Status::Canceled;
        payment.cancellation = Some(cancellation);
        payment.expires = None;
    }
    ctx.books.agenda.wakes.set(id, None);
    tell_of_payment(ctx, "payment.canceled", id);
}

fn tell_of_payment(ctx: &mut Ctx<'_>, event: &str, id: &str) {
    if let Some(object) = ctx
        .books
        .payments
        .get(id)
        .map(|payment: &Payment| payment.shown(ctx.house))
    {
        tell(ctx, event, &object);
    }
}

pub fn tell(ctx: &mut Ctx<'_>, event: &str, object: &Value) {
    let id = uuid();
    let notification = json!({ "type": "notification", "event": event, "object": object });
    ctx.books.remember(&id, notification);
    if ctx.books.webhook_url.is_some() {
        let letter = Letter {
            event: &id,
            event_type: event,
            endpoint: MERCHANT,
            now: ctx.now,
        };
        ctx.books.agenda.outbox.post(&letter, &ctx.house.faults);
    }
}

//! State transitions of a payment: authorised, captured, canceled, expired.

use super::{
    notifications::notify_payment,
    payment::{Cancellation, Status},
    provider::Context,
};

/// How long a buyer may take to pay.
pub const CONFIRMATION_SECS: i64 = 3_600;
/// How long an authorised amount can be captured.
const CAPTURE_SECS: i64 = 7 * 24 * 3600;

/// The timer of a payment is due.
pub fn on_timer(ctx: &mut Context<'_>, id: &str) {
    let Some(payment) = ctx.state.payments.get(id) else {
        return;
    };
    match payment.status {
        Status::Pending if payment.method.is_some() => authorise(ctx, id),
        Status::Pending => expire(ctx, id),
        Status::WaitingForCapture => {
            cancel(ctx, id, Cancellation::by_yookassa("expired_on_capture"));
        }
        Status::Succeeded | Status::Canceled => {}
    }
}

/// Cancels an unpaid payment; the reason is its last decline, if there is one.
pub fn expire(ctx: &mut Context<'_>, id: &str) {
    let decline = ctx
        .state
        .payments
        .get(id)
        .and_then(|payment| payment.last_decline.clone());
    let reason = decline.unwrap_or(Cancellation::by_yookassa("expired_on_confirmation"));
    cancel(ctx, id, reason);
}

/// The bank has authorised the payment.
pub fn authorise(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    let Some(payment) = ctx.state.payments.get_mut(id) else {
        return;
    };
    if payment.saves_method
        && let Some(method) = &mut payment.method
    {
        method.is_saved = true;
        let method = method.clone();
        ctx.state.methods.put(&method.id.clone(), method);
    }
    let Some(payment) = ctx.state.payments.get_mut(id) else {
        return;
    };
    if payment.is_captured_automatically {
        capture(ctx, id);
        return;
    }
    payment.status = Status::WaitingForCapture;
    payment.expires = Some(now + CAPTURE_SECS);
    ctx.set_timer(id, Some(now + CAPTURE_SECS));
    notify_payment(ctx, "payment.waiting_for_capture", id);
}

pub fn capture(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    if let Some(payment) = ctx.state.payments.get_mut(id) {
        payment.status = Status::Succeeded;
        payment.captured = Some(now);
        payment.expires = None;
    }
    ctx.set_timer(id, None);
    notify_payment(ctx, "payment.succeeded", id);
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, cancellation: Cancellation) {
    if let Some(payment) = ctx.state.payments.get_mut(id) {
        payment.status = Status::Canceled;
        payment.cancellation = Some(cancellation);
        payment.expires = None;
    }
    ctx.set_timer(id, None);
    notify_payment(ctx, "payment.canceled", id);
}

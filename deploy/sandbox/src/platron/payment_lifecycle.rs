//! State transitions of a payment: checked by the merchant, charged by the bank, ended.

use super::{
    error::EXPIRED,
    merchant_calls,
    payment::{Attempt, RecurringProfile, Status},
    provider::Context,
};
use crate::engine::calendar;

/// The timer of a payment is due: the bank responds, or the payment expires.
pub fn on_timer(ctx: &mut Context<'_>, id: &str) {
    let payment = ctx.state.payments.get(id).filter(|payment| !payment.is_final());
    let Some(payment) = payment else { return };
    let failure = payment.attempt.map_or(Some(EXPIRED), |attempt| attempt.failure);
    end(ctx, id, failure);
}

/// A buyer starts to pay: the merchant checks the order first.
pub fn start(ctx: &mut Context<'_>, id: &str, attempt: Attempt) {
    if let Some(payment) = ctx.state.payments.get_mut(id) {
        payment.status = Status::Pending;
        payment.attempt = Some(attempt);
        payment.merchant_message = None;
    }
    if !merchant_calls::check(ctx, id) {
        charge(ctx, id);
    }
}

/// The merchant accepts the order: the bank is charged.
pub fn charge(ctx: &mut Context<'_>, id: &str) {
    let payment = ctx.state.payments.get(id).filter(|payment| !payment.is_final());
    let Some(attempt) = payment.and_then(|payment| payment.attempt) else {
        return;
    };
    if attempt.after_secs > 0 {
        ctx.set_timer(id, Some(ctx.now + attempt.after_secs));
    } else {
        end(ctx, id, attempt.failure);
    }
}

/// Ends the payment, as failed if there is a failure code, and calls the merchant's result URL.
pub fn end(ctx: &mut Context<'_>, id: &str, failure: Option<u32>) {
    let now = ctx.now;
    ctx.set_timer(id, None);
    let Some(payment) = ctx.state.payments.get_mut(id) else {
        return;
    };
    payment.status = if failure.is_none() {
        Status::Ok
    } else {
        Status::Failed
    };
    payment.failure = failure;
    payment.ended = Some(now);
    let months = payment.recurring_months.filter(|_| failure.is_none());
    if let Some(months) = months {
        start_profile(ctx, id, months);
    }
    merchant_calls::result(ctx, id);
}

fn start_profile(ctx: &mut Context<'_>, payment: &str, months: u32) {
    let id = ctx.state.new_id();
    let profile = RecurringProfile {
        id: id.clone(),
        payment: payment.to_owned(),
        expires: calendar::after(ctx.now, "month", i64::from(months)),
        decline: None,
    };
    ctx.state.profiles.put(&id, profile);
    if let Some(payment) = ctx.state.payments.get_mut(payment) {
        payment.profile = Some(id);
    }
}

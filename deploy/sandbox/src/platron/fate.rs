//! What happens to a payment: the merchant agrees, the bank answers, or time runs out.

use super::{
    Ctx, calls,
    error::EXPIRED,
    payment::{Attempt, Profile, Status},
};
use crate::calendar;

/// The bank answers, or nobody has paid in time.
pub fn wake(ctx: &mut Ctx<'_>, id: &str) {
    let payment = ctx.books.payments.get(id).filter(|payment| !payment.is_over());
    let Some(payment) = payment else { return };
    let failure = payment.attempt.map_or(Some(EXPIRED), |attempt| attempt.refusal);
    end(ctx, id, failure);
}

/// Somebody pays: first the merchant is asked.
pub fn begin(ctx: &mut Ctx<'_>, id: &str, attempt: Attempt) {
    if let Some(payment) = ctx.books.payments.get_mut(id) {
        payment.status = Status::Pending;
        payment.attempt = Some(attempt);
        payment.objection = None;
    }
    if !calls::check(ctx, id) {
        go_on(ctx, id);
    }
}

/// The merchant has agreed: now the bank is asked.
pub fn go_on(ctx: &mut Ctx<'_>, id: &str) {
    let payment = ctx.books.payments.get(id).filter(|payment| !payment.is_over());
    let Some(attempt) = payment.and_then(|payment| payment.attempt) else {
        return;
    };
    if attempt.after_secs > 0 {
        ctx.books.agenda.wakes.set(id, Some(ctx.now + attempt.after_secs));
    } else {
        end(ctx, id, attempt.refusal);
    }
}

/// Paid, or failed for this reason; the merchant is told.
pub fn end(ctx: &mut Ctx<'_>, id: &str, failure: Option<u32>) {
    let now = ctx.now;
    ctx.books.agenda.wakes.set(id, None);
    let Some(payment) = ctx.books.payments.get_mut(id) else {
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
    calls::result(ctx, id);
}

fn start_profile(ctx: &mut Ctx<'_>, payment: &str, months: u32) {
    let id = ctx.books.new_id();
    let profile = Profile {
        id: id.clone(),
        payment: payment.to_owned(),
        expires: calendar::after(ctx.now, "month", i64::from(months)),
        refusal: None,
    };
    ctx.books.profiles.put(&id, profile);
    if let Some(payment) = ctx.books.payments.get_mut(payment) {
        payment.profile = Some(id);
    }
}

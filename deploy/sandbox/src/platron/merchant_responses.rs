//! The merchant's responses to calls, and what each changes in the payment.

use super::{
    error::CANCELLED,
    merchant_calls::Kind,
    payment::Status,
    payment_lifecycle,
    provider::Context,
    signature::{self, script_of},
    xml,
};
use crate::engine::simulator::WebhookResponse;

/// A response with a valid signature.
enum MerchantResponse {
    Ok,
    Rejected(String),
}

/// Returns whether the call is complete; otherwise it is made again.
pub fn apply(ctx: &mut Context<'_>, call: &str, response: Option<&WebhookResponse>) -> bool {
    let Some(call) = ctx.state.merchant_calls.get(call) else {
        return true;
    };
    let response = response.and_then(|response| read(ctx, script_of(&call.url), response));
    let (kind, id) = (call.kind, call.payment.clone());
    match kind {
        Kind::Check => {
            apply_check(ctx, &id, response);
            true
        }
        Kind::Result => {
            let is_complete = response.is_some();
            apply_result(ctx, &id, response);
            is_complete
        }
        Kind::Refund => response.is_some(),
    }
}

fn read(ctx: &Context<'_>, script: &str, response: &WebhookResponse) -> Option<MerchantResponse> {
    if !response.is_success() {
        return None;
    }
    let fields = xml::read("response", std::str::from_utf8(&response.body).ok()?)?;
    if !signature::is_valid(script, &fields, &ctx.provider.settings.secret_key) {
        return None;
    }
    let text = |name: &str| {
        let field = fields.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.clone())
    };
    match text("pg_status")?.as_str() {
        "ok" => Some(MerchantResponse::Ok),
        "rejected" => Some(MerchantResponse::Rejected(
            text("pg_description").unwrap_or_default(),
        )),
        _ => None,
    }
}

/// Without a valid response the payment is open again.
fn apply_check(ctx: &mut Context<'_>, id: &str, response: Option<MerchantResponse>) {
    match response {
        Some(MerchantResponse::Ok) => payment_lifecycle::charge(ctx, id),
        Some(MerchantResponse::Rejected(reason)) => {
            if let Some(payment) = ctx.state.payments.get_mut(id) {
                payment.merchant_message = Some(reason);
            }
            payment_lifecycle::end(ctx, id, Some(CANCELLED));
        }
        None => {
            let payment = ctx.state.payments.get_mut(id);
            if let Some(payment) = payment.filter(|payment| !payment.is_final()) {
                payment.attempt = None;
                payment.status = Status::Partial;
                payment.merchant_message = Some("The shop did not answer. Try again.".into());
            }
        }
    }
}

/// A rejection of a successful payment refunds it.
fn apply_result(ctx: &mut Context<'_>, id: &str, response: Option<MerchantResponse>) {
    let Some(payment) = ctx.state.payments.get_mut(id) else {
        return;
    };
    payment.is_result_delivered = true;
    if let Some(MerchantResponse::Rejected(reason)) = response
        && payment.status == Status::Ok
    {
        payment.merchant_message = Some(reason);
        payment.status = Status::Revoked;
        payment.refunded = payment.minor;
        payment.revoked = Some(ctx.now);
    }
}

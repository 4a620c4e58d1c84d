//! The result of a 3-D Secure challenge, sent by its page.

use serde_json::Value;

use crate::stripe::{
    billing::{
        card_outcomes::{ChargeOutcome, outcome_after_authentication},
        charges, setup_intents,
    },
    cards::Decline,
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

/// `source` is the intent; the call must send its client secret.
pub fn complete(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let source = params.required("source")?;
    let passed = params.one_of("outcome", &["succeeded", "failed"])?.as_deref() == Some("succeeded");
    let Some(kind @ (Kind::PaymentIntent | Kind::SetupIntent)) = Kind::of_id(&source) else {
        return Err(ApiError::no_such("source", &source, "source"));
    };
    let intent = ctx.intent(kind, &source, &mut params)?;
    params.finish()?;
    if intent["status"] != "requires_action" {
        return Ok(ctx.public_json(kind, &source));
    }

    let method = intent["payment_method"].as_str().unwrap_or_default().to_owned();
    if kind == Kind::PaymentIntent {
        end_payment(ctx, &intent, &method, passed.then(|| outcome(ctx, &method)));
    } else {
        let outcome = if passed {
            ChargeOutcome::Approved
        } else {
            ChargeOutcome::Declined(Decline::AuthenticationFailed)
        };
        setup_intents::settle(ctx, &source, &method, outcome);
    }
    Ok(ctx.public_json(kind, &source))
}

fn outcome(ctx: &Context<'_>, method: &str) -> ChargeOutcome {
    outcome_after_authentication(ctx.read(Kind::PaymentMethod, method))
}

fn end_payment(ctx: &mut Context<'_>, intent: &Value, method: &str, outcome: Option<ChargeOutcome>) {
    let id = intent["id"].as_str().unwrap_or_default();
    match outcome {
        None => charges::fail_authentication(ctx, id, method),
        Some(ChargeOutcome::Declined(decline)) => charges::decline_charge(ctx, id, method, decline),
        Some(ChargeOutcome::Approved | ChargeOutcome::RequiresAuthentication) => {
            charges::approve(ctx, id, method);
        }
    }
}

//! The end of a 3-D Secure challenge, as its page reports it.

use serde_json::Value;

use crate::stripe::{
    cards::Refusal,
    charging::{self, Verdict},
    ctx::Ctx,
    error::{Answer, ApiError},
    kinds::Kind,
    params::Params,
    verbs::setup_intents,
};

/// `source` is the intent that waits; only whoever knows its client secret may end the challenge.
pub fn complete(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let source = params.required("source")?;
    let passed = params.one_of("outcome", &["succeeded", "failed"])?.as_deref() == Some("succeeded");
    let Some(kind @ (Kind::PaymentIntent | Kind::SetupIntent)) = Kind::of_id(&source) else {
        return Err(ApiError::no_such("source", &source, "source"));
    };
    let intent = ctx.intent(kind, &source, &mut params)?;
    params.finish()?;
    if intent["status"] != "requires_action" {
        return Ok(ctx.show(kind, &source));
    }

    let method = intent["payment_method"].as_str().unwrap_or_default().to_owned();
    if kind == Kind::PaymentIntent {
        end_payment(ctx, &intent, &method, passed.then(|| verdict(ctx, &method)));
    } else {
        let verdict = if passed {
            Verdict::Approved
        } else {
            Verdict::Refused(Refusal::AuthenticationFailed)
        };
        setup_intents::settle(ctx, &source, &method, verdict);
    }
    Ok(ctx.show(kind, &source))
}

fn verdict(ctx: &Ctx<'_>, method: &str) -> Verdict {
    charging::verdict_after_authentication(ctx.read(Kind::PaymentMethod, method))
}

fn end_payment(ctx: &mut Ctx<'_>, intent: &Value, method: &str, verdict: Option<Verdict>) {
    let id = intent["id"].as_str().unwrap_or_default();
    match verdict {
        None => charging::fail_authentication(ctx, id, method),
        Some(Verdict::Refused(refusal)) => charging::refuse(ctx, id, method, refusal),
        Some(Verdict::Approved | Verdict::Asks) => charging::approve(ctx, id, method),
    }
}

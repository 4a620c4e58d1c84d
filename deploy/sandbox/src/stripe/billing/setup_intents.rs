//! Setup intents: creation, and the result of a confirmation.

use serde_json::{Value, json};

use super::{
    card_outcomes::{ChargeOutcome, Presence, next_action, save_method, setup_outcome},
    subscriptions,
};
use crate::stripe::{
    cards::Decline,
    object_kind::{Kind, random},
    protocol::error::ApiError,
    provider::Context,
};

pub fn blank(customer: Option<&str>, now: i64) -> Value {
    let id = Kind::SetupIntent.new_id();
    let secret = format!("{id}_secret_{}", random(31));
    json!({
        "id": id,
        "object": "setup_intent",
        "allowed_payment_method_types": null,
        "application": null,
        "automatic_payment_methods": { "allow_redirects": "always", "enabled": true },
        "cancellation_reason": null,
        "client_secret": secret,
        "created": now,
        "customer": customer,
        "customer_account": null,
        "description": null,
        "excluded_payment_method_types": null,
        "flow_directions": null,
        "last_setup_error": null,
        "latest_attempt": null,
        "livemode": false,
        "mandate": null,
        "metadata": {},
        "next_action": null,
        "on_behalf_of": null,
        "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": { "card": {
            "mandate_options": null, "network": null, "request_three_d_secure": "automatic",
        } },
        "payment_method_types": ["card"],
        "single_use_mandate": null,
        "status": "requires_payment_method",
        "usage": "off_session",
    })
}

/// Creates a setup intent for a card that is missing or requires authentication.
pub fn prepare_setup(ctx: &mut Context<'_>, id: &str, presence: Presence) {
    let customer = ctx.read(Kind::Subscription, id)["customer"]
        .as_str()
        .map(ToOwned::to_owned);
    let mut intent = blank(customer.as_deref(), ctx.now);
    intent["_subscription"] = json!(id);
    intent["automatic_payment_methods"] = Value::Null;
    let setup = ctx.insert(Kind::SetupIntent, intent);
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["pending_setup_intent"] = json!(setup);
    });
    ctx.emit(Kind::SetupIntent, &setup, "setup_intent.created");
    if let (Some(method), Presence::OnSession) = (subscriptions::payment_method(ctx, id), presence) {
        let outcome = setup_outcome(ctx.read(Kind::PaymentMethod, &method));
        settle(ctx, &setup, &method, outcome);
    }
}

pub fn settle(ctx: &mut Context<'_>, id: &str, method: &str, outcome: ChargeOutcome) {
    match outcome {
        ChargeOutcome::Approved => approve(ctx, id, method),
        ChargeOutcome::RequiresAuthentication => require_authentication(ctx, id, method),
        ChargeOutcome::Declined(decline) => fail(ctx, id, method, decline),
    }
}

fn approve(ctx: &mut Context<'_>, id: &str, method: &str) {
    let customer = ctx.read(Kind::SetupIntent, id)["customer"]
        .as_str()
        .map(ToOwned::to_owned);
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("succeeded");
        intent["payment_method"] = json!(method);
        intent["next_action"] = Value::Null;
        intent["last_setup_error"] = Value::Null;
    });
    save_method(ctx, method, customer.as_deref());
    ctx.emit(Kind::SetupIntent, id, "setup_intent.succeeded");
    subscriptions::complete_setup(ctx, id, method);
}

fn require_authentication(ctx: &mut Context<'_>, id: &str, method: &str) {
    let action = next_action(ctx, Kind::SetupIntent, id);
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("requires_action");
        intent["payment_method"] = json!(method);
        intent["next_action"] = action;
        intent["last_setup_error"] = Value::Null;
    });
    ctx.emit(Kind::SetupIntent, id, "setup_intent.requires_action");
}

fn fail(ctx: &mut Context<'_>, id: &str, method: &str, decline: Decline) {
    let mut error = ApiError::card(&decline.error());
    if decline == Decline::AuthenticationFailed {
        error = error
            .with("type", "invalid_request_error")
            .code("setup_intent_authentication_failure");
    }
    let error = error.with("payment_method", ctx.public_json(Kind::PaymentMethod, method));
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("requires_payment_method");
        intent["payment_method"] = Value::Null;
        intent["next_action"] = Value::Null;
        intent["last_setup_error"] = error.fields();
    });
    ctx.emit(Kind::SetupIntent, id, "setup_intent.setup_failed");
}

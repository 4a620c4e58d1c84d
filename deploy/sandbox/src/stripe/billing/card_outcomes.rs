//! What a card does with a charge or a setup: its outcome, its authentication, and whether it is saved.

use serde_json::{Value, json};

use crate::stripe::{
    cards::{CardBehavior, Decline, behavior},
    object_kind::Kind,
    provider::Context,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    OnSession,
    OffSession,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeOutcome {
    Approved,
    RequiresAuthentication,
    Declined(Decline),
}

pub fn charge_outcome(method: &Value, presence: Presence) -> ChargeOutcome {
    match behavior(method) {
        CardBehavior::Approves | CardBehavior::Disputes(_) => ChargeOutcome::Approved,
        CardBehavior::Declines(decline) => ChargeOutcome::Declined(decline),
        CardBehavior::DeclinesCharges => ChargeOutcome::Declined(Decline::Generic),
        CardBehavior::AuthenticatesUntilSetUp
            if presence == Presence::OffSession && method["_set_up"] == true =>
        {
            ChargeOutcome::Approved
        }
        CardBehavior::AuthenticatesUntilSetUp
        | CardBehavior::AuthenticatesAlways
        | CardBehavior::AuthenticatesThenDeclines(_) => ChargeOutcome::RequiresAuthentication,
    }
}

/// The outcome after successful 3-D Secure.
pub fn outcome_after_authentication(method: &Value) -> ChargeOutcome {
    match behavior(method) {
        CardBehavior::AuthenticatesThenDeclines(decline) => ChargeOutcome::Declined(decline),
        _ => ChargeOutcome::Approved,
    }
}

/// The outcome of saving a card.
pub fn setup_outcome(method: &Value) -> ChargeOutcome {
    match behavior(method) {
        CardBehavior::Approves | CardBehavior::Disputes(_) | CardBehavior::DeclinesCharges => {
            ChargeOutcome::Approved
        }
        CardBehavior::Declines(decline) => ChargeOutcome::Declined(decline),
        CardBehavior::AuthenticatesUntilSetUp
        | CardBehavior::AuthenticatesAlways
        | CardBehavior::AuthenticatesThenDeclines(_) => ChargeOutcome::RequiresAuthentication,
    }
}

/// Allows later off-session charges of the card.
pub fn save_method(ctx: &mut Context<'_>, method: &str, customer: Option<&str>) {
    ctx.change(Kind::PaymentMethod, method, |pm| {
        pm["_set_up"] = json!(true);
        if pm["customer"].is_null() {
            pm["customer"] = json!(customer);
        }
    });
}

/// With a return URL the browser is redirected, otherwise Stripe's script handles the challenge.
pub fn next_action(ctx: &Context<'_>, kind: Kind, intent: &str) -> Value {
    let object = ctx.read(kind, intent);
    let mut params = url::form_urlencoded::Serializer::new(String::new());
    params.append_pair("source", intent);
    params.append_pair(
        "client_secret",
        object["client_secret"].as_str().unwrap_or_default(),
    );
    params.append_pair("key", &ctx.provider.publishable_key);
    let page = format!("{}/stripe/js/challenge.html#", ctx.provider.public_url);
    match object["_return_url"].as_str() {
        Some(return_url) => {
            params.append_pair("return_url", return_url);
            json!({
                "type": "redirect_to_url",
                "redirect_to_url": { "url": page + &params.finish(), "return_url": return_url },
            })
        }
        None => json!({
            "type": "use_stripe_sdk",
            "use_stripe_sdk": {
                "type": "three_d_secure_redirect",
                "source": intent,
                "stripe_js": page + &params.finish(),
            },
        }),
    }
}

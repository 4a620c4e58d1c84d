//! Setup intents: a card saved for later without a charge.

use serde_json::{Map, Value, json};

use crate::stripe::{
    cards::Refusal,
    charging::{self, Verdict},
    ctx::{Ctx, Named, merge_metadata, shown},
    error::{Answer, ApiError},
    kinds::{Kind, random},
    lists::{Choice, Page, list},
    params::Params,
    subscribing,
    verbs::{customers, payment_methods},
};

const IGNORED: [&str; 9] = [
    "automatic_payment_methods",
    "allowed_payment_method_types",
    "attach_to_self",
    "excluded_payment_method_types",
    "flow_directions",
    "mandate_data",
    "payment_method_configuration",
    "payment_method_options",
    "use_stripe_sdk",
];
const UNSIMULATED: [&str; 4] = [
    "confirmation_token",
    "on_behalf_of",
    "payment_method_data",
    "single_use",
];

struct Given {
    customer: Option<String>,
    payment_method: Option<String>,
    description: Option<String>,
    return_url: Option<String>,
    metadata: Option<Map<String, Value>>,
}

fn read(params: &mut Params) -> Result<Given, ApiError> {
    params.refuse(&UNSIMULATED)?;
    params.ignore(&IGNORED);
    Ok(Given {
        customer: params.text("customer")?,
        payment_method: params.text("payment_method")?,
        description: params.text("description")?,
        return_url: params.text("return_url")?,
        metadata: params.metadata()?,
    })
}

pub fn create(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let usage = params.one_of("usage", &["off_session", "on_session"])?;
    let confirm_now = params.flag("confirm")?.unwrap_or(false);
    let mut given = read(&mut params)?;
    params.finish()?;
    prepare(ctx, &mut given)?;

    let mut intent = blank(given.customer.as_deref(), ctx.now);
    intent["usage"] = json!(usage.as_deref().unwrap_or("off_session"));
    let id = ctx.insert(Kind::SetupIntent, intent);
    apply(ctx, &id, given);
    ctx.tell(Kind::SetupIntent, &id, "setup_intent.created");
    if confirm_now {
        return carry_out(ctx, &id);
    }
    Ok(ctx.show(Kind::SetupIntent, &id))
}

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

/// Finds what the request names, before anything is changed.
fn prepare(ctx: &mut Ctx<'_>, given: &mut Given) -> Result<(), ApiError> {
    if let Some(customer) = &given.customer {
        customers::existing(ctx, customer, Named::Param("customer"))?;
    }
    if let Some(method) = &given.payment_method {
        given.payment_method = Some(payment_methods::resolve(ctx, method, "payment_method")?);
    }
    Ok(())
}

fn apply(ctx: &mut Ctx<'_>, id: &str, given: Given) {
    ctx.change(Kind::SetupIntent, id, |intent| {
        for (name, value) in [("customer", given.customer), ("description", given.description)] {
            if value.is_some() {
                intent[name] = json!(value);
            }
        }
        if let Some(method) = given.payment_method {
            intent["payment_method"] = json!(method);
            intent["status"] = json!("requires_confirmation");
        }
        intent["_return_url"] = json!(given.return_url);
        merge_metadata(&mut intent["metadata"], given.metadata);
    });
}

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    ctx.intent(Kind::SetupIntent, id, &mut params)?;
    params.finish()?;
    Ok(ctx.show(Kind::SetupIntent, id))
}

pub fn update(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    let mut given = read(&mut params)?;
    params.finish()?;
    let intent = ctx.find(Kind::SetupIntent, id, Named::Url)?;
    if is_over(&intent) {
        return Err(unexpected_state(&intent, "update"));
    }
    prepare(ctx, &mut given)?;
    apply(ctx, id, given);
    Ok(ctx.show(Kind::SetupIntent, id))
}

pub fn confirm(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    let intent = ctx.intent(Kind::SetupIntent, id, &mut params)?;
    let mut given = read(&mut params)?;
    params.finish()?;
    if is_over(&intent) {
        return Err(unexpected_state(&intent, "confirm"));
    }
    prepare(ctx, &mut given)?;
    apply(ctx, id, given);
    carry_out(ctx, id)
}

fn carry_out(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let Some(method) = ctx.read(Kind::SetupIntent, id)["payment_method"]
        .as_str()
        .map(ToOwned::to_owned)
    else {
        let message = "You cannot confirm this SetupIntent because it's missing a payment method. You can either update the SetupIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.";
        return Err(unexpected(message, ctx.read(Kind::SetupIntent, id)));
    };
    let verdict = charging::verdict_of_setup(ctx.read(Kind::PaymentMethod, &method));
    settle(ctx, id, &method, verdict);
    match verdict {
        Verdict::Refused(_) => Err(refusal_answer(ctx, id)),
        Verdict::Approved | Verdict::Asks => Ok(ctx.show(Kind::SetupIntent, id)),
    }
}

pub fn settle(ctx: &mut Ctx<'_>, id: &str, method: &str, verdict: Verdict) {
    match verdict {
        Verdict::Approved => approve(ctx, id, method),
        Verdict::Asks => ask(ctx, id, method),
        Verdict::Refused(refusal) => refuse(ctx, id, method, refusal),
    }
}

fn approve(ctx: &mut Ctx<'_>, id: &str, method: &str) {
    let customer = ctx.read(Kind::SetupIntent, id)["customer"]
        .as_str()
        .map(ToOwned::to_owned);
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("succeeded");
        intent["payment_method"] = json!(method);
        intent["next_action"] = Value::Null;
        intent["last_setup_error"] = Value::Null;
    });
    charging::remember(ctx, method, customer.as_deref());
    ctx.tell(Kind::SetupIntent, id, "setup_intent.succeeded");
    subscribing::set_up(ctx, id, method);
}

fn ask(ctx: &mut Ctx<'_>, id: &str, method: &str) {
    let action = charging::next_action(ctx, Kind::SetupIntent, id);
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("requires_action");
        intent["payment_method"] = json!(method);
        intent["next_action"] = action;
        intent["last_setup_error"] = Value::Null;
    });
    ctx.tell(Kind::SetupIntent, id, "setup_intent.requires_action");
}

pub fn refuse(ctx: &mut Ctx<'_>, id: &str, method: &str, refusal: Refusal) {
    let mut error = ApiError::card(&refusal.error());
    if refusal == Refusal::AuthenticationFailed {
        error = error
            .with("type", "invalid_request_error")
            .code("setup_intent_authentication_failure");
    }
    let error = error.with("payment_method", ctx.show(Kind::PaymentMethod, method));
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("requires_payment_method");
        intent["payment_method"] = Value::Null;
        intent["next_action"] = Value::Null;
        intent["last_setup_error"] = error.fields();
    });
    ctx.tell(Kind::SetupIntent, id, "setup_intent.setup_failed");
}

fn refusal_answer(ctx: &Ctx<'_>, id: &str) -> ApiError {
    let intent = ctx.show(Kind::SetupIntent, id);
    let mut error = ApiError::invalid("").status(402);
    if let Some(fields) = intent["last_setup_error"].as_object() {
        for (name, value) in fields {
            error = error.with(name, value.clone());
        }
    }
    error.with("setup_intent", intent)
}

pub fn cancel(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    let reason = params.one_of(
        "cancellation_reason",
        &["abandoned", "duplicate", "requested_by_customer"],
    )?;
    params.finish()?;
    let intent = ctx.find(Kind::SetupIntent, id, Named::Url)?;
    if is_over(&intent) {
        return Err(unexpected_state(&intent, "cancel"));
    }
    ctx.change(Kind::SetupIntent, id, |intent| {
        intent["status"] = json!("canceled");
        intent["cancellation_reason"] = json!(reason);
        intent["next_action"] = Value::Null;
    });
    ctx.tell(Kind::SetupIntent, id, "setup_intent.canceled");
    Ok(ctx.show(Kind::SetupIntent, id))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let method = params.text("payment_method")?;
    params.finish()?;
    list(
        ctx,
        &Choice::of(Kind::SetupIntent, customer.as_deref()),
        &page,
        |intent| {
            method
                .as_ref()
                .is_none_or(|method| intent["payment_method"] == **method)
        },
    )
}

fn is_over(intent: &Value) -> bool {
    matches!(intent["status"].as_str(), Some("succeeded" | "canceled"))
}

fn unexpected_state(intent: &Value, verb: &str) -> ApiError {
    let status = intent["status"].as_str().unwrap_or_default();
    unexpected(
        &format!("You cannot {verb} this SetupIntent because it has a status of {status}."),
        intent,
    )
}

fn unexpected(message: &str, intent: &Value) -> ApiError {
    ApiError::invalid(message)
        .code("setup_intent_unexpected_state")
        .with("setup_intent", shown(intent))
}

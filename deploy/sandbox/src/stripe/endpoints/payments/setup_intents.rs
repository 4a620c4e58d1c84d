//! Setup intents: a card saved for later without a charge.

use serde_json::{Map, Value, json};

use super::payment_methods;
use crate::stripe::{
    billing::{
        card_outcomes::{ChargeOutcome, setup_outcome},
        setup_intents,
    },
    context::{Named, merge_metadata, without_private_fields},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
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

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let usage = params.one_of("usage", &["off_session", "on_session"])?;
    let confirm_now = params.flag("confirm")?.unwrap_or(false);
    let mut given = read(&mut params)?;
    params.finish()?;
    prepare(ctx, &mut given)?;

    let mut intent = setup_intents::blank(given.customer.as_deref(), ctx.now);
    intent["usage"] = json!(usage.as_deref().unwrap_or("off_session"));
    let id = ctx.insert(Kind::SetupIntent, intent);
    apply(ctx, &id, given);
    ctx.emit(Kind::SetupIntent, &id, "setup_intent.created");
    if confirm_now {
        return carry_out(ctx, &id);
    }
    Ok(ctx.public_json(Kind::SetupIntent, &id))
}

/// Resolves the ids in the request before any change.
fn prepare(ctx: &mut Context<'_>, given: &mut Given) -> Result<(), ApiError> {
    if let Some(customer) = &given.customer {
        ctx.find_customer(customer, Named::Param("customer"))?;
    }
    if let Some(method) = &given.payment_method {
        given.payment_method = Some(payment_methods::resolve(ctx, method, "payment_method")?);
    }
    Ok(())
}

fn apply(ctx: &mut Context<'_>, id: &str, given: Given) {
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

pub fn retrieve(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    ctx.intent(Kind::SetupIntent, id, &mut params)?;
    params.finish()?;
    Ok(ctx.public_json(Kind::SetupIntent, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let mut given = read(&mut params)?;
    params.finish()?;
    let intent = ctx.find(Kind::SetupIntent, id, Named::Url)?;
    if is_over(&intent) {
        return Err(unexpected_state(&intent, "update"));
    }
    prepare(ctx, &mut given)?;
    apply(ctx, id, given);
    Ok(ctx.public_json(Kind::SetupIntent, id))
}

pub fn confirm(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
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

fn carry_out(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let Some(method) = ctx.read(Kind::SetupIntent, id)["payment_method"]
        .as_str()
        .map(ToOwned::to_owned)
    else {
        let message = "You cannot confirm this SetupIntent because it's missing a payment method. You can either update the SetupIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.";
        return Err(unexpected(message, ctx.read(Kind::SetupIntent, id)));
    };
    let outcome = setup_outcome(ctx.read(Kind::PaymentMethod, &method));
    setup_intents::settle(ctx, id, &method, outcome);
    match outcome {
        ChargeOutcome::Declined(_) => Err(declined_error(ctx, id)),
        ChargeOutcome::Approved | ChargeOutcome::RequiresAuthentication => {
            Ok(ctx.public_json(Kind::SetupIntent, id))
        }
    }
}

fn declined_error(ctx: &Context<'_>, id: &str) -> ApiError {
    let intent = ctx.public_json(Kind::SetupIntent, id);
    let mut error = ApiError::invalid("").status(402);
    if let Some(fields) = intent["last_setup_error"].as_object() {
        for (name, value) in fields {
            error = error.with(name, value.clone());
        }
    }
    error.with("setup_intent", intent)
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
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
    ctx.emit(Kind::SetupIntent, id, "setup_intent.canceled");
    Ok(ctx.public_json(Kind::SetupIntent, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let method = params.text("payment_method")?;
    params.finish()?;
    list(
        ctx,
        &ListScope::of(Kind::SetupIntent, customer.as_deref()),
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
        .with("setup_intent", without_private_fields(intent))
}

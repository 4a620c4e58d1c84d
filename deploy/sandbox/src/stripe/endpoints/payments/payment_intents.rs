//! Payment intents.

use serde_json::{Map, Value, json};

use super::payment_methods;
use crate::stripe::{
    billing::{
        card_outcomes::{ChargeOutcome, Presence, charge_outcome},
        charges, payment_intents,
    },
    cards::Decline,
    context::{Named, merge_metadata, without_private_fields},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

const AMOUNT_MAX: i64 = 99_999_999;
const IGNORED: [&str; 12] = [
    "amount_details",
    "confirmation_method",
    "excluded_payment_method_types",
    "allowed_payment_method_types",
    "mandate_data",
    "payment_details",
    "payment_method_configuration",
    "payment_method_options",
    "radar_options",
    "statement_descriptor",
    "statement_descriptor_suffix",
    "use_stripe_sdk",
];
const UNSIMULATED: [&str; 9] = [
    "application_fee_amount",
    "confirmation_token",
    "hooks",
    "mandate",
    "on_behalf_of",
    "payment_method_data",
    "transfer_data",
    "transfer_group",
    "amount_to_confirm",
];

/// The parameters that creation, update and confirmation share.
#[derive(Default)]
struct Given {
    customer: Option<String>,
    payment_method: Option<String>,
    description: Option<String>,
    receipt_email: Option<String>,
    setup_future_usage: Option<String>,
    shipping: Option<Value>,
    metadata: Option<Map<String, Value>>,
}

fn read(params: &mut Params) -> Result<Given, ApiError> {
    params.refuse(&UNSIMULATED)?;
    params.ignore(&IGNORED);
    params.one_of("capture_method", &["automatic", "automatic_async"])?;
    Ok(Given {
        customer: params.text("customer")?,
        payment_method: params.text("payment_method")?,
        description: params.text("description")?,
        receipt_email: params.text("receipt_email")?,
        setup_future_usage: params.one_of("setup_future_usage", &["off_session", "on_session"])?,
        shipping: params.stored("shipping")?,
        metadata: params.metadata()?,
    })
}

struct Confirmation {
    presence: Presence,
    error_on_action: bool,
    return_url: Option<String>,
}

fn read_confirmation(params: &mut Params) -> Result<Confirmation, ApiError> {
    let off_session = params.flag("off_session")?.unwrap_or(false);
    Ok(Confirmation {
        presence: if off_session {
            Presence::OffSession
        } else {
            Presence::OnSession
        },
        error_on_action: params.flag("error_on_requires_action")?.unwrap_or(false),
        return_url: params.text("return_url")?,
    })
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.ignore(&["automatic_payment_methods"]);
    let amount = params
        .integer_within("amount", 1..=AMOUNT_MAX)?
        .ok_or_else(|| ApiError::missing_parameter("amount"))?;
    let currency = params.required("currency")?.to_lowercase();
    let confirm_now = params.flag("confirm")?.unwrap_or(false);
    let mut given = read(&mut params)?;
    let confirmation = read_confirmation(&mut params)?;
    params.finish()?;
    prepare(ctx, &mut given, None)?;

    let id = ctx.insert(
        Kind::PaymentIntent,
        payment_intents::blank(amount, &currency, ctx.now),
    );
    apply(ctx, &id, given);
    ctx.emit(Kind::PaymentIntent, &id, "payment_intent.created");
    if confirm_now {
        return carry_out(ctx, &id, &confirmation);
    }
    Ok(ctx.public_json(Kind::PaymentIntent, &id))
}

/// Resolves the ids in the request before any change.
fn prepare(ctx: &mut Context<'_>, given: &mut Given, known_customer: Option<String>) -> Result<(), ApiError> {
    if let Some(customer) = &given.customer {
        ctx.find_customer(customer, Named::Param("customer"))?;
    }
    if let Some(method) = &given.payment_method {
        let method = payment_methods::resolve(ctx, method, "payment_method")?;
        let customer = given.customer.clone().or(known_customer);
        check_owner(ctx, &method, customer.as_deref())?;
        given.payment_method = Some(method);
    }
    Ok(())
}

fn apply(ctx: &mut Context<'_>, id: &str, given: Given) {
    ctx.change(Kind::PaymentIntent, id, |pi| {
        for (name, value) in [
            ("customer", given.customer),
            ("description", given.description),
            ("receipt_email", given.receipt_email),
            ("setup_future_usage", given.setup_future_usage),
        ] {
            if value.is_some() {
                pi[name] = json!(value);
            }
        }
        if let Some(shipping) = given.shipping {
            pi["shipping"] = shipping;
        }
        if let Some(method) = given.payment_method {
            pi["payment_method"] = json!(method);
            pi["status"] = json!("requires_confirmation");
        }
        merge_metadata(&mut pi["metadata"], given.metadata);
    });
}

fn check_owner(ctx: &Context<'_>, method: &str, customer: Option<&str>) -> Result<(), ApiError> {
    let owner = text(ctx.read(Kind::PaymentMethod, method), "customer");
    let Some(owner) = owner else { return Ok(()) };
    match customer {
        Some(customer) if customer == owner => Ok(()),
        Some(_) => Err(ApiError::invalid(format!(
            "The provided PaymentMethod ({method}) belongs to a different Customer. You can only use it with that Customer."
        ))
        .param("payment_method")),
        None => Err(ApiError::invalid(format!(
            "The provided PaymentMethod ({method}) belongs to the Customer {owner}. Please include the Customer in the `customer` parameter on the PaymentIntent."
        ))
        .param("payment_method")),
    }
}

fn text(object: &Value, name: &str) -> Option<String> {
    object[name].as_str().map(ToOwned::to_owned)
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    ctx.intent(Kind::PaymentIntent, id, &mut params)?;
    params.finish()?;
    Ok(ctx.public_json(Kind::PaymentIntent, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let amount = params.integer_within("amount", 1..=AMOUNT_MAX)?;
    let mut given = read(&mut params)?;
    params.finish()?;
    let pi = ctx.find(Kind::PaymentIntent, id, Named::Url)?;
    if matches!(pi["status"].as_str(), Some("succeeded" | "canceled")) && amount.is_some() {
        return Err(unexpected_state(&pi, "updated"));
    }
    prepare(ctx, &mut given, text(&pi, "customer"))?;
    apply(ctx, id, given);
    if let Some(amount) = amount {
        ctx.change(Kind::PaymentIntent, id, |pi| pi["amount"] = json!(amount));
    }
    Ok(ctx.public_json(Kind::PaymentIntent, id))
}

pub fn confirm(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let pi = ctx.intent(Kind::PaymentIntent, id, &mut params)?;
    let mut given = read(&mut params)?;
    let confirmation = read_confirmation(&mut params)?;
    params.finish()?;
    if matches!(
        pi["status"].as_str(),
        Some("succeeded" | "canceled" | "processing")
    ) {
        return Err(unexpected_state(&pi, "confirmed"));
    }
    prepare(ctx, &mut given, text(&pi, "customer"))?;
    apply(ctx, id, given);
    carry_out(ctx, id, &confirmation)
}

fn carry_out(ctx: &mut Context<'_>, id: &str, confirmation: &Confirmation) -> ApiResult {
    let pi = ctx.read(Kind::PaymentIntent, id).clone();
    let Some(method) = text(&pi, "payment_method") else {
        let message = "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
        return Err(unexpected(message, &pi));
    };
    let outcome = charge_outcome(ctx.read(Kind::PaymentMethod, &method), confirmation.presence);
    let no_holder = confirmation.presence == Presence::OffSession || confirmation.error_on_action;
    let outcome = match outcome {
        ChargeOutcome::RequiresAuthentication if no_holder => {
            ChargeOutcome::Declined(Decline::AuthenticationRequired)
        }
        outcome => outcome,
    };
    ctx.change(Kind::PaymentIntent, id, |pi| {
        pi["_return_url"] = json!(confirmation.return_url);
    });
    charges::settle(ctx, id, &method, outcome);
    match outcome {
        ChargeOutcome::Declined(_) => Err(charges::declined_error(ctx, id)),
        ChargeOutcome::Approved | ChargeOutcome::RequiresAuthentication => {
            Ok(ctx.public_json(Kind::PaymentIntent, id))
        }
    }
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let reason = params.one_of(
        "cancellation_reason",
        &["abandoned", "duplicate", "fraudulent", "requested_by_customer"],
    )?;
    params.finish()?;
    let pi = ctx.find(Kind::PaymentIntent, id, Named::Url)?;
    if matches!(pi["status"].as_str(), Some("succeeded" | "canceled")) {
        return Err(unexpected_state(&pi, "canceled"));
    }
    if !pi["_invoice"].is_null() {
        return Err(ApiError::invalid(
            "You cannot cancel this PaymentIntent because it was created by an Invoice. You can void the Invoice instead.",
        ));
    }
    payment_intents::cancel(ctx, id, reason.as_deref());
    Ok(ctx.public_json(Kind::PaymentIntent, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    params.finish()?;
    list(
        ctx,
        &ListScope::of(Kind::PaymentIntent, customer.as_deref()),
        &page,
        |_| true,
    )
}

fn unexpected_state(pi: &Value, verb: &str) -> ApiError {
    let status = pi["status"].as_str().unwrap_or_default();
    let message = format!(
        "This PaymentIntent's status is {status} and it cannot be {verb}. You cannot {} this PaymentIntent because it has a status of {status}.",
        verb.trim_end_matches("ed")
    );
    unexpected(&message, pi)
}

fn unexpected(message: &str, pi: &Value) -> ApiError {
    ApiError::invalid(message)
        .code("payment_intent_unexpected_state")
        .with("payment_intent", without_private_fields(pi))
}

//! Payment intents.

use serde_json::{Map, Value, json};

use crate::stripe::{
    cards::Refusal,
    charging::{self, Presence, Verdict},
    ctx::{Ctx, Named, merge_metadata},
    error::{Answer, ApiError},
    kinds::{Kind, random},
    lists::{Choice, Page, list},
    params::Params,
    verbs::{customers, payment_methods},
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

/// What creation, update and confirmation have in common.
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

pub fn create(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
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

    let id = ctx.insert(Kind::PaymentIntent, blank(amount, &currency, ctx.now));
    apply(ctx, &id, given);
    ctx.tell(Kind::PaymentIntent, &id, "payment_intent.created");
    if confirm_now {
        return carry_out(ctx, &id, &confirmation);
    }
    Ok(ctx.show(Kind::PaymentIntent, &id))
}

pub fn blank(amount: i64, currency: &str, now: i64) -> Value {
    let id = Kind::PaymentIntent.new_id();
    let secret = format!("{id}_secret_{}", random(25));
    json!({
        "id": id,
        "object": "payment_intent",
        "allowed_payment_method_types": null,
        "amount": amount,
        "amount_capturable": 0,
        "amount_details": { "tip": {} },
        "amount_received": 0,
        "application": null,
        "application_fee_amount": null,
        "automatic_payment_methods": { "allow_redirects": "always", "enabled": true },
        "canceled_at": null,
        "cancellation_reason": null,
        "capture_method": "automatic_async",
        "client_secret": secret,
        "confirmation_method": "automatic",
        "created": now,
        "currency": currency,
        "customer": null,
        "customer_account": null,
        "description": null,
        "excluded_payment_method_types": null,
        "last_payment_error": null,
        "latest_charge": null,
        "livemode": false,
        "managed_payments": null,
        "metadata": {},
        "next_action": null,
        "on_behalf_of": null,
        "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": { "card": {
            "installments": null, "mandate_options": null, "network": null, "request_three_d_secure": "automatic",
        } },
        "payment_method_types": ["card"],
        "payment_record": null,
        "processing": null,
        "receipt_email": null,
        "review": null,
        "setup_future_usage": null,
        "shipping": null,
        "source": null,
        "statement_descriptor": null,
        "statement_descriptor_suffix": null,
        "status": "requires_payment_method",
        "transfer_data": null,
        "transfer_group": null,
    })
}

/// Finds what the request names, before anything is changed.
fn prepare(ctx: &mut Ctx<'_>, given: &mut Given, known_customer: Option<String>) -> Result<(), ApiError> {
    if let Some(customer) = &given.customer {
        customers::existing(ctx, customer, Named::Param("customer"))?;
    }
    if let Some(method) = &given.payment_method {
        let method = payment_methods::resolve(ctx, method, "payment_method")?;
        let customer = given.customer.clone().or(known_customer);
        check_owner(ctx, &method, customer.as_deref())?;
        given.payment_method = Some(method);
    }
    Ok(())
}

fn apply(ctx: &mut Ctx<'_>, id: &str, given: Given) {
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

fn check_owner(ctx: &Ctx<'_>, method: &str, customer: Option<&str>) -> Result<(), ApiError> {
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

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    ctx.intent(Kind::PaymentIntent, id, &mut params)?;
    params.finish()?;
    Ok(ctx.show(Kind::PaymentIntent, id))
}

pub fn update(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
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
    Ok(ctx.show(Kind::PaymentIntent, id))
}

pub fn confirm(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
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

fn carry_out(ctx: &mut Ctx<'_>, id: &str, confirmation: &Confirmation) -> Answer {
    let pi = ctx.read(Kind::PaymentIntent, id).clone();
    let Some(method) = text(&pi, "payment_method") else {
        let message = "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
        return Err(unexpected(message, &pi));
    };
    let verdict = charging::verdict(ctx.read(Kind::PaymentMethod, &method), confirmation.presence);
    let no_holder = confirmation.presence == Presence::OffSession || confirmation.error_on_action;
    let verdict = match verdict {
        Verdict::Asks if no_holder => Verdict::Refused(Refusal::AuthenticationRequired),
        verdict => verdict,
    };
    ctx.change(Kind::PaymentIntent, id, |pi| {
        pi["_return_url"] = json!(confirmation.return_url);
    });
    charging::settle(ctx, id, &method, verdict);
    match verdict {
        Verdict::Refused(_) => Err(charging::refusal_answer(ctx, id)),
        Verdict::Approved | Verdict::Asks => Ok(ctx.show(Kind::PaymentIntent, id)),
    }
}

pub fn cancel(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
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
    abandon(ctx, id, reason.as_deref());
    Ok(ctx.show(Kind::PaymentIntent, id))
}

/// Cancels an intent that cannot be paid any more.
pub fn abandon(ctx: &mut Ctx<'_>, id: &str, reason: Option<&str>) {
    let now = ctx.now;
    ctx.change(Kind::PaymentIntent, id, |pi| {
        pi["status"] = json!("canceled");
        pi["canceled_at"] = json!(now);
        pi["cancellation_reason"] = json!(reason);
        pi["next_action"] = Value::Null;
    });
    ctx.tell(Kind::PaymentIntent, id, "payment_intent.canceled");
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    params.finish()?;
    list(
        ctx,
        &Choice::of(Kind::PaymentIntent, customer.as_deref()),
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
        .with("payment_intent", crate::stripe::ctx::shown(pi))
}

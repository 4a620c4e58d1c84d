//! Charges: approved, declined, or pending 3-D Secure.

use serde_json::{Value, json};

use super::{
    card_outcomes::{ChargeOutcome, Presence, charge_outcome, next_action, save_method},
    disputes, invoice_results, invoices,
};
use crate::stripe::{
    cards::{CardBehavior, CardError, Decline, behavior},
    object_kind::Kind,
    protocol::error::ApiError,
    provider::Context,
};

/// Charges the amount due of an invoice.
pub fn collect(ctx: &mut Context<'_>, id: &str, method: &str, presence: Presence) -> Option<ChargeOutcome> {
    let intent = invoices::intent_of(ctx, id)?;
    let outcome = charge_outcome(ctx.read(Kind::PaymentMethod, method), presence);
    settle(ctx, &intent, method, outcome);
    Some(outcome)
}

/// Carries an outcome on a new attempt into the intent, the charge and the invoice behind it.
pub fn settle(ctx: &mut Context<'_>, intent: &str, method: &str, outcome: ChargeOutcome) {
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoices::count_attempt(ctx, &invoice);
    }
    match outcome {
        ChargeOutcome::Approved => approve(ctx, intent, method),
        ChargeOutcome::RequiresAuthentication => require_authentication(ctx, intent, method),
        ChargeOutcome::Declined(decline) => decline_charge(ctx, intent, method, decline),
    }
}

pub fn approve(ctx: &mut Context<'_>, intent: &str, method: &str) {
    let charge = record_charge(ctx, intent, method, None);
    let before = ctx.read(Kind::PaymentIntent, intent).clone();
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["status"] = json!("succeeded");
        pi["amount_received"] = pi["amount"].clone();
        pi["latest_charge"] = json!(charge);
        pi["payment_method"] = json!(method);
        pi["next_action"] = Value::Null;
        pi["last_payment_error"] = Value::Null;
    });
    if !before["setup_future_usage"].is_null() {
        save_method(ctx, method, before["customer"].as_str());
    }
    ctx.emit(Kind::Charge, &charge, "charge.succeeded");
    ctx.emit(Kind::PaymentIntent, intent, "payment_intent.succeeded");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoice_results::paid(ctx, &invoice);
    }
    if let CardBehavior::Disputes(claim) = behavior(ctx.read(Kind::PaymentMethod, method)) {
        disputes::open(ctx, &charge, claim);
    }
}

fn require_authentication(ctx: &mut Context<'_>, intent: &str, method: &str) {
    let action = next_action(ctx, Kind::PaymentIntent, intent);
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["status"] = json!("requires_action");
        pi["payment_method"] = json!(method);
        pi["next_action"] = action;
        pi["last_payment_error"] = Value::Null;
    });
    ctx.emit(Kind::PaymentIntent, intent, "payment_intent.requires_action");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoice_results::needs_action(ctx, &invoice);
    }
}

pub fn decline_charge(ctx: &mut Context<'_>, intent: &str, method: &str, decline: Decline) {
    let charge = record_charge(ctx, intent, method, Some(decline));
    let error = ApiError::card(&decline.error()).with("charge", charge.as_str());
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["latest_charge"] = json!(charge);
    });
    ctx.emit(Kind::Charge, &charge, "charge.failed");
    reject_method(ctx, intent, method, error);
}

/// 3-D Secure failed: no charge is attempted.
pub fn fail_authentication(ctx: &mut Context<'_>, intent: &str, method: &str) {
    reject_method(
        ctx,
        intent,
        method,
        ApiError::card(&Decline::AuthenticationFailed.error()),
    );
}

fn reject_method(ctx: &mut Context<'_>, intent: &str, method: &str, error: ApiError) {
    let error = error.with("payment_method", ctx.public_json(Kind::PaymentMethod, method));
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["status"] = json!("requires_payment_method");
        pi["payment_method"] = Value::Null;
        pi["next_action"] = Value::Null;
        pi["last_payment_error"] = error.fields();
    });
    ctx.emit(Kind::PaymentIntent, intent, "payment_intent.payment_failed");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoice_results::payment_failed(ctx, &invoice);
    }
}

/// The 402 response to a declined attempt, with the current intent.
pub fn declined_error(ctx: &Context<'_>, intent: &str) -> ApiError {
    let pi = ctx.public_json(Kind::PaymentIntent, intent);
    let mut error = ApiError::invalid("").status(402);
    if let Some(fields) = pi["last_payment_error"].as_object() {
        for (name, value) in fields {
            error = error.with(name, value.clone());
        }
    }
    error.with("payment_intent", pi)
}

fn invoice_of(ctx: &Context<'_>, intent: &str) -> Option<String> {
    ctx.read(Kind::PaymentIntent, intent)["_invoice"]
        .as_str()
        .map(ToOwned::to_owned)
}

fn record_charge(ctx: &mut Context<'_>, intent: &str, method: &str, decline: Option<Decline>) -> String {
    let pi = ctx.read(Kind::PaymentIntent, intent);
    let pm = ctx.read(Kind::PaymentMethod, method);
    let network = network(ctx, intent, &pm["card"]);
    let paid = decline.is_none();
    let error = decline.map(Decline::error);
    let amount = pi["amount"].as_i64().unwrap_or_default();
    let charge = json!({
        "id": Kind::Charge.new_id(),
        "object": "charge",
        "amount": amount,
        "amount_captured": if paid { amount } else { 0 },
        "amount_refunded": 0,
        "application": null,
        "application_fee": null,
        "application_fee_amount": null,
        "balance_transaction": null,
        "billing_details": pm["billing_details"],
        "calculated_statement_descriptor": "STILLPOINT",
        "captured": paid,
        "created": ctx.now,
        "currency": pi["currency"],
        "customer": pi["customer"],
        "description": pi["description"],
        "disputed": false,
        "failure_balance_transaction": null,
        "failure_code": error.as_ref().map(|error| error.code),
        "failure_message": error.as_ref().map(|error| error.message),
        "fraud_details": {},
        "livemode": false,
        "metadata": pi["metadata"],
        "on_behalf_of": null,
        "outcome": network_outcome(error.as_ref()),
        "paid": paid,
        "payment_intent": intent,
        "payment_method": method,
        "payment_method_details": { "card": card_details(&pm["card"], &network, paid.then_some(amount)), "type": "card" },
        "receipt_email": pi["receipt_email"],
        "receipt_number": null,
        "receipt_url": null,
        "refunded": false,
        "review": null,
        "shipping": pi["shipping"],
        "source": null,
        "source_transfer": null,
        "statement_descriptor": null,
        "statement_descriptor_suffix": null,
        "status": if paid { "succeeded" } else { "failed" },
        "transfer_data": null,
        "transfer_group": null,
    });
    ctx.insert(Kind::Charge, charge)
}

fn network_outcome(error: Option<&CardError>) -> Value {
    match error {
        None => json!({
            "advice_code": null,
            "network_advice_code": null,
            "network_decline_code": null,
            "network_status": "approved_by_network",
            "reason": null,
            "risk_level": "normal",
            "risk_score": 20,
            "seller_message": "Payment complete.",
            "type": "authorized",
        }),
        Some(error) => json!({
            "advice_code": error.advice_code,
            "network_advice_code": null,
            "network_decline_code": null,
            "network_status": "declined_by_network",
            "reason": error.decline_code.unwrap_or(error.code),
            "risk_level": "normal",
            "risk_score": 20,
            "seller_message": "The bank returned a decline.",
            "type": "issuer_declined",
        }),
    }
}

/// The network that the subscription prefers, if the card supports it; else the card's brand.
fn network(ctx: &Context<'_>, intent: &str, card: &Value) -> Value {
    let wanted = invoice_of(ctx, intent).map(|invoice| {
        let invoice = ctx.read(Kind::Invoice, &invoice);
        let subscription = invoice["parent"]["subscription_details"]["subscription"].as_str();
        let subscription = ctx.read(Kind::Subscription, subscription.unwrap_or_default());
        subscription["payment_settings"]["payment_method_options"]["card"]["network"].clone()
    });
    let available = card["networks"]["available"].as_array();
    wanted
        .filter(|wanted| available.is_some_and(|available| available.contains(wanted)))
        .unwrap_or_else(|| card["brand"].clone())
}

fn card_details(card: &Value, network: &Value, authorized: Option<i64>) -> Value {
    let mut details = json!({
        "amount_authorized": authorized,
        "authorization_code": authorized.map(|_| "S47RL2"),
        "electronic_commerce_indicator": null,
        "installments": null,
        "mandate": null,
        "network": network,
        "network_transaction_id": authorized.map(|_| "976910110049114"),
        "regulated_status": "unregulated",
        "three_d_secure": null,
        "transaction_link_id": null,
        "wallet": null,
    });
    for name in [
        "brand",
        "checks",
        "country",
        "exp_month",
        "exp_year",
        "fingerprint",
        "funding",
        "last4",
    ] {
        details[name] = card[name].clone();
    }
    details
}

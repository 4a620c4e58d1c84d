//! What happens when a card is asked for money: approved, asked to authenticate, or refused.

use serde_json::{Value, json};

use super::{
    cards::{Behaviour, CardError, Refusal},
    ctx::Ctx,
    error::ApiError,
    invoicing,
    kinds::Kind,
    verbs::{disputes, payment_methods::behaviour},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    OnSession,
    OffSession,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Approved,
    Asks,
    Refused(Refusal),
}

pub fn verdict(method: &Value, presence: Presence) -> Verdict {
    match behaviour(method) {
        Behaviour::Approves | Behaviour::Disputes(_) => Verdict::Approved,
        Behaviour::Refuses(refusal) => Verdict::Refused(refusal),
        Behaviour::RefusesCharges => Verdict::Refused(Refusal::Generic),
        Behaviour::AsksUntilSetUp if presence == Presence::OffSession && method["_set_up"] == true => {
            Verdict::Approved
        }
        Behaviour::AsksUntilSetUp | Behaviour::AsksAlways | Behaviour::AsksThenRefuses(_) => Verdict::Asks,
    }
}

/// What the card says once its holder has proved who they are.
pub fn verdict_after_authentication(method: &Value) -> Verdict {
    match behaviour(method) {
        Behaviour::AsksThenRefuses(refusal) => Verdict::Refused(refusal),
        _ => Verdict::Approved,
    }
}

/// What the card says to being saved for later.
pub fn verdict_of_setup(method: &Value) -> Verdict {
    match behaviour(method) {
        Behaviour::Approves | Behaviour::Disputes(_) | Behaviour::RefusesCharges => Verdict::Approved,
        Behaviour::Refuses(refusal) => Verdict::Refused(refusal),
        Behaviour::AsksUntilSetUp | Behaviour::AsksAlways | Behaviour::AsksThenRefuses(_) => Verdict::Asks,
    }
}

/// Carries a verdict on a new attempt into the intent, the charge and the invoice behind it.
pub fn settle(ctx: &mut Ctx<'_>, intent: &str, method: &str, verdict: Verdict) {
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoicing::count_attempt(ctx, &invoice);
    }
    match verdict {
        Verdict::Approved => approve(ctx, intent, method),
        Verdict::Asks => ask(ctx, intent, method),
        Verdict::Refused(refusal) => refuse(ctx, intent, method, refusal),
    }
}

pub fn approve(ctx: &mut Ctx<'_>, intent: &str, method: &str) {
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
        remember(ctx, method, before["customer"].as_str());
    }
    ctx.tell(Kind::Charge, &charge, "charge.succeeded");
    ctx.tell(Kind::PaymentIntent, intent, "payment_intent.succeeded");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoicing::paid(ctx, &invoice);
    }
    if let Behaviour::Disputes(claim) = behaviour(ctx.read(Kind::PaymentMethod, method)) {
        disputes::open(ctx, &charge, claim);
    }
}

/// The card may be charged without its holder from now on.
pub fn remember(ctx: &mut Ctx<'_>, method: &str, customer: Option<&str>) {
    ctx.change(Kind::PaymentMethod, method, |pm| {
        pm["_set_up"] = json!(true);
        if pm["customer"].is_null() {
            pm["customer"] = json!(customer);
        }
    });
}

fn ask(ctx: &mut Ctx<'_>, intent: &str, method: &str) {
    let action = next_action(ctx, Kind::PaymentIntent, intent);
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["status"] = json!("requires_action");
        pi["payment_method"] = json!(method);
        pi["next_action"] = action;
        pi["last_payment_error"] = Value::Null;
    });
    ctx.tell(Kind::PaymentIntent, intent, "payment_intent.requires_action");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoicing::needs_action(ctx, &invoice);
    }
}

/// With a return URL the browser is sent to a page, otherwise the script of the checkout page handles it.
pub fn next_action(ctx: &Ctx<'_>, kind: Kind, intent: &str) -> Value {
    let object = ctx.read(kind, intent);
    let mut question = url::form_urlencoded::Serializer::new(String::new());
    question.append_pair("source", intent);
    question.append_pair(
        "client_secret",
        object["client_secret"].as_str().unwrap_or_default(),
    );
    question.append_pair("key", &ctx.house.publishable_key);
    let page = format!("{}/stripe/js/challenge.html#", ctx.house.public_url);
    match object["_return_url"].as_str() {
        Some(return_url) => {
            question.append_pair("return_url", return_url);
            json!({
                "type": "redirect_to_url",
                "redirect_to_url": { "url": page + &question.finish(), "return_url": return_url },
            })
        }
        None => json!({
            "type": "use_stripe_sdk",
            "use_stripe_sdk": {
                "type": "three_d_secure_redirect",
                "source": intent,
                "stripe_js": page + &question.finish(),
            },
        }),
    }
}

pub fn refuse(ctx: &mut Ctx<'_>, intent: &str, method: &str, refusal: Refusal) {
    let charge = record_charge(ctx, intent, method, Some(refusal));
    let error = ApiError::card(&refusal.error()).with("charge", charge.as_str());
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["latest_charge"] = json!(charge);
    });
    ctx.tell(Kind::Charge, &charge, "charge.failed");
    send_back(ctx, intent, method, error);
}

/// The holder could not prove who they are: no charge was tried.
pub fn fail_authentication(ctx: &mut Ctx<'_>, intent: &str, method: &str) {
    send_back(
        ctx,
        intent,
        method,
        ApiError::card(&Refusal::AuthenticationFailed.error()),
    );
}

fn send_back(ctx: &mut Ctx<'_>, intent: &str, method: &str, error: ApiError) {
    let error = error.with("payment_method", ctx.show(Kind::PaymentMethod, method));
    ctx.change(Kind::PaymentIntent, intent, |pi| {
        pi["status"] = json!("requires_payment_method");
        pi["payment_method"] = Value::Null;
        pi["next_action"] = Value::Null;
        pi["last_payment_error"] = error.fields();
    });
    ctx.tell(Kind::PaymentIntent, intent, "payment_intent.payment_failed");
    if let Some(invoice) = invoice_of(ctx, intent) {
        invoicing::payment_failed(ctx, &invoice);
    }
}

/// The 402 that answers a refused attempt, with the intent as it now stands.
pub fn refusal_answer(ctx: &Ctx<'_>, intent: &str) -> ApiError {
    let pi = ctx.show(Kind::PaymentIntent, intent);
    let mut error = ApiError::invalid("").status(402);
    if let Some(fields) = pi["last_payment_error"].as_object() {
        for (name, value) in fields {
            error = error.with(name, value.clone());
        }
    }
    error.with("payment_intent", pi)
}

fn invoice_of(ctx: &Ctx<'_>, intent: &str) -> Option<String> {
    ctx.read(Kind::PaymentIntent, intent)["_invoice"]
        .as_str()
        .map(ToOwned::to_owned)
}

fn record_charge(ctx: &mut Ctx<'_>, intent: &str, method: &str, refusal: Option<Refusal>) -> String {
    let pi = ctx.read(Kind::PaymentIntent, intent);
    let pm = ctx.read(Kind::PaymentMethod, method);
    let network = network(ctx, intent, &pm["card"]);
    let paid = refusal.is_none();
    let error = refusal.map(Refusal::error);
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
        "outcome": outcome(error.as_ref()),
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

fn outcome(error: Option<&CardError>) -> Value {
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

/// The one its subscription says, where the card has it; else the card's brand.
fn network(ctx: &Ctx<'_>, intent: &str, card: &Value) -> Value {
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

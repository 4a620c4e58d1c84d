//! `subscriptions`: create with the first invoice or a trial, update, cancel, list.

use serde_json::{Map, Value, json};

use super::subscription_form::{self, Item, NewSubscription};
use crate::stripe::{
    billing::{
        card_outcomes::{ChargeOutcome, Presence, charge_outcome, save_method, setup_outcome},
        charges,
        invoice_draft::{Bill, Terms},
        invoices,
        proration::{self, NewPrice},
        renewals, schedules, setup_intents, subscriptions,
    },
    context::{Named, merge_metadata},
    endpoints::payments::payment_methods,
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let new = subscription_form::read(&mut params, ctx.now)?;
    params.finish()?;
    let items = check(ctx, &new)?;
    let method = first_method(ctx, &new);
    let due_now = new.trial_end.is_none() && items.iter().any(|item| item.amount() > 0);
    if due_now {
        check_payable(ctx, &new, method.as_deref())?;
    }

    let id = ctx.insert(
        Kind::Subscription,
        subscription_form::build(&new, &items, ctx.now),
    );
    ctx.change(Kind::Customer, &new.customer, |customer| {
        if customer["currency"].is_null() {
            customer["currency"] = items
                .first()
                .map(|item| item.price["currency"].clone())
                .unwrap_or_default();
        }
    });
    let invoice = invoices::draft(ctx, &first_bill(ctx, &id));
    if new.trial_end.is_some() {
        begin_trial(ctx, &id, &new);
    }
    ctx.emit(Kind::Subscription, &id, "customer.subscription.created");
    ctx.emit(Kind::Invoice, &invoice, "invoice.created");
    invoices::finalize(ctx, &invoice);
    if due_now {
        take_first_payment(ctx, &invoice, method.as_deref(), &new);
    } else if new.trial_end.is_none() {
        subscriptions::invoice_paid(ctx, &id);
    }
    Ok(ctx.public_json(Kind::Subscription, &id))
}

fn check(ctx: &Context<'_>, new: &NewSubscription) -> Result<Vec<Item>, ApiError> {
    ctx.find_customer(&new.customer, Named::Param("customer"))?;
    if let Some(method) = &new.default_payment_method {
        payment_methods::owned_by(ctx, method, &new.customer, "default_payment_method")?;
    }
    let items = subscription_form::priced(ctx, &new.items)?;
    let Some(first) = items.first() else {
        return Err(ApiError::missing_parameter("items"));
    };
    let same = |item: &Item| {
        item.price["currency"] == first.price["currency"]
            && item.price["recurring"]["interval"] == first.price["recurring"]["interval"]
            && item.price["recurring"]["interval_count"] == first.price["recurring"]["interval_count"]
    };
    if !items.iter().all(same) {
        return Err(ApiError::invalid(
            "Currency and interval fields must match across all plans on this subscription.",
        ));
    }
    let known = ctx.read(Kind::Customer, &new.customer)["currency"].clone();
    let open = ctx
        .state
        .newest_first(Kind::Subscription, Some(&new.customer))
        .any(|other| !subscriptions::is_over(other));
    if open && !known.is_null() && known != first.price["currency"] {
        return Err(ApiError::invalid(format!(
            "You cannot combine currencies on a single customer. This customer has an active subscription with currency {}.",
            known.as_str().unwrap_or_default()
        )));
    }
    Ok(items)
}

fn first_method(ctx: &Context<'_>, new: &NewSubscription) -> Option<String> {
    let customer = ctx.read(Kind::Customer, &new.customer);
    let fallback = customer["invoice_settings"]["default_payment_method"].as_str();
    new.default_payment_method
        .clone()
        .or_else(|| fallback.map(ToOwned::to_owned))
}

/// Rejects a subscription whose first payment is impossible, before any object is created.
fn check_payable(ctx: &Context<'_>, new: &NewSubscription, method: Option<&str>) -> Result<(), ApiError> {
    if new.behavior == "default_incomplete" {
        return Ok(());
    }
    let Some(method) = method else {
        let message = "This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.";
        return Err(ApiError::invalid(message).code("resource_missing"));
    };
    if new.behavior != "error_if_incomplete" {
        return Ok(());
    }
    match charge_outcome(ctx.read(Kind::PaymentMethod, method), new.presence) {
        ChargeOutcome::Approved => Ok(()),
        ChargeOutcome::Declined(decline) => Err(ApiError::card(&decline.error())),
        ChargeOutcome::RequiresAuthentication => Err(ApiError::invalid(
            "Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.",
        )
        .status(402)
        .with("type", "card_error")
        .code("subscription_payment_intent_requires_action")),
    }
}

fn first_bill<'a>(ctx: &Context<'_>, id: &'a str) -> Bill<'a> {
    let subscription = ctx.read(Kind::Subscription, id);
    let item = &subscription["items"]["data"][0];
    let terms = if subscription["trial_end"].is_null() {
        Terms::Charged
    } else {
        Terms::Trial
    };
    Bill {
        subscription: id,
        reason: "subscription_create",
        start: item["current_period_start"].as_i64().unwrap_or_default(),
        end: item["current_period_end"].as_i64().unwrap_or_default(),
        terms,
    }
}

/// Saves a card that needs no 3-D Secure; any other leaves `pending_setup_intent`.
fn begin_trial(ctx: &mut Context<'_>, id: &str, new: &NewSubscription) {
    let approved = subscriptions::payment_method(ctx, id)
        .filter(|method| setup_outcome(ctx.read(Kind::PaymentMethod, method)) == ChargeOutcome::Approved);
    match approved {
        Some(method) if new.behavior != "default_incomplete" => {
            save_method(ctx, &method, Some(&new.customer));
        }
        _ if new.behavior == "default_incomplete" => {
            setup_intents::prepare_setup(ctx, id, Presence::OffSession);
        }
        _ => setup_intents::prepare_setup(ctx, id, new.presence),
    }
}

fn take_first_payment(ctx: &mut Context<'_>, invoice: &str, method: Option<&str>, new: &NewSubscription) {
    let Some(method) = method else { return };
    if new.behavior != "default_incomplete" {
        charges::collect(ctx, invoice, method, new.presence);
        return;
    }
    if let Some(intent) = invoices::intent_of(ctx, invoice) {
        ctx.change(Kind::PaymentIntent, &intent, |pi| {
            pi["payment_method"] = json!(method);
            pi["status"] = json!("requires_confirmation");
        });
    }
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Subscription, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Subscription, id))
}

#[expect(
    clippy::option_option,
    reason = "absent, unset and set are three different requests"
)]
struct Changes {
    cancel_at_period_end: Option<bool>,
    default_payment_method: Option<String>,
    description: Option<Option<String>>,
    pause: Option<Value>,
    metadata: Option<Map<String, Value>>,
    end_trial_now: bool,
    start_new_period: bool,
    price: Option<NewPrice>,
}

fn read_changes(params: &mut Params, now: i64) -> Result<Changes, ApiError> {
    params.refuse(&["cancel_at", "discounts", "add_invoice_items"])?;
    params.ignore(&[
        "proration_behavior",
        "payment_behavior",
        "off_session",
        "payment_settings",
        "trial_settings",
    ]);
    let pause = match params.clone().nested("pause_collection")? {
        None => params.clearable("pause_collection")?.map(|_| Value::Null),
        Some(mut inner) => {
            params.nested("pause_collection")?;
            let behavior = inner.one_of("behavior", &["void"])?;
            let resumes_at = inner.integer("resumes_at")?;
            inner.finish()?;
            Some(json!({ "behavior": behavior, "resumes_at": resumes_at }))
        }
    };
    let end_trial_now = params.one_of("trial_end", &["now"])?.is_some();
    let start_new_period = read_anchor(params)?;
    let price = proration::read(params, now)?;
    if let Some(mut details) = params.nested("cancellation_details")? {
        details.ignore(&["comment", "feedback", "feedback_option"]);
        details.finish()?;
    }
    Ok(Changes {
        cancel_at_period_end: params.flag("cancel_at_period_end")?,
        default_payment_method: params.text("default_payment_method")?,
        description: params.clearable("description")?,
        pause,
        metadata: params.metadata()?,
        end_trial_now,
        start_new_period,
        price,
    })
}

/// `true` starts a new period now.
fn read_anchor(params: &mut Params) -> Result<bool, ApiError> {
    let Some(mut anchor) = params.nested("billing_cycle_anchor")? else {
        return Ok(false);
    };
    let kind = anchor.one_of("type", &["now", "unchanged"])?;
    anchor.finish()?;
    Ok(kind.as_deref() == Some("now"))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let mut changes = read_changes(&mut params, ctx.now)?;
    params.finish()?;
    let subscription = ctx.find(Kind::Subscription, id, Named::Url)?;
    if subscriptions::is_over(&subscription) {
        let message = "A canceled subscription can only update its cancellation_details and metadata.";
        return Err(ApiError::invalid(message));
    }
    if changes.cancel_at_period_end.is_some() {
        schedules::check_cancelation_is_free(&subscription)?;
    }
    if changes.price.is_some() || changes.start_new_period || changes.end_trial_now {
        schedules::check_terms_are_free(&subscription)?;
    }
    if let Some(method) = &changes.default_payment_method {
        let customer = subscription["customer"].as_str().unwrap_or_default();
        payment_methods::owned_by(ctx, method, customer, "default_payment_method")?;
    }

    // An unchanged price is not a change.
    let new = changes
        .price
        .take()
        .filter(|new| subscription["items"]["data"][0]["price"]["id"] != new.price.as_str());
    let repriced = match new {
        Some(new) => {
            let change = proration::calculate(ctx, &subscription, &new)?;
            let method = proration::check_payable(ctx, id, &change)?;
            Some((change, method))
        }
        None => None,
    };

    let start_new_period = changes.start_new_period;
    let end_trial_now = changes.end_trial_now && subscription["status"] == "trialing";
    let now = ctx.now;
    ctx.change_and_emit(
        Kind::Subscription,
        id,
        "customer.subscription.updated",
        |subscription| {
            apply(subscription, changes, now);
        },
    );
    if end_trial_now {
        subscription_form::end_trial(ctx, id);
        renewals::start_next_period(ctx, id, "subscription_cycle");
    } else if start_new_period {
        proration::start_new_period(ctx, id);
    }
    if let Some((change, method)) = repriced {
        proration::apply(ctx, id, &change, &method);
    }
    Ok(ctx.public_json(Kind::Subscription, id))
}

fn apply(subscription: &mut Value, changes: Changes, now: i64) {
    match changes.cancel_at_period_end {
        Some(true) => {
            subscription["cancel_at_period_end"] = json!(true);
            subscription["cancel_at"] = subscription["items"]["data"][0]["current_period_end"].clone();
            subscription["canceled_at"] = json!(now);
            subscription["cancellation_details"]["reason"] = json!("cancellation_requested");
        }
        Some(false) => {
            subscription["cancel_at_period_end"] = json!(false);
            subscription["cancel_at"] = Value::Null;
            subscription["canceled_at"] = Value::Null;
            subscription["cancellation_details"]["reason"] = Value::Null;
        }
        None => {}
    }
    if let Some(method) = changes.default_payment_method {
        subscription["default_payment_method"] = json!(method);
    }
    if let Some(description) = changes.description {
        subscription["description"] = json!(description);
    }
    if let Some(pause) = changes.pause {
        subscription["pause_collection"] = pause;
    }
    merge_metadata(&mut subscription["metadata"], changes.metadata);
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.ignore(&["cancellation_details", "invoice_now", "prorate"]);
    params.finish()?;
    let subscription = ctx.find(Kind::Subscription, id, Named::Url)?;
    if subscriptions::is_over(&subscription) {
        return Err(ApiError::no_such("subscription", id, "id").status(404));
    }
    subscriptions::cancel(ctx, id, "cancellation_requested");
    Ok(ctx.public_json(Kind::Subscription, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let price = params.text("price")?;
    let status = params.one_of("status", &STATUSES)?;
    params.ignore(&["collection_method"]);
    params.finish()?;
    list(
        ctx,
        &ListScope::of(Kind::Subscription, customer.as_deref()),
        &page,
        |subscription| {
            let has = |price: &String| {
                let items = subscription["items"]["data"]
                    .as_array()
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                items.iter().any(|item| item["price"]["id"] == **price)
            };
            price.as_ref().is_none_or(has) && has_status(subscription, status.as_deref())
        },
    )
}

const STATUSES: [&str; 10] = [
    "active",
    "all",
    "canceled",
    "ended",
    "incomplete",
    "incomplete_expired",
    "past_due",
    "paused",
    "trialing",
    "unpaid",
];

fn has_status(subscription: &Value, wanted: Option<&str>) -> bool {
    match wanted {
        None => subscription["status"] != "canceled",
        Some("all") => true,
        Some("ended") => subscriptions::is_over(subscription),
        Some(status) => subscription["status"] == status,
    }
}

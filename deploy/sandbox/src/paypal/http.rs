//! A call's way to its verb: token, body, idempotency.

use serde_json::{Value, json};

use super::{
    Ctx, Paypal, catalogue,
    error::{Answer, ApiError},
    notifications, refunding, signing, subscribing,
    tokens::{self, Scope},
};
use crate::call::{Call, Desk, Once, Reply};

/// As long as PayPal remembers a request id of a subscription.
const KEYS_KEPT_SECS: i64 = 72 * 3600;

/// What a verb is asked.
pub struct Verb<'a> {
    pub call: &'a Call,
    pub body: &'a Value,
}

impl<'a> Verb<'a> {
    /// A text of the body; anything else in its place is an error.
    pub fn text(&self, field: &str) -> Result<Option<&'a str>, ApiError> {
        match &self.body[field] {
            Value::Null => Ok(None),
            Value::String(text) if text.is_empty() => Err(ApiError::invalid(
                &format!("/{field}"),
                "INVALID_STRING_LENGTH",
                "The value of a field is either too short or too long.",
            )),
            Value::String(text) => Ok(Some(text)),
            _ => Err(ApiError::wrong(&format!("/{field}"))),
        }
    }

    pub fn wants_representation(&self) -> bool {
        self.call.header("prefer") == Some("return=representation")
    }
}

/// Pages are counted from 1.
pub struct Paging {
    page: usize,
    size: usize,
    is_counted: bool,
}

impl Paging {
    pub fn of(verb: &Verb<'_>) -> Result<Self, ApiError> {
        let number = |name: &str, default: usize| match verb.call.asked_for(name) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .ok_or_else(|| ApiError::missing_query(name)),
        };
        Ok(Self {
            page: number("page", 1)?,
            size: number("page_size", 10)?.min(20),
            is_counted: verb.call.asked_for("total_required").as_deref() == Some("true"),
        })
    }

    pub fn reply<'v>(&self, name: &str, all: impl Iterator<Item = &'v Value>) -> Reply {
        let all: Vec<_> = all.collect();
        let shown: Vec<_> = all
            .iter()
            .skip((self.page - 1) * self.size)
            .take(self.size)
            .collect();
        let mut body = json!({ name: shown, "links": [] });
        if self.is_counted {
            body["total_items"] = all.len().into();
            body["total_pages"] = all.len().div_ceil(self.size).into();
        }
        Reply::json(200, &body)
    }
}

impl Desk for Paypal {
    fn answer(&self, call: &Call, now: i64) -> Reply {
        let path: Vec<&str> = segments(&call.path);
        match (call.method.as_str(), path.as_slice()) {
            ("POST", ["v1", "oauth2", "token"]) => return tokens::grant(&self.house, call, now),
            ("GET", ["v1", "notifications", "certs", signing::CERTIFICATE_NAME]) => {
                return Reply::text(200, "application/x-pem-file", signing::CERTIFICATE.to_owned());
            }
            _ => {}
        }
        let scope = match tokens::check(&self.house, call, now) {
            Ok(scope) => scope,
            Err(refused) => return refused,
        };
        self.work(now, |ctx| {
            admitted(ctx, call, &path, scope).unwrap_or_else(|error| error.reply())
        })
    }

    fn outage(&self, status: u16) -> Reply {
        ApiError::outage(status).reply()
    }
}

fn segments(path: &str) -> Vec<&str> {
    let path = path.strip_prefix("/paypal").unwrap_or(path);
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

fn admitted(ctx: &mut Ctx<'_>, call: &Call, path: &[&str], scope: Scope) -> Answer {
    let is_open = matches!(path, ["v1", "billing", "subscriptions", ..]);
    if scope == Scope::Subscribing && !(is_open && path.len() <= 4) {
        return Err(ApiError::forbidden());
    }
    let body = call.json()?;
    let verb = Verb { call, body: &body };
    let key = call.header("paypal-request-id").filter(|_| call.method == "POST");
    let Some(key) = key else {
        return dispatch(ctx, &verb, path);
    };
    let (now, house) = (ctx.now, ctx.house);
    let once = Once {
        key,
        call,
        now,
        kept_secs: KEYS_KEPT_SECS,
    };
    let work = |books: &mut _| {
        let mut ctx = Ctx { books, now, house };
        dispatch(&mut ctx, &verb, path).unwrap_or_else(|error| error.reply())
    };
    once.run(ctx.books, work).map_err(|_| {
        ApiError::refused(
            "PAYPAL_REQUEST_ID_PREVIOUSLY_USED",
            "The PayPal-Request-ID has already been used for another request.",
        )
    })
}

fn dispatch(ctx: &mut Ctx<'_>, verb: &Verb<'_>, path: &[&str]) -> Answer {
    match (verb.call.method.as_str(), path) {
        ("POST", ["v1", "catalogs", "products"]) => catalogue::create_product(ctx, verb),
        ("GET", ["v1", "catalogs", "products"]) => catalogue::products(ctx, verb),
        ("GET", ["v1", "catalogs", "products", id]) => catalogue::product(ctx, id),

        ("POST", ["v1", "billing", "plans"]) => catalogue::create_plan(ctx, verb),
        ("GET", ["v1", "billing", "plans"]) => catalogue::plans(ctx, verb),
        ("GET", ["v1", "billing", "plans", id]) => catalogue::plan(ctx, id),
        ("POST", ["v1", "billing", "plans", id, "activate"]) => catalogue::activate(ctx, id),
        ("POST", ["v1", "billing", "plans", id, "deactivate"]) => catalogue::deactivate(ctx, id),

        (_, ["v1", "billing", "subscriptions", ..]) => dispatch_subscriptions(ctx, verb, &path[3..]),

        ("GET", ["v1", "payments", "sale", id]) => refunding::show_sale(ctx, id),
        ("POST", ["v1", "payments", "sale", id, "refund"]) => refunding::refund_sale(ctx, verb, id),
        ("GET", ["v1", "payments", "refund", id]) => refunding::show_sale_refund(ctx, id),
        ("GET", ["v2", "payments", "captures", id]) => refunding::show_capture(ctx, id),
        ("POST", ["v2", "payments", "captures", id, "refund"]) => refunding::refund_capture(ctx, verb, id),
        ("GET", ["v2", "payments", "refunds", id]) => refunding::show_refund(ctx, id),

        ("POST", ["v1", "notifications", "webhooks"]) => notifications::create(ctx, verb),
        ("GET", ["v1", "notifications", "webhooks"]) => Ok(notifications::list(ctx)),
        ("GET", ["v1", "notifications", "webhooks", id]) => notifications::show(ctx, id),
        ("DELETE", ["v1", "notifications", "webhooks", id]) => notifications::delete(ctx, id),
        ("GET", ["v1", "notifications", "webhooks-events"]) => notifications::events(ctx, verb),
        ("GET", ["v1", "notifications", "webhooks-events", id]) => notifications::event(ctx, id),
        ("POST", ["v1", "notifications", "webhooks-events", id, "resend"]) => {
            notifications::resend(ctx, verb, id)
        }
        ("POST", ["v1", "notifications", "verify-webhook-signature"]) => notifications::verify(ctx, verb),

        _ => Err(ApiError::not_found()),
    }
}

fn dispatch_subscriptions(ctx: &mut Ctx<'_>, verb: &Verb<'_>, path: &[&str]) -> Answer {
    match (verb.call.method.as_str(), path) {
        ("POST", []) => subscribing::create(ctx, verb),
        ("GET", [id]) => subscribing::show(ctx, id),
        ("POST", [id, "activate"]) => subscribing::activate(ctx, verb, id),
        ("POST", [id, "suspend"]) => subscribing::suspend(ctx, verb, id),
        ("POST", [id, "cancel"]) => subscribing::cancel(ctx, verb, id),
        ("POST", [id, "revise"]) => subscribing::revise(ctx, verb, id),
        ("POST", [id, "capture"]) => subscribing::capture(ctx, verb, id),
        ("GET", [id, "transactions"]) => subscribing::transactions(ctx, verb, id),
        _ => Err(ApiError::not_found()),
    }
}

//! The API: OAuth, idempotency, routing.

mod catalog;
mod refunds;
mod request;
mod subscriptions;
mod tokens;
mod webhooks;

use super::{
    error::{ApiError, ApiResult},
    provider::{Context, Paypal},
    webhook_signature,
};
use crate::engine::{
    http::call::{ApiHandler, Call, Reply},
    simulator::IdempotentCall,
};
use request::ApiRequest;
use tokens::Scope;

/// PayPal's retention of the request ids of subscriptions.
const KEY_TTL_SECS: i64 = 72 * 3600;

impl ApiHandler for Paypal {
    type Admitted = ();

    fn admit(&self, _: &Call, _: i64) -> Result<(), Reply> {
        Ok(())
    }

    fn handle(&self, call: &Call, (): (), now: i64) -> Reply {
        let path: Vec<&str> = segments(&call.path);
        match (call.method.as_str(), path.as_slice()) {
            ("POST", ["v1", "oauth2", "token"]) => return tokens::grant(&self.provider, call, now),
            (
                "GET",
                [
                    "v1",
                    "notifications",
                    "certs",
                    webhook_signature::CERTIFICATE_NAME,
                ],
            ) => {
                let certificate = webhook_signature::CERTIFICATE.to_owned();
                return Reply::text(200, "application/x-pem-file", certificate);
            }
            _ => {}
        }
        let scope = match tokens::check(&self.provider, call, now) {
            Ok(scope) => scope,
            Err(rejection) => return rejection,
        };
        self.work(now, |ctx| {
            execute(ctx, call, &path, scope).unwrap_or_else(|error| error.reply())
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

fn execute(ctx: &mut Context<'_>, call: &Call, path: &[&str], scope: Scope) -> ApiResult {
    let is_open = matches!(path, ["v1", "billing", "subscriptions", ..]);
    if scope == Scope::Subscribing && !(is_open && path.len() <= 4) {
        return Err(ApiError::forbidden());
    }
    let body = call.json()?;
    let request = ApiRequest { call, body: &body };
    let key = call.header("paypal-request-id").filter(|_| call.method == "POST");
    let Some(key) = key else {
        return route(ctx, &request, path);
    };
    let idempotent = IdempotentCall {
        key,
        call,
        ttl_secs: KEY_TTL_SECS,
    };
    ctx.idempotent(&idempotent, |ctx| {
        route(ctx, &request, path).unwrap_or_else(|error| error.reply())
    })
    .map_err(|_| {
        ApiError::unprocessable(
            "PAYPAL_REQUEST_ID_PREVIOUSLY_USED",
            "The PayPal-Request-ID has already been used for another request.",
        )
    })
}

fn route(ctx: &mut Context<'_>, request: &ApiRequest<'_>, path: &[&str]) -> ApiResult {
    match (request.call.method.as_str(), path) {
        ("POST", ["v1", "catalogs", "products"]) => catalog::create_product(ctx, request),
        ("GET", ["v1", "catalogs", "products"]) => catalog::products(ctx, request),
        ("GET", ["v1", "catalogs", "products", id]) => catalog::product(ctx, id),

        ("POST", ["v1", "billing", "plans"]) => catalog::create_plan(ctx, request),
        ("GET", ["v1", "billing", "plans"]) => catalog::plans(ctx, request),
        ("GET", ["v1", "billing", "plans", id]) => catalog::plan(ctx, id),
        ("POST", ["v1", "billing", "plans", id, "activate"]) => catalog::activate(ctx, id),
        ("POST", ["v1", "billing", "plans", id, "deactivate"]) => catalog::deactivate(ctx, id),

        (_, ["v1", "billing", "subscriptions", ..]) => route_subscriptions(ctx, request, &path[3..]),

        ("GET", ["v1", "payments", "sale", id]) => refunds::show_sale(ctx, id),
        ("POST", ["v1", "payments", "sale", id, "refund"]) => refunds::refund_sale(ctx, request, id),
        ("GET", ["v1", "payments", "refund", id]) => refunds::show_sale_refund(ctx, id),
        ("GET", ["v2", "payments", "captures", id]) => refunds::show_capture(ctx, id),
        ("POST", ["v2", "payments", "captures", id, "refund"]) => refunds::refund_capture(ctx, request, id),
        ("GET", ["v2", "payments", "refunds", id]) => refunds::show_refund(ctx, id),

        ("POST", ["v1", "notifications", "webhooks"]) => webhooks::create(ctx, request),
        ("GET", ["v1", "notifications", "webhooks"]) => Ok(webhooks::list(ctx)),
        ("GET", ["v1", "notifications", "webhooks", id]) => webhooks::show(ctx, id),
        ("DELETE", ["v1", "notifications", "webhooks", id]) => webhooks::delete(ctx, id),
        ("GET", ["v1", "notifications", "webhooks-events"]) => webhooks::events(ctx, request),
        ("GET", ["v1", "notifications", "webhooks-events", id]) => webhooks::event(ctx, id),
        ("POST", ["v1", "notifications", "webhooks-events", id, "resend"]) => {
            webhooks::resend(ctx, request, id)
        }
        ("POST", ["v1", "notifications", "verify-webhook-signature"]) => webhooks::verify(ctx, request),

        _ => Err(ApiError::not_found()),
    }
}

fn route_subscriptions(ctx: &mut Context<'_>, request: &ApiRequest<'_>, path: &[&str]) -> ApiResult {
    match (request.call.method.as_str(), path) {
        ("POST", []) => subscriptions::create(ctx, request),
        ("GET", [id]) => subscriptions::show(ctx, id),
        ("POST", [id, "activate"]) => subscriptions::activate(ctx, request, id),
        ("POST", [id, "suspend"]) => subscriptions::suspend(ctx, request, id),
        ("POST", [id, "cancel"]) => subscriptions::cancel(ctx, request, id),
        ("POST", [id, "revise"]) => subscriptions::revise(ctx, request, id),
        ("POST", [id, "capture"]) => subscriptions::capture(ctx, request, id),
        ("GET", [id, "transactions"]) => subscriptions::transactions(ctx, request, id),
        _ => Err(ApiError::not_found()),
    }
}

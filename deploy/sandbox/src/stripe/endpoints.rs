//! The endpoints: routing, and one module per resource.

mod billing;
mod catalog;
mod customers;
mod events;
mod payments;
mod webhook_endpoints;

use super::{
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};
use billing::{invoice_payments, invoices, previews, subscription_schedules, subscriptions};
use catalog::{coupons, prices, products};
use payments::{
    authentication, charges, disputes, payment_intents, payment_methods, refunds, search, setup_intents,
};

pub fn route(ctx: &mut Context<'_>, method: &str, path: &[&str], params: Params) -> ApiResult {
    match (method, path) {
        ("POST", ["customers"]) => customers::create(ctx, params),
        ("GET", ["customers"]) => customers::list_all(ctx, params),
        ("GET", ["customers", id]) => customers::retrieve(ctx, id, params),
        ("POST", ["customers", id]) => customers::update(ctx, id, params),
        ("DELETE", ["customers", id]) => customers::delete(ctx, id, params),
        ("GET", ["customers", id, "payment_methods"]) => payment_methods::list_of_customer(ctx, id, params),

        ("POST", ["products"]) => products::create(ctx, params),
        ("GET", ["products"]) => products::list_all(ctx, params),
        ("GET", ["products", id]) => products::retrieve(ctx, id, params),
        ("POST", ["products", id]) => products::update(ctx, id, params),

        ("POST", ["prices"]) => prices::create(ctx, params),
        ("GET", ["prices"]) => prices::list_all(ctx, params),
        ("GET", ["prices", id]) => prices::retrieve(ctx, id, params),
        ("POST", ["prices", id]) => prices::update(ctx, id, params),

        ("POST", ["coupons"]) => coupons::create(ctx, params),
        ("GET", ["coupons"]) => coupons::list_all(ctx, params),
        ("GET", ["coupons", id]) => coupons::retrieve(ctx, id, params),
        ("POST", ["coupons", id]) => coupons::update(ctx, id, params),
        ("DELETE", ["coupons", id]) => coupons::delete(ctx, id, params),

        ("GET", ["events"]) => events::list_all(ctx, params),
        ("GET", ["events", id]) => events::retrieve(ctx, id, params),

        ("POST", ["webhook_endpoints"]) => webhook_endpoints::create(ctx, params),
        ("GET", ["webhook_endpoints"]) => webhook_endpoints::list_all(ctx, params),
        ("GET", ["webhook_endpoints", id]) => webhook_endpoints::retrieve(ctx, id, params),
        ("POST", ["webhook_endpoints", id]) => webhook_endpoints::update(ctx, id, params),
        ("DELETE", ["webhook_endpoints", id]) => webhook_endpoints::delete(ctx, id, params),

        _ => route_payments(ctx, method, path, params),
    }
}

fn route_payments(ctx: &mut Context<'_>, method: &str, path: &[&str], params: Params) -> ApiResult {
    match (method, path) {
        ("POST", ["payment_methods"]) => payment_methods::create(ctx, params),
        ("GET", ["payment_methods"]) => payment_methods::list_all(ctx, params),
        ("GET", ["payment_methods", id]) => payment_methods::retrieve(ctx, id, params),
        ("POST", ["payment_methods", id]) => payment_methods::update(ctx, id, params),
        ("POST", ["payment_methods", id, "attach"]) => payment_methods::attach(ctx, id, params),
        ("POST", ["payment_methods", id, "detach"]) => payment_methods::detach(ctx, id, params),

        ("POST", ["payment_intents"]) => payment_intents::create(ctx, params),
        ("GET", ["payment_intents"]) => payment_intents::list_all(ctx, params),
        ("GET", ["payment_intents", "search"]) => search::payment_intents(ctx, params),
        ("GET", ["payment_intents", id]) => payment_intents::retrieve(ctx, id, params),
        ("POST", ["payment_intents", id]) => payment_intents::update(ctx, id, params),
        ("POST", ["payment_intents", id, "confirm"]) => payment_intents::confirm(ctx, id, params),
        ("POST", ["payment_intents", id, "cancel"]) => payment_intents::cancel(ctx, id, params),

        ("POST", ["setup_intents"]) => setup_intents::create(ctx, params),
        ("GET", ["setup_intents"]) => setup_intents::list_all(ctx, params),
        ("GET", ["setup_intents", id]) => setup_intents::retrieve(ctx, id, params),
        ("POST", ["setup_intents", id]) => setup_intents::update(ctx, id, params),
        ("POST", ["setup_intents", id, "confirm"]) => setup_intents::confirm(ctx, id, params),
        ("POST", ["setup_intents", id, "cancel"]) => setup_intents::cancel(ctx, id, params),
        ("POST", ["3ds2", "challenge_complete"]) => authentication::complete(ctx, params),

        ("GET", ["charges"]) => charges::list_all(ctx, params),
        ("GET", ["charges", id]) => charges::retrieve(ctx, id, params),

        ("POST", ["refunds"]) => refunds::create(ctx, params),
        ("GET", ["refunds"]) => refunds::list_all(ctx, params),
        ("GET", ["refunds", id]) => refunds::retrieve(ctx, id, params),

        ("GET", ["disputes"]) => disputes::list_all(ctx, params),
        ("GET", ["disputes", id]) => disputes::retrieve(ctx, id, params),
        ("POST", ["disputes", id]) => disputes::update(ctx, id, params),
        ("POST", ["disputes", id, "close"]) => disputes::close(ctx, id, params),

        _ => route_billing(ctx, method, path, params),
    }
}

fn route_billing(ctx: &mut Context<'_>, method: &str, path: &[&str], params: Params) -> ApiResult {
    match (method, path) {
        ("POST", ["subscriptions"]) => subscriptions::create(ctx, params),
        ("GET", ["subscriptions"]) => subscriptions::list_all(ctx, params),
        ("GET", ["subscriptions", id]) => subscriptions::retrieve(ctx, id, params),
        ("POST", ["subscriptions", id]) => subscriptions::update(ctx, id, params),
        ("DELETE", ["subscriptions", id]) => subscriptions::cancel(ctx, id, params),

        ("POST", ["subscription_schedules"]) => subscription_schedules::create(ctx, params),
        ("GET", ["subscription_schedules", id]) => subscription_schedules::retrieve(ctx, id, params),
        ("POST", ["subscription_schedules", id]) => subscription_schedules::update(ctx, id, params),
        ("POST", ["subscription_schedules", id, "release"]) => {
            subscription_schedules::release(ctx, id, params)
        }

        ("GET", ["invoices"]) => invoices::list_all(ctx, params),
        ("GET", ["invoices", id]) => invoices::retrieve(ctx, id, params),
        ("POST", ["invoices", "create_preview"]) => previews::create(ctx, params),
        ("POST", ["invoices", id]) => invoices::update(ctx, id, params),
        ("GET", ["invoices", id, "lines"]) => invoices::lines(ctx, id, params),
        ("POST", ["invoices", id, "pay"]) => invoices::pay(ctx, id, params),
        ("POST", ["invoices", id, "void"]) => invoices::void(ctx, id, params),

        ("GET", ["invoice_payments"]) => invoice_payments::list_all(ctx, params),
        ("GET", ["invoice_payments", id]) => invoice_payments::retrieve(ctx, id, params),

        _ => Err(ApiError::unknown_url(method, &format!("/v1/{}", path.join("/")))),
    }
}

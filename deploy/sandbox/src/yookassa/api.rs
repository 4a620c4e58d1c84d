//! The API: authentication, idempotency, routing.

mod error;
mod lists;
mod payments;
mod refunds;

use serde_json::{Value, json};

use super::provider::{Context, Yookassa, YookassaProvider};
use crate::engine::{
    http::call::{ApiHandler, Call, Reply},
    simulator::IdempotentCall,
};
use error::{ApiError, ApiResult};

const KEY_TTL_SECS: i64 = 24 * 3600;
const KEY_LENGTH_MAX: usize = 64;

impl ApiHandler for Yookassa {
    type Admitted = ();

    fn admit(&self, _: &Call, _: i64) -> Result<(), Reply> {
        Ok(())
    }

    fn handle(&self, call: &Call, (): (), now: i64) -> Reply {
        self.work(now, |ctx| route(ctx, call).unwrap_or_else(|error| error.reply()))
    }

    fn outage(&self, status: u16) -> Reply {
        ApiError::outage(status).reply()
    }
}

fn route(ctx: &mut Context<'_>, call: &Call) -> ApiResult {
    authenticate(ctx.provider, call)?;
    let rest = call.path.split_once("/v3/").map_or("", |(_, rest)| rest);
    let path: Vec<&str> = rest.split('/').filter(|segment| !segment.is_empty()).collect();
    if call.method == "GET" {
        return read(ctx, call, &path);
    }
    if call.method != "POST" {
        return Err(ApiError::method());
    }
    let key = call.header("idempotence-key").filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| ApiError::invalid("Idempotence-Key", "Idempotence key is missing"))?;
    if key.len() > KEY_LENGTH_MAX {
        return Err(ApiError::invalid(
            "Idempotence-Key",
            "Idempotence key is too long",
        ));
    }
    let body = call.json()?;
    let request = IdempotentCall {
        key,
        call,
        ttl_secs: KEY_TTL_SECS,
    };
    ctx.idempotent(&request, |ctx| {
        write(ctx, &path, &body).unwrap_or_else(|error| error.reply())
    })
    .map_err(|_| ApiError::invalid("Idempotence-Key", "Idempotence key duplicated"))
}

fn authenticate(provider: &YookassaProvider, call: &Call) -> Result<(), ApiError> {
    match call.basic() {
        Some((shop, secret)) if shop == provider.shop_id && secret == provider.secret_key => Ok(()),
        _ => Err(ApiError::unauthenticated()),
    }
}

fn read(ctx: &mut Context<'_>, call: &Call, path: &[&str]) -> ApiResult {
    match path {
        ["me"] => Ok(Reply::json(
            200,
            &json!({
                "account_id": ctx.provider.shop_id, "status": "enabled", "test": true, "fiscalization_enabled": false,
                "payment_methods": ["bank_card"],
            }),
        )),
        ["payments"] => payments::list(ctx, call),
        ["payments", id] => payments::show(ctx, id),
        ["refunds"] => refunds::list(ctx, call),
        ["refunds", id] => refunds::show(ctx, id),
        _ => Err(ApiError::no_resource()),
    }
}

fn write(ctx: &mut Context<'_>, path: &[&str], body: &Value) -> ApiResult {
    match path {
        ["payments"] => payments::create(ctx, body),
        ["payments", id, "capture"] => payments::capture(ctx, id, body),
        ["payments", id, "cancel"] => payments::cancel(ctx, id),
        ["refunds"] => refunds::create(ctx, body),
        _ => Err(ApiError::no_resource()),
    }
}

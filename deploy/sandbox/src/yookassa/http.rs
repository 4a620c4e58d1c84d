//! A call's way to its verb: shop, body, idempotency.

use serde_json::{Value, json};

use super::{
    Ctx, House, Yookassa,
    error::{Answer, ApiError},
    paying, refunding,
};
use crate::call::{Call, Desk, Once, Reply};

const KEYS_KEPT_SECS: i64 = 24 * 3600;
const KEY_LENGTH_MAX: usize = 64;

impl Desk for Yookassa {
    fn answer(&self, call: &Call, now: i64) -> Reply {
        self.work(now, |ctx| {
            admitted(ctx, call).unwrap_or_else(|error| error.reply())
        })
    }

    fn outage(&self, status: u16) -> Reply {
        ApiError::outage(status).reply()
    }
}

fn admitted(ctx: &mut Ctx<'_>, call: &Call) -> Answer {
    authenticate(ctx.house, call)?;
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
    let (now, house) = (ctx.now, ctx.house);
    let once = Once {
        key,
        call,
        now,
        kept_secs: KEYS_KEPT_SECS,
    };
    let work = |books: &mut _| {
        let mut ctx = Ctx { books, now, house };
        write(&mut ctx, &path, &body).unwrap_or_else(|error| error.reply())
    };
    once.run(ctx.books, work)
        .map_err(|_| ApiError::invalid("Idempotence-Key", "Idempotence key duplicated"))
}

fn authenticate(house: &House, call: &Call) -> Result<(), ApiError> {
    match call.basic() {
        Some((shop, secret)) if shop == house.shop_id && secret == house.secret_key => Ok(()),
        _ => Err(ApiError::unauthenticated()),
    }
}

fn read(ctx: &mut Ctx<'_>, call: &Call, path: &[&str]) -> Answer {
    match path {
        ["me"] => Ok(Reply::json(
            200,
            &json!({
                "account_id": ctx.house.shop_id, "status": "enabled", "test": true, "fiscalization_enabled": false,
                "payment_methods": ["bank_card"],
            }),
        )),
        ["payments"] => paying::list(ctx, call),
        ["payments", id] => paying::show(ctx, id),
        ["refunds"] => refunding::list(ctx, call),
        ["refunds", id] => refunding::show(ctx, id),
        _ => Err(ApiError::no_resource()),
    }
}

fn write(ctx: &mut Ctx<'_>, path: &[&str], body: &Value) -> Answer {
    match path {
        ["payments"] => paying::create(ctx, body),
        ["payments", id, "capture"] => paying::capture(ctx, id, body),
        ["payments", id, "cancel"] => paying::cancel(ctx, id),
        ["refunds"] => refunding::create(ctx, body),
        _ => Err(ApiError::no_resource()),
    }
}

/// Some of a list, newest first; the cursor is the id that the next page begins with.
pub fn page(call: &Call, all: Vec<Value>) -> Answer {
    const LIMIT_MAX: usize = 100;
    let limit = match call.asked_for("limit") {
        None => 10,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=LIMIT_MAX).contains(limit))
            .ok_or_else(|| ApiError::invalid("limit", "Must be a number from 1 to 100"))?,
    };
    let cursor = call.asked_for("cursor");
    let asked = call.asked();
    let mut chosen = all
        .into_iter()
        .skip_while(|one| cursor.as_deref().is_some_and(|cursor| one["id"] != cursor))
        .filter(|one| asked.iter().all(|(name, value)| fits(one, name, value)));
    let items: Vec<Value> = chosen.by_ref().take(limit).collect();
    let mut body = json!({ "type": "list", "items": items });
    if let Some(next) = chosen.next() {
        body["next_cursor"] = next["id"].clone();
    }
    Ok(Reply::json(200, &body))
}

fn fits(one: &Value, name: &str, value: &str) -> bool {
    match name.split_once('.') {
        Some((field, bound)) => {
            let at = one[field].as_str().unwrap_or_default();
            match bound {
                "gte" => at >= value,
                "gt" => at > value,
                "lte" => at <= value,
                "lt" => at < value,
                _ => true,
            }
        }
        None if matches!(name, "status" | "payment_id") => one[name] == value,
        None => true,
    }
}

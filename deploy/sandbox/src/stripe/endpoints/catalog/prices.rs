//! Prices and their lookup keys.

use serde_json::{Map, Value, json};

use super::products::NewProduct;
use crate::stripe::{
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
    state::id_of,
};

const AMOUNT_MAX: i64 = 99_999_999;
const UNSIMULATED: [&str; 6] = [
    "currency_options",
    "custom_unit_amount",
    "tiers",
    "tiers_mode",
    "transform_quantity",
    "unit_amount_decimal",
];

struct LookupKey {
    key: Option<String>,
    transfer: bool,
}

struct NewPrice {
    currency: String,
    unit_amount: i64,
    recurring: Option<Value>,
    nickname: Option<String>,
    active: bool,
    tax_behavior: Option<String>,
    metadata: Option<Map<String, Value>>,
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&UNSIMULATED)?;
    params.one_of("billing_scheme", &["per_unit"])?;
    let new = read(&mut params)?;
    let lookup = read_lookup_key(&mut params)?;
    let product = params.text("product")?;
    let product_data = match params.nested("product_data")? {
        None => None,
        Some(mut inner) => {
            let data = NewProduct::read(&mut inner)?;
            inner.finish()?;
            Some(data)
        }
    };
    params.finish()?;

    claim(ctx, None, &lookup)?;
    let product = match (product, product_data) {
        (Some(id), None) => {
            ctx.find(Kind::Product, &id, Named::Param("product"))?;
            id
        }
        (None, Some(data)) => data.store(ctx)?,
        (Some(_), Some(_)) => {
            return Err(ApiError::malformed(
                "You may only specify one of these parameters: product, product_data.",
            ));
        }
        (None, None) => return Err(ApiError::missing_parameter("product")),
    };
    let id = ctx.insert(Kind::Price, build(new, &product, lookup.key.as_deref(), ctx.now));
    ctx.emit(Kind::Price, &id, "price.created");
    Ok(ctx.public_json(Kind::Price, &id))
}

fn read(params: &mut Params) -> Result<NewPrice, ApiError> {
    let currency = params.required("currency")?.to_lowercase();
    if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err(params.invalid("currency", &format!("Invalid currency: {currency}.")));
    }
    let unit_amount = params
        .integer_within("unit_amount", 0..=AMOUNT_MAX)?
        .ok_or_else(|| ApiError::missing_parameter("unit_amount"))?;
    let recurring = match params.nested("recurring")? {
        None => None,
        Some(inner) => Some(read_recurring(inner)?),
    };
    Ok(NewPrice {
        currency,
        unit_amount,
        recurring,
        nickname: params.text("nickname")?,
        active: params.flag("active")?.unwrap_or(true),
        tax_behavior: params.one_of("tax_behavior", &["exclusive", "inclusive", "unspecified"])?,
        metadata: params.metadata()?,
    })
}

fn read_recurring(mut params: Params) -> Result<Value, ApiError> {
    params.one_of("usage_type", &["licensed"])?;
    let interval = params
        .one_of("interval", &["day", "week", "month", "year"])?
        .ok_or_else(|| ApiError::missing_parameter(&params.path("interval")))?;
    let count_max = match interval.as_str() {
        "day" => 1095,
        "week" => 156,
        "month" => 36,
        _ => 3,
    };
    let interval_count = params
        .integer_within("interval_count", 1..=count_max)?
        .unwrap_or(1);
    let trial_period_days = params.integer_within("trial_period_days", 1..=730)?;
    params.finish()?;
    Ok(json!({
        "interval": interval,
        "interval_count": interval_count,
        "meter": null,
        "trial_period_days": trial_period_days,
        "usage_type": "licensed",
    }))
}

fn read_lookup_key(params: &mut Params) -> Result<LookupKey, ApiError> {
    Ok(LookupKey {
        key: params.text("lookup_key")?,
        transfer: params.flag("transfer_lookup_key")?.unwrap_or(false),
    })
}

/// Claims the lookup key for this price; it is an error if another price has it.
fn claim(ctx: &mut Context<'_>, price: Option<&str>, lookup: &LookupKey) -> Result<(), ApiError> {
    let Some(key) = &lookup.key else { return Ok(()) };
    let holder = ctx
        .state
        .newest_first(Kind::Price, None)
        .find(|other| other["lookup_key"] == **key)
        .map(|other| id_of(other).to_owned())
        .filter(|holder| Some(holder.as_str()) != price);
    let Some(holder) = holder else { return Ok(()) };
    if !lookup.transfer {
        let message = format!("A price (`{holder}`) already uses that lookup key.");
        return Err(ApiError::invalid(message).param("lookup_key"));
    }
    ctx.change_and_emit(Kind::Price, &holder, "price.updated", |other| {
        other["lookup_key"] = Value::Null;
    });
    Ok(())
}

fn build(new: NewPrice, product: &str, lookup_key: Option<&str>, now: i64) -> Value {
    let kind = if new.recurring.is_some() {
        "recurring"
    } else {
        "one_time"
    };
    let mut price = json!({
        "id": Kind::Price.new_id(),
        "object": "price",
        "active": new.active,
        "billing_scheme": "per_unit",
        "created": now,
        "currency": new.currency,
        "custom_unit_amount": null,
        "livemode": false,
        "lookup_key": lookup_key,
        "metadata": {},
        "nickname": new.nickname,
        "product": product,
        "recurring": new.recurring,
        "tax_behavior": new.tax_behavior.as_deref().unwrap_or("unspecified"),
        "tiers_mode": null,
        "transform_quantity": null,
        "type": kind,
        "unit_amount": new.unit_amount,
        "unit_amount_decimal": new.unit_amount.to_string(),
    });
    merge_metadata(&mut price["metadata"], new.metadata);
    price
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Price, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Price, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.refuse(&["currency_options"])?;
    let active = params.flag("active")?;
    let nickname = params.clearable("nickname")?;
    let lookup = read_lookup_key(&mut params)?;
    let metadata = params.metadata()?;
    params.finish()?;
    ctx.find(Kind::Price, id, Named::Url)?;
    claim(ctx, Some(id), &lookup)?;

    ctx.change_and_emit(Kind::Price, id, "price.updated", |price| {
        if let Some(active) = active {
            price["active"] = json!(active);
        }
        if let Some(nickname) = nickname {
            price["nickname"] = json!(nickname);
        }
        if let Some(key) = lookup.key {
            price["lookup_key"] = json!(key);
        }
        merge_metadata(&mut price["metadata"], metadata);
    });
    Ok(ctx.public_json(Kind::Price, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let active = params.flag("active")?;
    let currency = params.text("currency")?;
    let product = params.text("product")?;
    let kind = params.one_of("type", &["one_time", "recurring"])?;
    let lookup_keys = params.texts("lookup_keys")?;
    params.finish()?;
    if lookup_keys.len() > 10 {
        return Err(ApiError::malformed("You can specify up to 10 lookup_keys.").param("lookup_keys"));
    }
    list(ctx, &ListScope::all(Kind::Price), &page, |price| {
        active.is_none_or(|active| price["active"] == active)
            && currency
                .as_ref()
                .is_none_or(|currency| price["currency"] == **currency)
            && product
                .as_ref()
                .is_none_or(|product| price["product"] == **product)
            && kind.as_ref().is_none_or(|kind| price["type"] == **kind)
            && (lookup_keys.is_empty() || lookup_keys.iter().any(|key| price["lookup_key"] == **key))
    })
}

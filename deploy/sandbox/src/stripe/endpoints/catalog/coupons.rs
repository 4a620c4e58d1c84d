//! Coupons: create, list, delete. No call applies one: `discounts` is rejected.

use serde_json::{Map, Value, json};

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

const UNSIMULATED: [&str; 2] = ["applies_to", "currency_options"];
const NAME_CHARS_MAX: usize = 40;
const AMOUNT_MAX: i64 = 99_999_999;
const MONTHS_MAX: i64 = 1200;
const REDEMPTIONS_MAX: i64 = 1_000_000_000;

/// Stripe requires exactly one of the two.
enum Reduction {
    Percent(f64),
    Amount { amount: i64, currency: String },
}

struct NewCoupon {
    id: Option<String>,
    reduction: Reduction,
    duration: String,
    duration_in_months: Option<i64>,
    max_redemptions: Option<i64>,
    redeem_by: Option<i64>,
    name: Option<String>,
    metadata: Option<Map<String, Value>>,
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&UNSIMULATED)?;
    let new = read(&mut params, ctx.now)?;
    params.finish()?;
    let id = new.id.clone().unwrap_or_else(|| Kind::Coupon.new_id());
    if ctx.state.get(Kind::Coupon, &id).is_some() {
        let error = ApiError::invalid("Coupon already exists.").code("resource_already_exists");
        return Err(error.param("id"));
    }
    ctx.insert(Kind::Coupon, build(&id, new, ctx.now));
    ctx.emit(Kind::Coupon, &id, "coupon.created");
    Ok(ctx.public_json(Kind::Coupon, &id))
}

fn read(params: &mut Params, now: i64) -> Result<NewCoupon, ApiError> {
    let reduction = read_reduction(params)?;
    let duration = params
        .one_of("duration", &["forever", "once", "repeating"])?
        .unwrap_or_else(|| "once".to_owned());
    let duration_in_months = params.integer_within("duration_in_months", 1..=MONTHS_MAX)?;
    match (duration.as_str(), duration_in_months) {
        ("repeating", None) => return Err(ApiError::missing_parameter("duration_in_months")),
        ("repeating", Some(_)) | (_, None) => {}
        (_, Some(_)) => {
            let complaint = "duration_in_months can only be set when duration is repeating.";
            return Err(params.invalid("duration_in_months", complaint));
        }
    }
    let redeem_by = params.integer("redeem_by")?;
    if redeem_by.is_some_and(|until| until <= now) {
        return Err(params.invalid("redeem_by", "redeem_by must be in the future."));
    }
    Ok(NewCoupon {
        id: params.text("id")?,
        reduction,
        duration,
        duration_in_months,
        max_redemptions: params.integer_within("max_redemptions", 1..=REDEMPTIONS_MAX)?,
        redeem_by,
        name: read_name(params)?.flatten(),
        metadata: params.metadata()?,
    })
}

fn read_reduction(params: &mut Params) -> Result<Reduction, ApiError> {
    let percent = params.text("percent_off")?;
    let amount = params.integer_within("amount_off", 1..=AMOUNT_MAX)?;
    let currency = params.text("currency")?;
    match (percent, amount) {
        (Some(percent), None) => match percent.parse::<f64>() {
            Ok(share) if share > 0.0 && share <= 100.0 => Ok(Reduction::Percent(share)),
            _ => {
                let complaint = "percent_off must be greater than 0 and at most 100.";
                Err(params.invalid("percent_off", complaint))
            }
        },
        (None, Some(amount)) => {
            let currency = currency.ok_or_else(|| ApiError::missing_parameter("currency"))?;
            let currency = currency.to_lowercase();
            Ok(Reduction::Amount { amount, currency })
        }
        (Some(_), Some(_)) => Err(ApiError::malformed(
            "You may only specify one of these parameters: amount_off, percent_off.",
        )),
        (None, None) => Err(ApiError::missing_parameter("percent_off")),
    }
}

/// The inner value is `None` if an update clears the name.
#[expect(clippy::option_option, reason = "absent, cleared or set")]
fn read_name(params: &mut Params) -> Result<Option<Option<String>>, ApiError> {
    let name = params.clearable("name")?;
    let length = name.iter().flatten().map(|name| name.chars().count()).max();
    if length.is_some_and(|length| length > NAME_CHARS_MAX) {
        let complaint = format!("Invalid string: name must be at most {NAME_CHARS_MAX} characters.");
        return Err(params.invalid("name", &complaint));
    }
    Ok(name)
}

fn build(id: &str, new: NewCoupon, now: i64) -> Value {
    let (percent_off, amount_off, currency) = match new.reduction {
        Reduction::Percent(share) => (Some(share), None, None),
        Reduction::Amount { amount, currency } => (None, Some(amount), Some(currency)),
    };
    let mut coupon = json!({
        "id": id,
        "object": "coupon",
        "amount_off": amount_off,
        "created": now,
        "currency": currency,
        "duration": new.duration,
        "duration_in_months": new.duration_in_months,
        "livemode": false,
        "max_redemptions": new.max_redemptions,
        "metadata": {},
        "name": new.name,
        "percent_off": percent_off,
        "redeem_by": new.redeem_by,
        "times_redeemed": 0,
        "valid": true,
    });
    merge_metadata(&mut coupon["metadata"], new.metadata);
    coupon
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    expire(ctx);
    ctx.find(Kind::Coupon, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Coupon, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.refuse(&UNSIMULATED)?;
    let name = read_name(&mut params)?;
    let metadata = params.metadata()?;
    params.finish()?;
    expire(ctx);
    ctx.find(Kind::Coupon, id, Named::Url)?;
    ctx.change_and_emit(Kind::Coupon, id, "coupon.updated", |coupon| {
        if let Some(name) = name {
            coupon["name"] = json!(name);
        }
        merge_metadata(&mut coupon["metadata"], metadata);
    });
    Ok(ctx.public_json(Kind::Coupon, id))
}

pub fn delete(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Coupon, id, Named::Url)?;
    ctx.emit(Kind::Coupon, id, "coupon.deleted");
    ctx.state.remove(Kind::Coupon, id);
    Ok(json!({ "id": id, "object": "coupon", "deleted": true }))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    params.finish()?;
    expire(ctx);
    list(ctx, &ListScope::all(Kind::Coupon), &page, |_| true)
}

/// A coupon past `redeem_by` is no longer valid. Stripe sends no event for it.
fn expire(ctx: &mut Context<'_>) {
    let now = ctx.now;
    let is_over = |coupon: &&Value| {
        coupon["valid"] == true && coupon["redeem_by"].as_i64().is_some_and(|until| until <= now)
    };
    let coupons = ctx.state.newest_first(Kind::Coupon, None).filter(is_over);
    let expired: Vec<String> = coupons.map(|coupon| id_of(coupon).to_owned()).collect();
    for id in expired {
        ctx.change(Kind::Coupon, &id, |coupon| coupon["valid"] = json!(false));
    }
}

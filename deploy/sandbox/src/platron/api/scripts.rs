//! Platron's scripts.

use kit::money::Currency;

use crate::{
    engine::{ids::random, money},
    platron::{
        error::{ApiResult, CANCELLED, Failure},
        merchant_calls::{self, outcome, owned},
        payment::{Attempt, Payment, Status, timestamp},
        payment_lifecycle,
        provider::Context,
        signature::Fields,
    },
};

const LIFETIME_SECS: i64 = 24 * 3600;
const RECURRING_MONTHS_MAX: u32 = 156;

/// A form with a valid signature.
pub struct Form<'a>(pub &'a [(String, String)]);

impl<'a> Form<'a> {
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let field = self
            .0
            .iter()
            .find(|(known, value)| known == name && !value.is_empty());
        field.map(|(_, value)| value.as_str())
    }

    fn required(&self, name: &str) -> Result<&'a str, Failure> {
        self.get(name).ok_or_else(|| Failure::parameter(name))
    }

    fn address(&self, name: &str) -> Result<Option<String>, Failure> {
        match self.get(name) {
            Some(text) if url::Url::parse(text).is_err() => Err(Failure::parameter(name)),
            given => Ok(given.map(ToOwned::to_owned)),
        }
    }

    /// The merchant's own parameters.
    fn merchant_params(&self) -> Fields {
        let own = self.0.iter().filter(|(name, _)| !name.starts_with("pg_"));
        own.cloned().collect()
    }
}

pub fn init_payment(ctx: &mut Context<'_>, form: &Form<'_>) -> ApiResult {
    let payment = new_payment(ctx, form)?;
    let lifetime = match form.get("pg_lifetime") {
        None => LIFETIME_SECS,
        Some(text) => text.parse().map_err(|_| Failure::parameter("pg_lifetime"))?,
    };
    let (id, customer) = (payment.id.clone(), payment.customer.clone());
    ctx.state.payments.put(&id, payment);
    ctx.set_timer(&id, Some(ctx.now + lifetime));
    Ok(owned([
        ("pg_status", "ok".into()),
        ("pg_payment_id", id),
        (
            "pg_redirect_url",
            format!("{}/payment_params.php?customer={customer}", ctx.provider.url),
        ),
        ("pg_redirect_url_type", "need data".into()),
    ]))
}

fn new_payment(ctx: &mut Context<'_>, form: &Form<'_>) -> Result<Payment, Failure> {
    let (minor, currency) = sum(form)?;
    let description = form.required("pg_description")?.to_owned();
    if form
        .get("pg_request_method")
        .is_some_and(|method| method != "POST")
    {
        return Err(Failure::parameter("pg_request_method"));
    }
    let settings = &ctx.provider.settings;
    let addresses = [
        form.address("pg_check_url")?
            .or_else(|| settings.check_url.clone()),
        form.address("pg_result_url")?
            .or_else(|| settings.result_url.clone()),
        form.address("pg_refund_url")?,
        form.address("pg_success_url")?,
        form.address("pg_failure_url")?,
        form.address("pg_site_url")?,
    ];
    let [
        check_url,
        result_url,
        refund_url,
        success_url,
        failure_url,
        site_url,
    ] = addresses;
    Ok(Payment {
        recurring_months: recurring_months(form)?,
        id: ctx.state.new_id(),
        customer: random(32).to_lowercase(),
        order: form.get("pg_order_id").map(ToOwned::to_owned),
        status: Status::Partial,
        minor,
        refunded: 0,
        currency,
        description,
        check_url,
        result_url,
        refund_url,
        success_url,
        failure_url,
        site_url,
        merchant_params: form.merchant_params(),
        email: form.get("pg_user_contact_email").map(ToOwned::to_owned),
        phone: form.get("pg_user_phone").map(ToOwned::to_owned),
        profile: None,
        attempt: None,
        failure: None,
        merchant_message: None,
        created: ctx.now,
        ended: None,
        revoked: None,
        is_result_delivered: false,
    })
}

fn sum(form: &Form<'_>) -> Result<(i64, String), Failure> {
    let code = form.get("pg_currency").unwrap_or("RUB");
    let code = if code == "RUR" { "RUB" } else { code };
    let currency = Currency::parse(code).map_err(|_| Failure::parameter("pg_currency"))?;
    let amount = money::parse(form.required("pg_amount")?, currency).filter(|amount| amount.minor > 0);
    let amount = amount.ok_or_else(|| Failure::parameter("pg_amount"))?;
    Ok((amount.minor, code.to_owned()))
}

fn recurring_months(form: &Form<'_>) -> Result<Option<u32>, Failure> {
    if form.get("pg_recurring_start") != Some("1") {
        return Ok(None);
    }
    let months = form.required("pg_recurring_lifetime")?.parse().ok();
    let months = months.filter(|months| (1..=RECURRING_MONTHS_MAX).contains(months));
    months
        .ok_or_else(|| Failure::parameter("pg_recurring_lifetime"))
        .map(Some)
}

/// By the payment's id, else the order's latest payment.
fn find(ctx: &Context<'_>, form: &Form<'_>) -> Result<String, Failure> {
    if let Some(id) = form.get("pg_payment_id") {
        let payment = ctx.state.payments.get(id).ok_or_else(Failure::no_transaction)?;
        return Ok(payment.id.clone());
    }
    let order = form
        .required("pg_order_id")
        .map_err(|_| Failure::parameter("pg_payment_id"))?;
    let mut payments = ctx.state.payments.newest_first();
    let last = payments.find(|payment| payment.order.as_deref() == Some(order));
    last.map(|payment| payment.id.clone())
        .ok_or_else(Failure::no_transaction)
}

pub fn get_status(ctx: &mut Context<'_>, form: &Form<'_>) -> ApiResult {
    let id = find(ctx, form)?;
    let payment = ctx.state.payments.get(&id).ok_or_else(Failure::no_transaction)?;
    let mut fields = owned([
        ("pg_status", "ok".into()),
        ("pg_payment_id", payment.id.clone()),
        ("pg_amount", payment.amount(payment.minor)),
        ("pg_currency", payment.currency.clone()),
        ("pg_transaction_status", payment.status.name().into()),
        ("pg_create_date", timestamp(payment.created)),
        ("pg_payment_system", "TESTCARD".into()),
    ]);
    fields.extend(
        payment
            .order
            .clone()
            .map(|order| ("pg_order_id".to_owned(), order)),
    );
    fields.extend(
        payment
            .ended
            .map(|at| ("pg_result_date".to_owned(), timestamp(at))),
    );
    fields.extend(
        payment
            .revoked
            .map(|at| ("pg_revoke_date".to_owned(), timestamp(at))),
    );
    if payment.refunded > 0 {
        fields.push(("pg_refund_amount".into(), payment.amount(payment.refunded)));
    }
    if payment.is_final() {
        fields.extend(outcome(ctx, payment));
    }
    Ok(fields)
}

/// Refunds an amount, by default the rest of the payment.
pub fn revoke(ctx: &mut Context<'_>, form: &Form<'_>) -> ApiResult {
    let id = form.required("pg_payment_id")?;
    let now = ctx.now;
    let payment = ctx
        .state
        .payments
        .get_mut(id)
        .ok_or_else(Failure::no_transaction)?;
    let refundable = payment.minor - payment.refunded;
    if payment.status != Status::Ok || refundable == 0 {
        return Err(Failure::cannot_cancel());
    }
    let currency = Currency::parse(&payment.currency).map_err(|_| Failure::internal())?;
    let minor = match form.get("pg_refund_amount") {
        None => refundable,
        Some(text) => match money::parse(text, currency).map(|amount| amount.minor) {
            Some(0) => refundable,
            Some(minor) if minor <= refundable => minor,
            _ => return Err(Failure::parameter("pg_refund_amount")),
        },
    };
    payment.refunded += minor;
    payment.revoked = Some(now);
    if payment.refunded == payment.minor {
        payment.status = Status::Revoked;
    }
    merchant_calls::refund(ctx, id, minor);
    Ok(owned([("pg_status", "ok".into())]))
}

/// Cancels a payment that the buyer has not started.
pub fn cancel(ctx: &mut Context<'_>, form: &Form<'_>) -> ApiResult {
    let id = form.required("pg_payment_id")?;
    let payment = ctx.state.payments.get(id).ok_or_else(Failure::no_transaction)?;
    if payment.status != Status::Partial {
        return Err(Failure::cannot_cancel());
    }
    payment_lifecycle::end(ctx, id, Some(CANCELLED));
    Ok(owned([("pg_status", "ok".into())]))
}

pub fn make_recurring_payment(ctx: &mut Context<'_>, form: &Form<'_>) -> ApiResult {
    let profile = ctx.state.profiles.get(form.required("pg_recurring_profile")?);
    let profile = profile
        .ok_or_else(|| Failure::parameter("pg_recurring_profile"))?
        .clone();
    if profile.expires <= ctx.now {
        return Err(Failure::profile_expired());
    }
    let first = ctx
        .state
        .payments
        .get(&profile.payment)
        .ok_or_else(Failure::no_transaction)?;
    let mut given: Fields = form.0.to_vec();
    for (name, value) in [
        ("pg_amount", first.amount(first.minor)),
        ("pg_currency", first.currency.clone()),
        ("pg_description", first.description.clone()),
    ] {
        if form.get(name).is_none() {
            given.push((name.to_owned(), value));
        }
    }
    let mut payment = new_payment(ctx, &Form(&given))?;
    // No buyer is present: the order is not checked, and no new profile starts.
    payment.check_url = None;
    payment.recurring_months = None;
    payment.profile = Some(profile.id.clone());
    let (id, amount, currency) = (
        payment.id.clone(),
        payment.amount(payment.minor),
        payment.currency.clone(),
    );
    ctx.state.payments.put(&id, payment);
    let attempt = Attempt {
        failure: profile.decline,
        after_secs: 0,
    };
    payment_lifecycle::start(ctx, &id, attempt);
    Ok(owned([
        ("pg_status", "ok".into()),
        ("pg_payment_id", id),
        ("pg_amount", amount),
        ("pg_currency", currency),
        ("pg_recurring_profile_id", profile.id.clone()),
        ("pg_recurring_profile_expiry_date", timestamp(profile.expires)),
    ]))
}

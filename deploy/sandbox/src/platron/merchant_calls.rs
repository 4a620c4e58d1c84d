//! Calls to the merchant: check (may this order be paid), result, refund.

use serde::{Deserialize, Serialize};

use super::{
    error::reason,
    payment::{Payment, Status, timestamp},
    provider::Context,
    signature::{self, Fields, script_of},
};
use crate::engine::ids::random;

const CALLS_MAX: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Check,
    Result,
    Refund,
}

impl Kind {
    const fn event(self) -> &'static str {
        match self {
            Self::Check => "platron.check",
            Self::Result => "platron.result",
            Self::Refund => "platron.refund",
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct MerchantCall {
    pub kind: Kind,
    pub payment: String,
    pub url: String,
    pub fields: Fields,
}

/// Returns whether the payment has a check URL.
pub fn check(ctx: &mut Context<'_>, id: &str) -> bool {
    let Some(payment) = ctx.state.payments.get(id) else {
        return false;
    };
    let Some(url) = payment.check_url.clone() else {
        return false;
    };
    let fields = common(payment);
    send(ctx, Kind::Check, id, url, fields);
    true
}

pub fn result(ctx: &mut Context<'_>, id: &str) {
    let Some(payment) = ctx.state.payments.get(id) else {
        return;
    };
    let Some(url) = payment.result_url.clone() else {
        return;
    };
    let mut fields = common(payment);
    fields.extend(outcome(ctx, payment));
    send(ctx, Kind::Result, id, url, fields);
}

pub fn refund(ctx: &mut Context<'_>, id: &str, minor: i64) {
    let now = ctx.now;
    let refund_id = ctx.state.new_id();
    let Some(payment) = ctx.state.payments.get(id) else {
        return;
    };
    let Some(url) = payment.refund_url.clone() else {
        return;
    };
    let mut fields = common(payment);
    fields.extend(owned([
        ("pg_refund_id", refund_id),
        ("pg_refund_amount", payment.amount(minor)),
        ("pg_refund_date", timestamp(now)),
        ("pg_refund_type", "refund".into()),
        ("pg_refund_system", "TESTCARD".into()),
    ]));
    send(ctx, Kind::Refund, id, url, fields);
}

fn common(payment: &Payment) -> Fields {
    let amount = payment.amount(payment.minor);
    let mut fields = payment.merchant_params.clone();
    fields.extend(
        payment
            .order
            .clone()
            .map(|order| ("pg_order_id".to_owned(), order)),
    );
    fields.extend(owned([
        ("pg_payment_id", payment.id.clone()),
        ("pg_amount", amount.clone()),
        ("pg_currency", payment.currency.clone()),
        ("pg_ps_amount", amount.clone()),
        ("pg_ps_full_amount", amount),
        ("pg_ps_currency", payment.currency.clone()),
        ("pg_payment_system", "TESTCARD".into()),
    ]));
    fields
}

/// The outcome fields of results, statuses and return URLs.
pub fn outcome(ctx: &Context<'_>, payment: &Payment) -> Fields {
    let is_paid = payment.status == Status::Ok;
    let mut fields = owned([
        ("pg_result", u8::from(is_paid).to_string()),
        (
            "pg_payment_date",
            timestamp(payment.ended.unwrap_or(payment.created)),
        ),
        ("pg_can_reject", u8::from(is_paid).to_string()),
        ("pg_testing_mode", "1".into()),
    ]);
    let mut set = |name: &str, value: Option<&String>| {
        fields.extend(value.map(|value| (name.to_owned(), value.clone())));
    };
    set("pg_user_contact_email", payment.email.as_ref());
    set("pg_user_phone", payment.phone.as_ref());
    if is_paid {
        fields.extend(owned([
            ("pg_net_amount", payment.amount(payment.minor)),
            ("pg_captured", "1".into()),
            ("pg_card_brand", "CA".into()),
            ("pg_card_pan", "5285-00XX-XXXX-1234".into()),
            ("pg_auth_code", "014318".into()),
        ]));
    }
    if let Some(code) = payment.failure {
        fields.extend(owned([
            ("pg_failure_code", code.to_string()),
            ("pg_failure_description", reason(code).into()),
        ]));
    }
    let profile = payment.profile.as_ref().and_then(|id| ctx.state.profiles.get(id));
    if let Some(profile) = profile {
        fields.extend(owned([
            ("pg_recurring_profile_id", profile.id.clone()),
            ("pg_recurring_profile_expiry_date", timestamp(profile.expires)),
        ]));
    }
    fields
}

pub fn owned<const N: usize>(fields: [(&str, String); N]) -> Fields {
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn send(ctx: &mut Context<'_>, kind: Kind, payment: &str, url: String, fields: Fields) {
    let id = format!("call_{}", random(14));
    let fields = signature::signed(script_of(&url), fields, &ctx.provider.settings.secret_key);
    let call = MerchantCall {
        kind,
        payment: payment.to_owned(),
        url,
        fields,
    };
    ctx.state.merchant_calls.put_bounded(&id, call, CALLS_MAX);
    ctx.enqueue_webhook(&id, kind.event(), "merchant");
}

//! The calls to the merchant: may somebody pay, how it went, what was paid back; and what the merchant answers.

use serde::{Deserialize, Serialize};

use super::{
    Ctx,
    error::{CANCELLED, reason},
    fate,
    payment::{Payment, Status, moment},
    signature::{self, Fields, script_of},
    xml,
};
use crate::{courier::Answer, ids::random, outbox::Letter};

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
pub struct Call {
    pub kind: Kind,
    pub payment: String,
    pub url: String,
    pub fields: Fields,
}

/// Whether there was anybody to ask.
pub fn check(ctx: &mut Ctx<'_>, id: &str) -> bool {
    let Some(payment) = ctx.books.payments.get(id) else {
        return false;
    };
    let Some(url) = payment.check_url.clone() else {
        return false;
    };
    let fields = common(payment);
    send(ctx, Kind::Check, id, (url, fields));
    true
}

pub fn result(ctx: &mut Ctx<'_>, id: &str) {
    let Some(payment) = ctx.books.payments.get(id) else {
        return;
    };
    let Some(url) = payment.result_url.clone() else {
        return;
    };
    let mut fields = common(payment);
    fields.extend(outcome(ctx, payment));
    send(ctx, Kind::Result, id, (url, fields));
}

pub fn refund(ctx: &mut Ctx<'_>, id: &str, minor: i64) {
    let now = ctx.now;
    let refund_id = ctx.books.new_id();
    let Some(payment) = ctx.books.payments.get(id) else {
        return;
    };
    let Some(url) = payment.refund_url.clone() else {
        return;
    };
    let mut fields = common(payment);
    fields.extend(owned([
        ("pg_refund_id", refund_id),
        ("pg_refund_amount", payment.amount(minor)),
        ("pg_refund_date", moment(now)),
        ("pg_refund_type", "refund".into()),
        ("pg_refund_system", "TESTCARD".into()),
    ]));
    send(ctx, Kind::Refund, id, (url, fields));
}

fn common(payment: &Payment) -> Fields {
    let amount = payment.amount(payment.minor);
    let mut fields = payment.own.clone();
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

/// How a payment went, as results, states and returning buyers are told.
pub fn outcome(ctx: &Ctx<'_>, payment: &Payment) -> Fields {
    let is_paid = payment.status == Status::Ok;
    let mut fields = owned([
        ("pg_result", u8::from(is_paid).to_string()),
        (
            "pg_payment_date",
            moment(payment.ended.unwrap_or(payment.created)),
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
    let profile = payment.profile.as_ref().and_then(|id| ctx.books.profiles.get(id));
    if let Some(profile) = profile {
        fields.extend(owned([
            ("pg_recurring_profile_id", profile.id.clone()),
            ("pg_recurring_profile_expiry_date", moment(profile.expires)),
        ]));
    }
    fields
}

pub fn owned<const N: usize>(fields: [(&str, String); N]) -> Fields {
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn send(ctx: &mut Ctx<'_>, kind: Kind, payment: &str, (url, fields): (String, Fields)) {
    let id = format!("call_{}", random(14));
    let fields = signature::signed(script_of(&url), fields, &ctx.house.settings.secret_key);
    let call = Call {
        kind,
        payment: payment.to_owned(),
        url,
        fields,
    };
    ctx.books.remember(&id, call);
    let letter = Letter {
        event: &id,
        event_type: kind.event(),
        endpoint: "merchant",
        now: ctx.now,
    };
    ctx.books.agenda.outbox.post(&letter, &ctx.house.faults);
}

/// What the merchant says, if it can be believed.
enum Said {
    Ok,
    Rejected(String),
}

/// Whether the call need not be made again.
pub fn heard(ctx: &mut Ctx<'_>, call: &str, answer: Option<&Answer>) -> bool {
    let Some(call) = ctx.books.calls.get(call) else {
        return true;
    };
    let said = answer.and_then(|answer| understood(ctx, script_of(&call.url), answer));
    let (kind, id) = (call.kind, call.payment.clone());
    match kind {
        Kind::Check => {
            checked(ctx, &id, said);
            true
        }
        Kind::Result => {
            let is_taken = said.is_some();
            told(ctx, &id, said);
            is_taken
        }
        Kind::Refund => said.is_some(),
    }
}

fn understood(ctx: &Ctx<'_>, script: &str, answer: &Answer) -> Option<Said> {
    if !answer.is_success() {
        return None;
    }
    let fields = xml::read("response", std::str::from_utf8(&answer.body).ok()?)?;
    if !signature::is_right(script, &fields, &ctx.house.settings.secret_key) {
        return None;
    }
    let text = |name: &str| {
        let field = fields.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.clone())
    };
    match text("pg_status")?.as_str() {
        "ok" => Some(Said::Ok),
        "rejected" => Some(Said::Rejected(text("pg_description").unwrap_or_default())),
        _ => None,
    }
}

/// Without an answer nobody pays now; they may try again.
fn checked(ctx: &mut Ctx<'_>, id: &str, said: Option<Said>) {
    match said {
        Some(Said::Ok) => fate::go_on(ctx, id),
        Some(Said::Rejected(why)) => {
            if let Some(payment) = ctx.books.payments.get_mut(id) {
                payment.objection = Some(why);
            }
            fate::end(ctx, id, Some(CANCELLED));
        }
        None => {
            if let Some(payment) = ctx
                .books
                .payments
                .get_mut(id)
                .filter(|payment| !payment.is_over())
            {
                payment.attempt = None;
                payment.status = Status::Partial;
                payment.objection = Some("The shop did not answer. Try again.".into());
            }
        }
    }
}

/// A merchant that cannot deliver has the money sent back.
fn told(ctx: &mut Ctx<'_>, id: &str, said: Option<Said>) {
    let Some(payment) = ctx.books.payments.get_mut(id) else {
        return;
    };
    payment.is_told = true;
    if let Some(Said::Rejected(why)) = said
        && payment.status == Status::Ok
    {
        payment.objection = Some(why);
        payment.status = Status::Revoked;
        payment.refunded = payment.minor;
        payment.revoked = Some(ctx.now);
    }
}

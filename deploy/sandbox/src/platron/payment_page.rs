//! The payment page: its content, and the buyer's actions on it.

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{
    error::{CANCELLED, reason},
    merchant_calls::outcome,
    payment::{Attempt, Payment, Status},
    payment_lifecycle,
    provider::{Context, Platron},
    signature::{self, Fields, script_of},
};

/// Failures that can be chosen on the page.
const FAILURES: [u32; 4] = [420, 465, 470, 700];

/// A buyer's action on the page.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BuyerAction {
    /// The bank responds after so many virtual seconds.
    Pay {
        after_secs: i64,
    },
    Fail {
        code: u32,
    },
    Cancel,
}

#[derive(Debug, thiserror::Error)]
pub enum PaymentPageError {
    #[error("there is no such payment or recurring profile")]
    NotFound,
    #[error("the payment is not pending")]
    NotPending,
}

impl Platron {
    /// The content of the page, and the return URL once the payment has ended. `id` may be `pg_payment_id` or `customer`.
    pub fn payment_page(&self, id: &str, now: i64) -> Result<Value, PaymentPageError> {
        self.work(now, |ctx| {
            let payment = find(ctx, id)?;
            let failures = FAILURES.map(|code| json!({ "code": code, "about": reason(code) }));
            Ok(json!({
                "amount": payment.amount(payment.minor),
                "currency": payment.currency,
                "description": payment.description,
                "status": payment.status,
                "merchant_message": payment.merchant_message,
                "failures": failures,
                "site": payment.site_url.as_ref().or(payment.failure_url.as_ref()),
                "is_at_bank": payment.status == Status::Pending && payment.attempt.is_some_and(|attempt| attempt.after_secs > 0),
                "is_done": is_done(payment),
                "redirect": return_url(ctx, payment),
            }))
        })
    }

    pub fn act(&self, id: &str, action: BuyerAction, now: i64) -> Result<(), PaymentPageError> {
        self.work(now, |ctx| {
            let payment = find(ctx, id)?;
            if payment.status != Status::Partial {
                return Err(PaymentPageError::NotPending);
            }
            let id = payment.id.clone();
            let (failure, after_secs) = match action {
                BuyerAction::Pay { after_secs } => (None, after_secs),
                BuyerAction::Fail { code } => (Some(code), 0),
                BuyerAction::Cancel => {
                    payment_lifecycle::end(ctx, &id, Some(CANCELLED));
                    return Ok(());
                }
            };
            payment_lifecycle::start(ctx, &id, Attempt { failure, after_secs });
            Ok(())
        })
    }

    /// Sets the result of later payments with a recurring profile; without a code they succeed.
    pub fn set_decline(&self, profile: &str, code: Option<u32>) -> Result<(), PaymentPageError> {
        self.update(|state| {
            let profile = state
                .profiles
                .get_mut(profile)
                .ok_or(PaymentPageError::NotFound)?;
            profile.decline = code;
            Ok(())
        })
    }
}

fn find<'a>(ctx: &'a Context<'_>, id: &str) -> Result<&'a Payment, PaymentPageError> {
    let mut payments = ctx.state.payments.newest_first();
    let found = payments.find(|payment| payment.customer == id || payment.id == id);
    found.ok_or(PaymentPageError::NotFound)
}

/// The payment has ended, and its result call was made or has no URL.
const fn is_done(payment: &Payment) -> bool {
    payment.is_final() && (payment.result_url.is_none() || payment.is_result_delivered)
}

/// The return URL with the signed outcome.
fn return_url(ctx: &Context<'_>, payment: &Payment) -> Option<String> {
    if !is_done(payment) {
        return None;
    }
    let to = match payment.status {
        Status::Ok => payment.success_url.as_ref()?,
        Status::Failed | Status::Revoked | Status::Partial | Status::Pending => {
            payment.failure_url.as_ref()?
        }
    };
    let mut url = Url::parse(to).ok()?;
    let mut fields: Fields = url.query_pairs().into_owned().collect();
    fields.extend(payment.merchant_params.clone());
    fields.extend(
        payment
            .order
            .clone()
            .map(|order| ("pg_order_id".to_owned(), order)),
    );
    fields.push(("pg_payment_id".into(), payment.id.clone()));
    let returned = [
        "pg_captured",
        "pg_card_pan",
        "pg_failure_code",
        "pg_failure_description",
    ];
    let outcome = outcome(ctx, payment).into_iter();
    fields.extend(outcome.filter(|(name, _)| returned.contains(&name.as_str())));
    let signed = signature::signed(script_of(to), fields, &ctx.provider.settings.secret_key);
    url.query_pairs_mut().clear().extend_pairs(signed);
    Some(url.into())
}

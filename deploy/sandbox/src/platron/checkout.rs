//! The page on which somebody pays: what it shows and what happens there.

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{
    Ctx, Platron,
    calls::outcome,
    error::{CANCELLED, reason},
    fate,
    payment::{Attempt, Payment, Status},
    signature::{self, Fields, script_of},
};

/// What can go wrong on the page, beside what somebody cancels.
const REFUSALS: [u32; 4] = [420, 465, 470, 700];

/// What somebody does on the page.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Deed {
    /// The bank answers after so many virtual seconds.
    Pay {
        after_secs: i64,
    },
    Fail {
        code: u32,
    },
    Cancel,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("Platron knows nothing of that")]
    Unknown,
    #[error("the payment waits for nobody any more")]
    Over,
}

impl Platron {
    /// What the page shows, and where it sends the buyer once all is said.
    pub fn waiting(&self, customer: &str, now: i64) -> Result<Value, Refused> {
        self.work(now, |ctx| {
            let payment = find(ctx, customer)?;
            let refusals = REFUSALS.map(|code| json!({ "code": code, "about": reason(code) }));
            Ok(json!({
                "amount": payment.amount(payment.minor),
                "currency": payment.currency,
                "description": payment.description,
                "status": payment.status,
                "objection": payment.objection,
                "refusals": refusals,
                "site": payment.site_url.as_ref().or(payment.failure_url.as_ref()),
                "is_with_bank": payment.status == Status::Pending && payment.attempt.is_some_and(|attempt| attempt.after_secs > 0),
                "is_done": is_done(payment),
                "redirect": redirect(ctx, payment),
            }))
        })
    }

    pub fn act(&self, customer: &str, deed: Deed, now: i64) -> Result<(), Refused> {
        self.work(now, |ctx| {
            let payment = find(ctx, customer)?;
            if payment.status != Status::Partial {
                return Err(Refused::Over);
            }
            let id = payment.id.clone();
            let (refusal, after_secs) = match deed {
                Deed::Pay { after_secs } => (None, after_secs),
                Deed::Fail { code } => (Some(code), 0),
                Deed::Cancel => {
                    fate::end(ctx, &id, Some(CANCELLED));
                    return Ok(());
                }
            };
            fate::begin(ctx, &id, Attempt { refusal, after_secs });
            Ok(())
        })
    }

    /// What becomes of further payments with a recurring profile; without a code they succeed.
    pub fn set_refusal(&self, profile: &str, code: Option<u32>) -> Result<(), Refused> {
        let mut books = self.books();
        books.profiles.get_mut(profile).ok_or(Refused::Unknown)?.refusal = code;
        books.agenda.touch();
        Ok(())
    }
}

fn find<'a>(ctx: &'a Ctx<'_>, customer: &str) -> Result<&'a Payment, Refused> {
    let mut payments = ctx.books.payments.newest_first();
    let asked = payments.find(|payment| payment.customer == customer || payment.id == customer);
    asked.ok_or(Refused::Unknown)
}

/// Once the merchant has been told, or could not be.
const fn is_done(payment: &Payment) -> bool {
    payment.is_over() && (payment.result_url.is_none() || payment.is_told)
}

/// With what the merchant was told, signed.
fn redirect(ctx: &Ctx<'_>, payment: &Payment) -> Option<String> {
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
    fields.extend(payment.own.clone());
    fields.extend(
        payment
            .order
            .clone()
            .map(|order| ("pg_order_id".to_owned(), order)),
    );
    fields.push(("pg_payment_id".into(), payment.id.clone()));
    let told = [
        "pg_captured",
        "pg_card_pan",
        "pg_failure_code",
        "pg_failure_description",
    ];
    let outcome = outcome(ctx, payment).into_iter();
    fields.extend(outcome.filter(|(name, _)| told.contains(&name.as_str())));
    let signed = signature::signed(script_of(to), fields, &ctx.house.settings.secret_key);
    url.query_pairs_mut().clear().extend_pairs(signed);
    Some(url.into())
}

//! The page on which somebody pays: what it shows and what happens there.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Ctx, Yookassa, cards, fate,
    payment::{Cancellation, Confirmation, Method, Payment, Status},
};
use crate::ids::uuid;

/// What somebody does on the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Deed {
    Pay(Card),
    GiveUp,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub number: String,
    #[serde(default = "december")]
    pub month: String,
    #[serde(default = "far_year")]
    pub year: String,
    /// What the buyer told their bank, once it has asked.
    #[serde(default)]
    pub secure: Option<Secure>,
    /// The bank takes its time: so many virtual seconds.
    #[serde(default)]
    pub after_secs: i64,
}

impl Card {
    pub fn number(number: &str) -> Self {
        Self {
            number: number.to_owned(),
            month: december(),
            year: far_year(),
            secure: None,
            after_secs: 0,
        }
    }
}

fn december() -> String {
    "12".into()
}

fn far_year() -> String {
    "2034".into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Secure {
    Confirmed,
    Denied,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    Paid,
    /// The bank will answer later.
    Pending,
    /// The bank wants to know whose card it is.
    AskedByBank,
    /// Not with this card; in the widget another may be tried.
    Refused {
        reason: String,
    },
    /// Not at all.
    Failed,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("YooKassa knows no such payment")]
    Unknown,
    #[error("the payment waits for nobody any more")]
    Over,
    #[error("that is no test card of YooKassa")]
    NoCard,
}

impl Yookassa {
    /// What the page shows. It is asked for by a payment's id or its confirmation token.
    pub fn waiting(&self, asked: &str, now: i64) -> Result<Value, Refused> {
        self.work(now, |ctx| {
            let payment = find(ctx, asked)?;
            let return_url = match &payment.confirmation {
                Confirmation::Redirect { return_url } => Some(return_url.clone()),
                Confirmation::Embedded { .. } | Confirmation::None => None,
            };
            Ok(json!({
                "amount": payment.money(payment.minor),
                "description": payment.description,
                "status": payment.status,
                "return_url": return_url,
            }))
        })
    }

    pub fn act(&self, asked: &str, deed: &Deed, now: i64) -> Result<Outcome, Refused> {
        self.work(now, |ctx| {
            let payment = find(ctx, asked)?;
            if payment.status != Status::Pending || payment.method.is_some() {
                return Err(Refused::Over);
            }
            let id = payment.id.clone();
            match deed {
                Deed::Pay(card) => pay(ctx, &id, card),
                Deed::GiveUp => {
                    fate::expire(ctx, &id);
                    Ok(Outcome::Failed)
                }
            }
        })
    }

    /// What becomes of further payments with a saved card; without a reason they succeed.
    pub fn set_refusal(&self, method: &str, reason: Option<&str>) -> Result<(), Refused> {
        let mut books = self.books();
        let method = books.methods.get_mut(method).ok_or(Refused::Unknown)?;
        method.refusal = reason.map(Cancellation::of_bank);
        books.agenda.touch();
        Ok(())
    }
}

fn find<'a>(ctx: &'a Ctx<'_>, asked: &str) -> Result<&'a Payment, Refused> {
    let is_meant = |payment: &&Payment| match &payment.confirmation {
        Confirmation::Embedded { token } => token == asked,
        Confirmation::Redirect { .. } | Confirmation::None => false,
    };
    let by_id = ctx.books.payments.get(asked);
    by_id
        .or_else(|| ctx.books.payments.newest_first().find(is_meant))
        .ok_or(Refused::Unknown)
}

fn pay(ctx: &mut Ctx<'_>, id: &str, card: &Card) -> Result<Outcome, Refused> {
    let known = cards::find(&card.number).ok_or(Refused::NoCard)?;
    let refusal = match (&known.refusal, card.secure) {
        (Some(refusal), _) => Some(refusal.clone()),
        (None, None) if known.is_secure => return Ok(Outcome::AskedByBank),
        (None, Some(Secure::Denied)) => Some(Cancellation::of_network("3d_secure_failed")),
        (None, _) => None,
    };
    match refusal {
        None => Ok(accept(ctx, id, card, known.number)),
        Some(refusal) => Ok(refuse(ctx, id, refusal)),
    }
}

fn accept(ctx: &mut Ctx<'_>, id: &str, card: &Card, number: &str) -> Outcome {
    if let Some(payment) = ctx.books.payments.get_mut(id) {
        payment.method = Some(Method {
            id: uuid(),
            number: number.to_owned(),
            month: card.month.clone(),
            year: card.year.clone(),
            is_saved: false,
            refusal: None,
        });
    }
    if card.after_secs > 0 {
        ctx.books.agenda.wakes.set(id, Some(ctx.now + card.after_secs));
        return Outcome::Pending;
    }
    fate::authorise(ctx, id);
    Outcome::Paid
}

/// In the widget another card may be tried; whoever was sent to the page comes back with nothing.
fn refuse(ctx: &mut Ctx<'_>, id: &str, refusal: Cancellation) -> Outcome {
    let reason = refusal.reason.to_string();
    let Some(payment) = ctx.books.payments.get_mut(id) else {
        return Outcome::Failed;
    };
    if matches!(payment.confirmation, Confirmation::Embedded { .. }) {
        payment.last_refusal = Some(refusal);
    } else {
        fate::cancel(ctx, id, refusal);
    }
    Outcome::Refused { reason }
}

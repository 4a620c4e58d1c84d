//! The payment page: its content, and the buyer's actions on it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    cards,
    payment::{Cancellation, Confirmation, Payment, PaymentMethod, Status},
    payment_lifecycle,
    provider::{Context, Yookassa},
};
use crate::engine::ids::uuid;

/// A buyer's action on the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BuyerAction {
    Pay(Card),
    Abandon,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub number: String,
    #[serde(default = "december")]
    pub month: String,
    #[serde(default = "far_year")]
    pub year: String,
    /// The result of 3-D Secure, once the bank has required it.
    #[serde(default)]
    pub three_d_secure: Option<ThreeDSecure>,
    /// The bank responds after so many virtual seconds.
    #[serde(default)]
    pub after_secs: i64,
}

impl Card {
    pub fn number(number: &str) -> Self {
        Self {
            number: number.to_owned(),
            month: december(),
            year: far_year(),
            three_d_secure: None,
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
pub enum ThreeDSecure {
    Confirmed,
    Denied,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    Paid,
    /// The bank responds later.
    Pending,
    /// The bank requires 3-D Secure.
    RequiresAuthentication,
    /// The card is declined; the widget accepts another card.
    Declined {
        reason: String,
    },
    /// The payment is canceled.
    Failed,
}

#[derive(Debug, thiserror::Error)]
pub enum PaymentPageError {
    #[error("there is no such payment or payment method")]
    NotFound,
    #[error("the payment is not pending")]
    NotPending,
    #[error("this number is not a test card of YooKassa")]
    UnknownCard,
}

impl Yookassa {
    /// The content of the page, by the payment's id or its confirmation token.
    pub fn payment_page(&self, id: &str, now: i64) -> Result<Value, PaymentPageError> {
        self.work(now, |ctx| {
            let payment = find(ctx, id)?;
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

    pub fn act(&self, id: &str, action: &BuyerAction, now: i64) -> Result<Outcome, PaymentPageError> {
        self.work(now, |ctx| {
            let payment = find(ctx, id)?;
            if payment.status != Status::Pending || payment.method.is_some() {
                return Err(PaymentPageError::NotPending);
            }
            let id = payment.id.clone();
            match action {
                BuyerAction::Pay(card) => pay(ctx, &id, card),
                BuyerAction::Abandon => {
                    payment_lifecycle::expire(ctx, &id);
                    Ok(Outcome::Failed)
                }
            }
        })
    }

    /// Sets the result of later payments with a saved card; without a reason they succeed.
    pub fn set_decline(&self, method: &str, reason: Option<&str>) -> Result<(), PaymentPageError> {
        self.update(|state| {
            let method = state.methods.get_mut(method).ok_or(PaymentPageError::NotFound)?;
            method.decline = reason.map(Cancellation::by_bank);
            Ok(())
        })
    }
}

fn find<'a>(ctx: &'a Context<'_>, id_or_token: &str) -> Result<&'a Payment, PaymentPageError> {
    let has_token = |payment: &&Payment| match &payment.confirmation {
        Confirmation::Embedded { token } => token == id_or_token,
        Confirmation::Redirect { .. } | Confirmation::None => false,
    };
    let by_id = ctx.state.payments.get(id_or_token);
    by_id
        .or_else(|| ctx.state.payments.newest_first().find(has_token))
        .ok_or(PaymentPageError::NotFound)
}

fn pay(ctx: &mut Context<'_>, id: &str, card: &Card) -> Result<Outcome, PaymentPageError> {
    let known = cards::find(&card.number).ok_or(PaymentPageError::UnknownCard)?;
    let decline = match (&known.decline, card.three_d_secure) {
        (Some(decline), _) => Some(decline.clone()),
        (None, None) if known.requires_three_d_secure => return Ok(Outcome::RequiresAuthentication),
        (None, Some(ThreeDSecure::Denied)) => Some(Cancellation::by_network("3d_secure_failed")),
        (None, _) => None,
    };
    match decline {
        None => Ok(accept(ctx, id, card, known.number)),
        Some(decline) => Ok(reject_card(ctx, id, decline)),
    }
}

fn accept(ctx: &mut Context<'_>, id: &str, card: &Card, number: &str) -> Outcome {
    if let Some(payment) = ctx.state.payments.get_mut(id) {
        payment.method = Some(PaymentMethod {
            id: uuid(),
            number: number.to_owned(),
            month: card.month.clone(),
            year: card.year.clone(),
            is_saved: false,
            decline: None,
        });
    }
    if card.after_secs > 0 {
        ctx.set_timer(id, Some(ctx.now + card.after_secs));
        return Outcome::Pending;
    }
    payment_lifecycle::authorise(ctx, id);
    Outcome::Paid
}

/// The widget accepts another card; on a redirect page the payment is canceled.
fn reject_card(ctx: &mut Context<'_>, id: &str, decline: Cancellation) -> Outcome {
    let reason = decline.reason.to_string();
    let Some(payment) = ctx.state.payments.get_mut(id) else {
        return Outcome::Failed;
    };
    if matches!(payment.confirmation, Confirmation::Embedded { .. }) {
        payment.last_decline = Some(decline);
    } else {
        payment_lifecycle::cancel(ctx, id, decline);
    }
    Outcome::Declined { reason }
}

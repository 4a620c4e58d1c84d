//! Asks a provider for one charge that is written down, or what became of it, and takes that in.

use chrono::TimeDelta;

use super::Checkout;
use super::bill_subscription::{Known, lock, read};
use crate::domain::billing::{self, Charge, Try, TryState};
use crate::domain::ids::OrderId;
use crate::domain::payment::Decline;
use crate::error::Result;
use crate::ports::{NewCharge, ProviderError, RecurringProvider, SeenCharge};
use crate::store::charges;
use crate::store::purchases::{self, Which};

/// A call that was sent and never answered has arrived by then, or never does.
const ARRIVES_WITHIN: TimeDelta = TimeDelta::minutes(10);
/// How long after it was written down it may be sent for the first time.
const SENT_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// A try whose outcome is not known.
pub(super) struct InTheAir {
    pub charge: Charge,
    pub asked: Try,
    /// Written down a moment ago, by whoever holds this: nobody has asked for it yet.
    pub is_new: bool,
}

/// `false`: nobody knows yet.
pub(super) async fn find_out(checkout: &Checkout, order_id: OrderId, in_the_air: &InTheAir) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    let known = read(&mut connection, purchase).await?;
    drop(connection);
    let port = checkout.providers.recurring(known.purchase.payment.provider)?;
    let InTheAir { charge, asked, .. } = in_the_air;
    let is_wanted = billing::may_charge(&known.billing, &known.life, checkout.clock.now());
    if in_the_air.is_new && !is_wanted {
        // Nobody has asked for it, and nobody will.
        take_in(checkout, order_id, charge, &asked.key, (None, &TryState::Closed)).await?;
        return Ok(true);
    }
    let seen = match &asked.provider_payment_id {
        Some(id) => Some(port.fetch_charge(id).await?),
        None => ask(checkout, port, &known, in_the_air).await?,
    };
    let now = checkout.clock.now();
    let (provider_payment_id, state) = match seen {
        Some(seen) => (Some(seen.provider_payment_id), seen.state),
        None if now < asked.asked_at + ARRIVES_WITHIN => return Ok(false),
        None => (None, TryState::Closed),
    };
    let is_known = state != TryState::Pending;
    let heard = (provider_payment_id.as_deref(), &state);
    take_in(checkout, order_id, charge, &asked.key, heard).await?;
    Ok(is_known)
}

/// Asks for what is new, and for what is in the air by a key that still makes it the same charge; of anything else only what
/// became of it. `None`: the provider has not heard of it.
async fn ask(
    checkout: &Checkout,
    port: &dyn RecurringProvider,
    known: &Known,
    in_the_air: &InTheAir,
) -> Result<Option<SeenCharge>> {
    let now = checkout.clock.now();
    let InTheAir {
        charge,
        asked,
        is_new,
    } = in_the_air;
    let is_wanted = billing::may_charge(&known.billing, &known.life, now);
    let is_same = now < asked.asked_at + port.keys_live();
    // Whoever comes late with what they wrote down may find that somebody has given it up.
    let is_first = *is_new && now < asked.asked_at + SENT_WITHIN;
    let may_ask = is_wanted && (is_first || is_same);
    let means = known.billing.means.as_ref().filter(|_| may_ask);
    let Some(means) = means else {
        return Ok(port.find_charge(&asked.key, asked.asked_at).await?);
    };
    let new = NewCharge {
        key: asked.key.clone(),
        means_id: means.means_id.clone(),
        amount: charge.amount,
        description: format!("Stillpoint {}", known.purchase.order.product),
    };
    let answer = port.charge(&new).await;
    count(&answer);
    let refusal = match answer {
        // How it went is asked for at once, where beginning it is all that was told.
        Ok(seen) if seen.state == TryState::Pending => {
            return Ok(Some(
                port.fetch_charge(&seen.provider_payment_id).await.unwrap_or(seen),
            ));
        }
        Ok(seen) => return Ok(Some(seen)),
        Err(ProviderError::Declined(decline)) => decline,
        Err(ProviderError::Rejected { code, detail }) => Decline {
            code,
            message: detail,
        },
        Err(ProviderError::NotFound) => Decline {
            code: "not_found".to_owned(),
            message: String::new(),
        },
        Err(error) => return Err(error.into()),
    };
    tracing::warn!(order.id = %known.purchase.order.order_id, code = refusal.code, "A renewal was refused outright");
    // Asked for before, the first call may have done what this one was refused.
    if !is_new && let Some(seen) = port.find_charge(&asked.key, asked.asked_at).await? {
        return Ok(Some(seen));
    }
    Ok(Some(SeenCharge {
        provider_payment_id: String::new(),
        state: TryState::Declined(refusal),
    }))
}

fn count(answer: &Result<SeenCharge, ProviderError>) {
    let outcome = match answer {
        Ok(SeenCharge {
            state: TryState::Paid { .. },
            ..
        }) => "paid",
        Ok(SeenCharge {
            state: TryState::Declined(_),
            ..
        })
        | Err(ProviderError::Declined(_)) => "declined",
        Ok(_) => "pending",
        Err(ProviderError::Rejected { .. } | ProviderError::NotFound) => "refused",
        Err(_) => "no_answer",
    };
    metrics::counter!("checkout_charges_total", "outcome" => outcome).increment(1);
}

async fn take_in(
    checkout: &Checkout,
    order_id: OrderId,
    charge: &Charge,
    key: &str,
    (provider_payment_id, state): (Option<&str>, &TryState),
) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let Known { mut billing, .. } = lock(&mut tx, order_id).await?;
    let named = provider_payment_id.filter(|id| !id.is_empty());
    let is_news = charges::save_try(&mut tx, &charge.charge_id, key, named, state).await?;
    if is_news && matches!(state, TryState::Paid { .. }) {
        billing.paid_until = billing.paid_until.max(charge.covers_until);
        charges::save(&mut tx, &billing).await?;
    }
    tx.commit().await?;
    Ok(())
}

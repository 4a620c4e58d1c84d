//! Charges a subscription whose provider waits to be asked: one charge per period, its try written down before the call. Of
//! a lost answer the provider is asked what became of it before anything else is; after a wish, an erasure or an end,
//! nothing is asked for any more.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Checkout;
use super::charge_period::{InTheAir, find_out};
use crate::domain::billing::{self, Billing, Charge, Step, Try, TryState};
use crate::domain::ids::OrderId;
use crate::domain::life::{Errand, Life, Showing};
use crate::domain::page::end_of_period;
use crate::domain::purchase::Purchase;
use crate::domain::wish::{Refusal, Wish};
use crate::error::Result;
use crate::store::purchases::{self, Which};
use crate::store::{StoreError, charges, lives, prices, webhook_events};

/// A charge, what became of it, and what that leads to.
const ROUNDS_MAX: usize = 3;

/// What is known of a subscription's charges at one moment.
pub(super) struct Known {
    pub purchase: Purchase,
    pub billing: Billing,
    pub life: Life,
    pub charges: Vec<Charge>,
}

/// Charges what is due and finds out what is in the air; then everything is as it is shown.
pub async fn bill_subscription(checkout: &Checkout, purchase: &Purchase) -> Result<Showing> {
    begin(checkout, purchase).await?;
    let order_id = purchase.order.order_id;
    for _ in 0..ROUNDS_MAX {
        let Some(in_the_air) = advance(checkout, order_id).await? else {
            break;
        };
        if !find_out(checkout, order_id, &in_the_air).await? {
            break;
        }
    }
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    show(&mut connection, &purchase, checkout.clock.now()).await
}

/// As it is at this moment.
pub async fn show(conn: &mut PgConnection, purchase: &Purchase, now: DateTime<Utc>) -> Result<Showing> {
    let known = read(conn, purchase.clone()).await?;
    Ok(billing::show(
        purchase,
        &known.billing,
        &known.life,
        &known.charges,
        now,
    ))
}

/// What the provider kept of the first payment is asked for once. Without anything kept, it ends with what is paid.
pub async fn begin(checkout: &Checkout, purchase: &Purchase) -> Result<()> {
    let subscription_id = purchase.subscription.subscription_id;
    let provider = purchase.payment.provider;
    let mut connection = checkout.pool.acquire().await?;
    if charges::find(&mut connection, subscription_id).await?.is_some() {
        return Ok(());
    }
    let price = prices::read(&mut connection, purchase.order.price_id).await?;
    let Some(payment_id) = &purchase.payment.provider_subscription_id else {
        return Err(Refusal::NotBegun.into());
    };
    let told = webhook_events::bodies_about(&mut connection, provider, payment_id).await?;
    drop(connection);
    let port = checkout.providers.recurring(provider)?;
    let kept = port.kept(payment_id).await?;
    let means = kept
        .means
        .or_else(|| told.iter().find_map(|body| port.means_told(body)));

    let mut tx = checkout.pool.begin().await?;
    let purchase = purchases::lock(&mut tx, purchase.order.order_id, Which::Current).await?;
    let Some(mut life) = lives::lock(&mut tx, subscription_id).await? else {
        return Err(Refusal::NotBegun.into());
    };
    let period_months = u32::try_from(price.terms.period_months).unwrap_or(1).max(1);
    let state = &purchase.subscription.state;
    let paid_until = state.period_end();
    let paid_until = paid_until.unwrap_or_else(|| end_of_period(kept.paid_at, period_months));
    if means.is_none() {
        life.cancel_at = Some(paid_until);
        lives::save(&mut tx, &life).await?;
    }
    let begun = Billing {
        subscription_id,
        means,
        anchor: kept.paid_at,
        period_months,
        paid_until,
        resumes_at: None,
        ended_at: state.has_ended().then(|| checkout.clock.now()),
    };
    charges::begin(&mut tx, &begun, provider).await?;
    tx.commit().await?;
    Ok(())
}

/// To be called under the order's lock by whoever changes something.
pub(super) async fn read(conn: &mut PgConnection, purchase: Purchase) -> Result<Known> {
    let id = purchase.subscription.subscription_id;
    let missing = |table| StoreError::Inconsistent {
        table,
        column: "subscription_id",
        row: id.to_string(),
    };
    let billing = charges::find(conn, id)
        .await?
        .ok_or_else(|| missing("merchant_schedule"))?;
    let life = lives::find(conn, id)
        .await?
        .ok_or_else(|| missing("billing_state"))?;
    Ok(Known {
        billing,
        life,
        charges: charges::of_subscription(conn, id).await?,
        purchase,
    })
}

pub(super) async fn lock(tx: &mut PgConnection, order_id: OrderId) -> Result<Known> {
    let purchase = purchases::lock(tx, order_id, Which::Current).await?;
    read(tx, purchase).await
}

/// Writes down what is next. What comes back is to be asked for, or asked about.
pub(super) async fn advance(checkout: &Checkout, order_id: OrderId) -> Result<Option<InTheAir>> {
    let now = checkout.clock.now();
    let mut tx = checkout.pool.begin().await?;
    let Known {
        purchase,
        mut billing,
        life,
        charges: known,
    } = lock(&mut tx, order_id).await?;
    let unresolved = known
        .iter()
        .find_map(|charge| charge.unresolved().map(|asked| (charge, asked)));
    if let Some((charge, asked)) = unresolved {
        return Ok(Some(InTheAir {
            charge: charge.clone(),
            asked: asked.clone(),
            is_new: false,
        }));
    }
    if purchase.subscription.state.has_ended() {
        return Ok(None);
    }
    let (charge, asked) = match billing::next(&billing, &life, &known, purchase.order.amount, now) {
        None => return Ok(None),
        Some(Step::Close { charge_id }) => {
            charges::close(&mut tx, &charge_id).await?;
            tx.commit().await?;
            return Ok(None);
        }
        Some(Step::End) => {
            billing.ended_at = Some(now);
            charges::save(&mut tx, &billing).await?;
            tx.commit().await?;
            return Ok(None);
        }
        Some(Step::Open { charge, anchor }) => {
            billing.anchor = anchor;
            charges::save(&mut tx, &billing).await?;
            charges::open(&mut tx, billing.subscription_id, &charge, now).await?;
            let asked = charge.tries.last().cloned();
            (charge, asked)
        }
        Some(Step::Try { charge_id, key }) => {
            let open = known.into_iter().find(|charge| charge.charge_id == charge_id);
            let Some(open) = open else { return Ok(None) };
            (open, Some(Try::asked(key, now)))
        }
    };
    let Some(asked) = asked else { return Ok(None) };
    let is_new = charges::insert_try(&mut tx, &charge.charge_id, &asked).await?;
    tx.commit().await?;
    Ok(Some(InTheAir {
        charge,
        asked,
        is_new,
    }))
}

/// Members decide, and we do it: in the transaction that settles the wish.
pub async fn take_wish(
    tx: &mut PgConnection,
    purchase: &Purchase,
    life: &mut Life,
    wish: &Wish,
    now: DateTime<Utc>,
) -> Result<()> {
    let id = purchase.subscription.subscription_id;
    let Some(mut billing) = charges::find(tx, id).await? else {
        return Err(Refusal::NotBegun.into());
    };
    let known = charges::of_subscription(tx, id).await?;
    billing::take_wish(&mut billing, life, &known, wish, now);
    Ok(charges::save(tx, &billing).await?)
}

/// What cannot be charged again cannot be kept.
pub async fn check_wish(conn: &mut PgConnection, purchase: &Purchase, wish: &Wish) -> Result<()> {
    let billing = charges::find(conn, purchase.subscription.subscription_id).await?;
    let is_over = billing.is_some_and(|billing| billing.means.is_none());
    if is_over && *wish == Wish::Keep {
        return Err(Refusal::NotOffered.into());
    }
    Ok(())
}

/// What the rule of lives wants done, done here.
pub async fn run(checkout: &Checkout, purchase: &Purchase, errand: &Errand) -> Result<Ran> {
    let order_id = purchase.order.order_id;
    match errand {
        // Nobody tries but us.
        Errand::Hold { .. } | Errand::Resume | Errand::LetGo { .. } => Ok(Ran::Done),
        Errand::Pay {
            provider_invoice_id,
            key,
        } => try_again(checkout, order_id, provider_invoice_id, key).await,
        Errand::Close { provider_invoice_id } => {
            let mut connection = checkout.pool.acquire().await?;
            charges::close(&mut connection, provider_invoice_id).await?;
            Ok(Ran::Done)
        }
        Errand::End => {
            let now = checkout.clock.now();
            let mut tx = checkout.pool.begin().await?;
            let mut known = lock(&mut tx, order_id).await?;
            if known.charges.iter().any(|charge| charge.unresolved().is_some()) {
                return Ok(Ran::Later);
            }
            known.billing.ended_at.get_or_insert(now);
            charges::save(&mut tx, &known.billing).await?;
            tx.commit().await?;
            Ok(Ran::Done)
        }
    }
}

/// What an errand came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    Done,
    /// Another try of what is overdue was answered; with a code, it was refused.
    Tried(Option<String>),
    /// Something in the air comes first.
    Later,
}

async fn try_again(checkout: &Checkout, order_id: OrderId, charge_id: &str, key: &str) -> Result<Ran> {
    let now = checkout.clock.now();
    let mut tx = checkout.pool.begin().await?;
    let known = lock(&mut tx, order_id).await?;
    let Some(charge) = known.charges.iter().find(|charge| charge.charge_id == charge_id) else {
        return Ok(Ran::Tried(None));
    };
    if let Some(before) = charge.tries.iter().find(|asked| asked.key == key) {
        // The look before this errand has found out what there is to know.
        return Ok(ran(&before.state));
    }
    if charge.unresolved().is_some() {
        return Ok(Ran::Later);
    }
    if !billing::may_charge(&known.billing, &known.life, now) {
        return Ok(Ran::Tried(None));
    }
    let in_the_air = InTheAir {
        charge: charge.clone(),
        asked: Try::asked(key.to_owned(), now),
        is_new: true,
    };
    charges::insert_try(&mut tx, charge_id, &in_the_air.asked).await?;
    tx.commit().await?;
    if !find_out(checkout, order_id, &in_the_air).await? {
        return Ok(Ran::Later);
    }
    let mut connection = checkout.pool.acquire().await?;
    let subscription_id = known.purchase.subscription.subscription_id;
    let charges = charges::of_subscription(&mut connection, subscription_id).await?;
    let mut tries = charges.iter().flat_map(|charge| &charge.tries);
    Ok(tries
        .find(|asked| asked.key == key)
        .map_or(Ran::Later, |asked| ran(&asked.state)))
}

fn ran(state: &TryState) -> Ran {
    match state {
        TryState::Asked | TryState::Pending => Ran::Later,
        TryState::Declined(decline) => Ran::Tried(Some(decline.code.clone())),
        TryState::Paid { .. } | TryState::Closed => Ran::Tried(None),
    }
}

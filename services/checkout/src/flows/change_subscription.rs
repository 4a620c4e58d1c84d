//! What members want of their subscriptions: written down before the provider is asked, so that a lost answer, a crash or
//! a second click end in one change. Whoever finds an open wish carries it out with its key.

use sqlx::PgConnection;

use super::Checkout;
use super::bill_subscription;
use super::check_card::check_card;
use super::follow_subscription::follow_subscription;
use super::preview_plan::{Planned, planned, provided};
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, SubscriptionId, UserId, WishId};
use crate::domain::life::{Life, NextPlan};
use crate::domain::purchase::Purchase;
use crate::domain::wish::{Next, Refusal, StoredWish, Wish, WishState, check_offered, decide, done};
use crate::error::{Error, Result};
use crate::ports::{Change, LaterPlan, NewCard, NewPlan, ProviderError, Resumption};
use crate::store::purchases::{self, Which};
use crate::store::{customers, lives, prices, subscriptions, wishes};

/// Answers when the wish is done or refused, or is left to the reconciler.
pub async fn change_subscription(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
    wish: Wish,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    drop(connection);
    if let Wish::Plan { .. } = &wish {
        check_shown(checkout, order_id, &wish).await?;
    }
    let Some(wish_id) = write_down(checkout, order_id, wish).await? else {
        return Ok(());
    };

    let carrying_out = follow_subscription(checkout, order_id);
    match tokio::time::timeout(checkout.time_to_answer(), carrying_out).await {
        Ok(Ok(())) => {}
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "A wish is left to the reconciler");
        }
        Ok(Err(error)) => return Err(error),
        Err(_) => {
            tracing::warn!(order.id = %order_id, "The provider takes long over a wish; answering without it");
        }
    }
    let mut connection = checkout.pool.acquire().await?;
    match wishes::read(&mut connection, wish_id).await?.state {
        WishState::Refused { code, .. } => Err(Error::WishRefused { code }),
        WishState::Open | WishState::Done { .. } => Ok(()),
    }
}

/// What was shown must be what is charged, whatever the page says.
async fn check_shown(checkout: &Checkout, order_id: OrderId, wish: &Wish) -> Result<()> {
    let Wish::Plan {
        price_id,
        prorated_at,
        shown,
    } = wish
    else {
        return Ok(());
    };
    let Planned { due_now, .. } = planned(checkout, order_id, *price_id, *prorated_at).await?;
    if due_now == *shown {
        Ok(())
    } else {
        Err(Error::PreviewExpired)
    }
}

/// `None`: it is so already.
async fn write_down(checkout: &Checkout, order_id: OrderId, wish: Wish) -> Result<Option<WishId>> {
    let now = checkout.clock.now();
    let mut tx = checkout.pool.begin().await?;
    let (purchase, mut life) = lock(&mut tx, order_id).await?;
    if let Some(open) = wishes::open(&mut tx, life.subscription_id).await? {
        return if open.wish == wish {
            Ok(Some(open.wish_id))
        } else {
            Err(Error::ChangeInProgress)
        };
    }
    if decide(&wish, &purchase.subscription.state, &life, now)? == Next::Nothing {
        return Ok(None);
    }
    check_offered(purchase.payment.provider, wish.kind())?;
    bill_subscription::check_wish(&mut tx, &purchase, &wish).await?;
    let wish_id = WishId::new(now);
    let stored = StoredWish {
        wish_id,
        subscription_id: life.subscription_id,
        wish,
        idempotency_key: format!("wish-{wish_id}"),
        state: WishState::Open,
        created_at: now,
    };
    wishes::insert(&mut tx, &stored).await?;
    // Should nobody be there any more to carry it out, the reconciler does.
    life.due_at = Some(now + checkout.patience.0);
    life.looks = 0;
    lives::save(&mut tx, &life).await?;
    tx.commit().await?;
    Ok(Some(wish_id))
}

async fn lock(tx: &mut PgConnection, order_id: OrderId) -> Result<(Purchase, Life)> {
    let purchase = purchases::lock(tx, order_id, Which::Current).await?;
    let life = lives::lock(tx, purchase.subscription.subscription_id).await?;
    match life {
        Some(life) => Ok((purchase, life)),
        None => Err(Refusal::NotBegun.into()),
    }
}

/// A subscription as it is before a look at it.
pub struct Looked {
    pub purchase: Purchase,
    /// `None`: it has not begun.
    pub life: Option<Life>,
    pub open: Option<StoredWish>,
}

/// Takes a lease on what is due at once: nobody else looks meanwhile, and news that come until this look is taken in are told
/// from those that it began with.
pub async fn look_at(checkout: &Checkout, order_id: OrderId) -> Result<Looked> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    let subscription_id = purchase.subscription.subscription_id;
    let mut life = lives::find(&mut connection, subscription_id).await?;
    if let Some(life) = life.as_mut().filter(|life| life.is_due_at_once()) {
        let until = checkout.clock.now() + checkout.patience.0;
        let leased = lives::lease(&mut connection, subscription_id, until).await?;
        life.due_at = leased.or(life.due_at);
    }
    Ok(Looked {
        open: wishes::open(&mut connection, subscription_id).await?,
        purchase,
        life,
    })
}

/// Asks the provider for what is wished and not settled, if anything. Any number of times, by whoever comes. What comes back
/// is as it is afterwards.
pub async fn carry_out(checkout: &Checkout, looked: Looked) -> Result<Looked> {
    let Looked { purchase, life, open } = &looked;
    let order_id = purchase.order.order_id;
    let (Some(life), Some(open), Some(provider_subscription_id)) =
        (life, open, &purchase.payment.provider_subscription_id)
    else {
        return Ok(looked);
    };

    let now = checkout.clock.now();
    let asked = ask(checkout, purchase, life, open, provider_subscription_id).await;
    let mut next_plan = None;
    let state = match asked {
        Ok(scheduled) => {
            next_plan = scheduled;
            WishState::Done { at: now }
        }
        Err(Error::Provider(ProviderError::Declined(decline))) => WishState::Refused {
            code: decline.code,
            at: now,
        },
        Err(Error::Provider(ProviderError::Rejected { code, detail })) => {
            tracing::warn!(order.id = %order_id, code, detail, "The provider refused a wish");
            WishState::Refused { code, at: now }
        }
        Err(Error::Provider(ProviderError::NotFound)) => WishState::Refused {
            code: "not_found".to_owned(),
            at: now,
        },
        Err(unsettled) => return Err(unsettled),
    };
    settle(checkout, order_id, open, &state, next_plan).await?;
    look_at(checkout, order_id).await
}

/// What was scheduled by it, if anything.
async fn ask(
    checkout: &Checkout,
    purchase: &Purchase,
    life: &Life,
    open: &StoredWish,
    provider_subscription_id: &str,
) -> Result<Option<NextPlan>> {
    if purchase.payment.provider.waits_to_be_asked() {
        // It is ours to do, when the wish is settled.
        bill_subscription::begin(checkout, purchase).await?;
        return Ok(None);
    }
    let ports = checkout.providers.life_of(purchase.payment.provider);
    let changes = &ports.ok_or(Refusal::NotOffered)?.changes;
    let key = &open.idempotency_key;
    let change = match &open.wish {
        Wish::End => {
            end(checkout, purchase, provider_subscription_id).await?;
            return Ok(None);
        }
        // Nobody pays for what was refused: it ends now.
        Wish::Cancel if life.arrears.is_some() => {
            end(checkout, purchase, provider_subscription_id).await?;
            return Ok(None);
        }
        Wish::Cancel => Change::CancelAtPeriodEnd,
        Wish::Keep => Change::Keep,
        Wish::Card { payment_method_id } => {
            let price = price_of(checkout, purchase, life).await?;
            Change::Card {
                payment_method_id: attach(checkout, (purchase, &price), payment_method_id, key).await?,
            }
        }
        Wish::Pause { until } => Change::Pause { until: *until },
        Wish::Resume if life.pause_told_at.is_some() => Change::Resume(Resumption::Anew),
        Wish::Resume => Change::Resume(Resumption::AsIfNever),
        Wish::Plan {
            price_id,
            prorated_at,
            shown,
        } => {
            let (price, provider_price_id) = provided(checkout, *price_id).await?;
            if shown.minor == 0 {
                let plan = LaterPlan {
                    provider_price_id,
                    period_months: price.terms.period_months,
                };
                let asked = changes.schedule_plan(provider_subscription_id, &plan, key);
                return Ok(Some(NextPlan {
                    price_id: *price_id,
                    starts_at: asked.await?,
                    provider_price_id: plan.provider_price_id,
                }));
            }
            Change::Plan(NewPlan {
                provider_price_id,
                prorated_at: *prorated_at,
            })
        }
        Wish::KeepPlan => Change::KeepPlan,
    };
    changes.change(provider_subscription_id, &change, key).await?;
    Ok(None)
}

/// Of the plan that it runs on.
async fn price_of(checkout: &Checkout, purchase: &Purchase, life: &Life) -> Result<Price> {
    let price_id = life.plan_price_id.unwrap_or(purchase.order.price_id);
    Ok(prices::read(&mut *checkout.pool.acquire().await?, price_id).await?)
}

async fn end(checkout: &Checkout, purchase: &Purchase, provider_subscription_id: &str) -> Result<()> {
    let subscriptions = &checkout.providers.of(purchase.payment.provider)?.subscriptions;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        Ok(_) | Err(ProviderError::NotFound) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn attach(
    checkout: &Checkout,
    (purchase, price): (&Purchase, &Price),
    method: &str,
    key: &str,
) -> Result<String> {
    check_card(checkout, price, method).await?;
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::find(&mut connection, &purchase.order.user_id).await?;
    drop(connection);
    let provider_customer_id = customer.stripe_customer_id.ok_or(ProviderError::NotFound)?;
    let card = NewCard {
        provider_customer_id,
        payment_method_id: method.to_owned(),
        idempotency_key: format!("{key}-card"),
    };
    let attached = checkout.providers.cards.cards.attach_card(&card).await?;
    Ok(attached.payment_method_id)
}

async fn settle(
    checkout: &Checkout,
    order_id: OrderId,
    open: &StoredWish,
    state: &WishState,
    next_plan: Option<NextPlan>,
) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let (purchase, mut life) = lock(&mut tx, order_id).await?;
    if !wishes::settle(&mut tx, open.wish_id, state).await? {
        return Ok(());
    }
    if let WishState::Done { at } = state {
        if purchase.payment.provider.waits_to_be_asked() {
            bill_subscription::take_wish(&mut tx, &purchase, &mut life, &open.wish, *at).await?;
        }
        life = done(life, &open.wish, next_plan, checkout.clock.now());
    }
    // Leased to the look that follows: due at once, the reconciler could take it between this commit and that look.
    life.due_at = Some(checkout.clock.now() + checkout.patience.0);
    life.looks = 0;
    lives::save(&mut tx, &life).await?;
    tx.commit().await?;
    let outcome = match state {
        WishState::Refused { .. } => "refused",
        WishState::Open | WishState::Done { .. } => "done",
    };
    metrics::counter!("checkout_wishes_total", "wish" => open.wish.name(), "outcome" => outcome).increment(1);
    Ok(())
}

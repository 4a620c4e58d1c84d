//! Submits a stored change of a subscription to the provider, under a lease. Any process that finds a pending change submits it with its
//! key.

use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PriceId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::pricing::catalogue::Price;
use crate::domain::subscription::billing_state::{BillingState, NextPlan};
use crate::domain::subscription::subscription_change::{
    ChangeState, Refusal, StoredChange, SubscriptionChange, apply_change,
};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::pricing::check_card::check_card;
use crate::flows::steps::pricing::sync_prices::provider_price_id;
use crate::flows::steps::subscription::bill_subscription;
use crate::ports::{LaterPlan, NewCard, NewPlan, ProviderChange, ProviderError, Resumption};
use crate::store::order::subscription_orders::AttemptSelector;
use crate::store::order::{customers, subscription_orders};
use crate::store::pricing::prices;
use crate::store::subscription::{billing_states, subscription_changes};

pub async fn lock(tx: &mut PgConnection, order_id: OrderId) -> Result<(SubscriptionOrder, BillingState)> {
    let purchase = subscription_orders::lock(tx, order_id, AttemptSelector::Current).await?;
    let billing = billing_states::lock(tx, purchase.subscription.subscription_id).await?;
    match billing {
        Some(billing) => Ok((purchase, billing)),
        None => Err(Refusal::NotActive.into()),
    }
}

/// A subscription loaded under a sync lease.
pub struct LeasedSubscription {
    pub purchase: SubscriptionOrder,
    /// `None`: it is not active yet.
    pub state: Option<BillingState>,
    pub pending_change: Option<StoredChange>,
    /// The number of settled changes. A snapshot fetched before another change was settled does not show that change.
    pub settled_changes: i64,
}

/// Leases a subscription that is due immediately: no other process syncs it meanwhile, and later updates are distinguished
/// from those before the lease.
pub async fn lease_for_sync(checkout: &Checkout, order_id: OrderId) -> Result<LeasedSubscription> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let subscription_id = purchase.subscription.subscription_id;
    let mut billing = billing_states::find(&mut connection, subscription_id).await?;
    if let Some(billing) = billing.as_mut().filter(|billing| billing.is_due_now()) {
        let until = checkout.clock.now() + checkout.in_flight_timeout.0;
        let leased = billing_states::lease(&mut connection, subscription_id, until).await?;
        billing.due_at = leased.or(billing.due_at);
    }
    Ok(LeasedSubscription {
        pending_change: subscription_changes::open(&mut connection, subscription_id).await?,
        settled_changes: subscription_changes::count_settled(&mut connection, subscription_id).await?,
        purchase,
        state: billing,
    })
}

/// Submits the pending change to the provider, if there is one. Idempotent. Returns
/// the state afterwards.
pub async fn submit_pending_change(
    checkout: &Checkout,
    leased: LeasedSubscription,
) -> Result<LeasedSubscription> {
    let LeasedSubscription {
        purchase,
        state: billing,
        pending_change: open,
        ..
    } = &leased;
    let order_id = purchase.order.order_id;
    let (Some(billing), Some(open), Some(provider_subscription_id)) =
        (billing, open, &purchase.payment.provider_subscription_id)
    else {
        return Ok(leased);
    };

    let now = checkout.clock.now();
    let outcome = ask(checkout, purchase, billing, open, provider_subscription_id).await;
    let mut next_plan = None;
    let state = match outcome {
        Ok(scheduled) => {
            next_plan = scheduled;
            ChangeState::Done { at: now }
        }
        Err(Error::Provider(ProviderError::Declined(decline))) => ChangeState::Refused {
            code: decline.code,
            at: now,
        },
        Err(Error::Provider(ProviderError::Rejected { code, detail })) => {
            tracing::warn!(order.id = %order_id, code, detail, "subscription change refused by the provider");
            ChangeState::Refused { code, at: now }
        }
        Err(Error::Provider(ProviderError::NotFound)) => ChangeState::Refused {
            code: "not_found".to_owned(),
            at: now,
        },
        Err(Error::Provider(ProviderError::Unsupported(..))) => ChangeState::Refused {
            code: "unsupported".to_owned(),
            at: now,
        },
        Err(unsettled) => return Err(unsettled),
    };
    settle(checkout, order_id, open, &state, next_plan).await?;
    lease_for_sync(checkout, order_id).await
}

/// Returns the plan that the provider scheduled.
async fn ask(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    billing: &BillingState,
    open: &StoredChange,
    provider_subscription_id: &str,
) -> Result<Option<NextPlan>> {
    if purchase.payment.provider.is_merchant_initiated() {
        // Applied by checkout when the change is settled.
        bill_subscription::begin(checkout, purchase).await?;
        return Ok(None);
    }
    let provider = checkout.providers.of(purchase.payment.provider)?;
    let changes = provider.provider_billing()?;
    let key = &open.idempotency_key;
    let change = match &open.change {
        SubscriptionChange::TerminateNow => {
            end(checkout, purchase, provider_subscription_id).await?;
            return Ok(None);
        }
        // The renewal is overdue: it ends now.
        SubscriptionChange::Cancel if billing.dunning.is_some() => {
            end(checkout, purchase, provider_subscription_id).await?;
            return Ok(None);
        }
        SubscriptionChange::Cancel => ProviderChange::CancelAtPeriodEnd,
        SubscriptionChange::Reactivate => ProviderChange::Reactivate,
        SubscriptionChange::Card { payment_method_id } => {
            let price = price_of(checkout, purchase, billing).await?;
            ProviderChange::Card {
                payment_method_id: attach(checkout, purchase, &price, payment_method_id, key).await?,
            }
        }
        SubscriptionChange::Pause { until } => ProviderChange::Pause { until: *until },
        SubscriptionChange::Resume if billing.pause_emitted_at.is_some() => {
            ProviderChange::Resume(Resumption::Anew)
        }
        SubscriptionChange::Resume => ProviderChange::Resume(Resumption::AsIfNever),
        SubscriptionChange::Plan {
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
                let outcome = changes.schedule_plan(provider_subscription_id, &plan, key);
                return Ok(Some(NextPlan {
                    price_id: *price_id,
                    starts_at: outcome.await?,
                    provider_price_id: plan.provider_price_id,
                }));
            }
            ProviderChange::Plan(NewPlan {
                provider_price_id,
                prorated_at: *prorated_at,
            })
        }
        SubscriptionChange::CancelScheduledPlan => ProviderChange::CancelScheduledPlan,
    };
    changes.change(provider_subscription_id, &change, key).await?;
    Ok(None)
}

/// The price of the current plan.
async fn price_of(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    billing: &BillingState,
) -> Result<Price> {
    let price_id = billing.plan_price_id.unwrap_or(purchase.order.price_id);
    Ok(prices::read(&mut *checkout.pool.acquire().await?, price_id).await?)
}

async fn end(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    provider_subscription_id: &str,
) -> Result<()> {
    let subscriptions = checkout.providers.of(purchase.payment.provider)?;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        Ok(_) | Err(ProviderError::NotFound) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn attach(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    price: &Price,
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
    let provider = checkout.providers.of(purchase.payment.provider)?;
    let attached = provider.own_page()?.attach_card(&card).await?;
    Ok(attached.payment_method_id)
}

async fn settle(
    checkout: &Checkout,
    order_id: OrderId,
    open: &StoredChange,
    state: &ChangeState,
    next_plan: Option<NextPlan>,
) -> Result<()> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let (purchase, mut billing) = lock(&mut tx, order_id).await?;
    if !subscription_changes::settle(&mut tx, open.change_id, state).await? {
        return Ok(());
    }
    if let ChangeState::Done { at } = state {
        if purchase.payment.provider.is_merchant_initiated() {
            bill_subscription::apply_change(&mut tx, &purchase, &mut billing, &open.change, *at).await?;
        }
        billing = apply_change(billing, &open.change, next_plan, checkout.clock.now());
    }
    // Leased to the look that follows: due at once, the reconciler could take it between this commit and that look.
    billing.due_at = Some(checkout.clock.now() + checkout.in_flight_timeout.0);
    billing.sync_attempts = 0;
    billing_states::save(&mut tx, &billing).await?;
    tx.commit().await?;
    let outcome = match state {
        ChangeState::Refused { .. } => "refused",
        ChangeState::Open | ChangeState::Done { .. } => "done",
    };
    metrics::counter!("checkout_subscription_changes_total", "action" => open.change.name(), "outcome" => outcome).increment(1);
    Ok(())
}

/// On sale or not, with what the provider calls it.
async fn provided(checkout: &Checkout, price_id: PriceId) -> Result<(Price, String)> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::read(&mut connection, price_id).await?;
    drop(connection);
    let provider_price_id = provider_price_id(checkout, &price).await?;
    Ok((price, provider_price_id))
}

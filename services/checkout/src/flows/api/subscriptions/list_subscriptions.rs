//! Reads subscriptions as their member sees them.

use chrono::{DateTime, Utc};
use kit::money::Money;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, PriceId, SubscriptionId, UserId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::PaymentState;
use crate::domain::payment::renewal::Renewal;
use crate::domain::pricing::catalogue::Price;
use crate::domain::provider::ChangeKind;
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription::subscription_change;
use crate::domain::subscription::subscription_change::StoredChange;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::payment::renewals;
use crate::store::pricing::prices;
use crate::store::subscription::{billing_states, merchant_schedules, subscription_changes, subscriptions};

const LISTED_MAX: i64 = 100;

/// A subscription as its member sees it.
pub struct SubscriptionView {
    pub purchase: SubscriptionOrder,
    pub state: Option<BillingState>,
    /// The current plan: as ordered, or as changed since.
    pub plan: Price,
    /// The scheduled plan and its start.
    pub next_plan: Option<(Price, DateTime<Utc>)>,
    pub pending_change: Option<StoredChange>,
    /// Actions that are available to the member now.
    pub available_actions: Vec<ChangeKind>,
    /// Another period is charged when this one ends.
    pub renews: bool,
    /// The initial payment.
    pub first: Option<(PaymentId, Money, DateTime<Utc>)>,
    /// Earliest first.
    pub renewals: Vec<Renewal>,
}

pub async fn list_subscriptions(checkout: &Checkout, user_id: &UserId) -> Result<Vec<SubscriptionView>> {
    let mut connection = checkout.pool.acquire().await?;
    let purchases = subscription_orders::of_member(&mut connection, user_id, LISTED_MAX).await?;
    read(checkout, &mut connection, purchases).await
}

/// `UnknownSubscription` for another member's.
pub async fn find_view(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
) -> Result<SubscriptionView> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let held = read(checkout, &mut connection, vec![purchase]).await?;
    held.into_iter().next().ok_or(Error::UnknownSubscription)
}

/// Loads all their records with five statements.
async fn read(
    checkout: &Checkout,
    connection: &mut PgConnection,
    purchases: Vec<SubscriptionOrder>,
) -> Result<Vec<SubscriptionView>> {
    let ids: Vec<SubscriptionId> = purchases
        .iter()
        .map(|purchase| purchase.subscription.subscription_id)
        .collect();
    let orders: Vec<OrderId> = purchases.iter().map(|purchase| purchase.order.order_id).collect();
    let billings = billing_states::of_subscriptions(connection, &ids).await?;
    let changed_to = billings.iter().filter_map(|billing| billing.plan_price_id);
    let scheduled = billings
        .iter()
        .filter_map(BillingState::scheduled)
        .map(|next| next.price_id);
    let ordered = purchases.iter().map(|purchase| purchase.order.price_id);
    let priced: Vec<PriceId> = ordered.chain(changed_to).chain(scheduled).collect();
    let mut kept = SubscriptionRecords {
        prices: prices::read_all(connection, &priced).await?,
        changes: subscription_changes::open_of(connection, &ids).await?,
        renewals: renewals::of_orders(connection, &orders).await?,
        non_renewing: non_renewing(connection, &purchases).await?,
        states: billings,
    };
    let now = checkout.clock.now();
    purchases
        .into_iter()
        .map(|purchase| kept.assemble_view(purchase, now))
        .collect()
}

/// Merchant-initiated subscriptions without a chargeable payment method: they do not renew.
async fn non_renewing(
    conn: &mut PgConnection,
    purchases: &[SubscriptionOrder],
) -> Result<Vec<SubscriptionId>> {
    let ours = purchases
        .iter()
        .filter(|it| it.payment.provider.is_merchant_initiated());
    let ours: Vec<SubscriptionId> = ours.map(|it| it.subscription.subscription_id).collect();
    if ours.is_empty() {
        return Ok(ours);
    }
    Ok(merchant_schedules::without_payment_method(conn, &ours).await?)
}

/// Stored records of several subscriptions.
struct SubscriptionRecords {
    non_renewing: Vec<SubscriptionId>,
    states: Vec<BillingState>,
    prices: Vec<Price>,
    changes: Vec<StoredChange>,
    renewals: Vec<Renewal>,
}

impl SubscriptionRecords {
    fn assemble_view(&mut self, purchase: SubscriptionOrder, now: DateTime<Utc>) -> Result<SubscriptionView> {
        let subscription_id = purchase.subscription.subscription_id;
        let order_id = purchase.order.order_id;
        let billing = self
            .states
            .extract_if(.., |billing| billing.subscription_id == subscription_id)
            .next();
        let changed_to = billing.as_ref().and_then(|billing| billing.plan_price_id);
        let price_id = changed_to.unwrap_or(purchase.order.price_id);
        let price_of = |id: PriceId| self.prices.iter().find(|price| price.price_id == id).cloned();
        let plan = price_of(price_id);
        let scheduled = billing.as_ref().and_then(BillingState::scheduled);
        let next_plan = scheduled.and_then(|next| Some((price_of(next.price_id)?, next.starts_at)));
        let is_last = self.non_renewing.contains(&subscription_id);
        let state = &purchase.subscription.state;
        let actions = billing.as_ref().map(|billing| {
            let mut actions =
                subscription_change::available_actions(purchase.payment.provider, state, billing, now);
            actions.retain(|kind| *kind != ChangeKind::Reactivate || !is_last);
            actions
        });
        let renews = !is_last
            && billing
                .as_ref()
                .is_some_and(|billing| subscription_change::renews(state, billing));
        Ok(SubscriptionView {
            available_actions: actions.unwrap_or_default(),
            renews,
            pending_change: self
                .changes
                .extract_if(.., |stored| stored.subscription_id == subscription_id)
                .next(),
            renewals: self
                .renewals
                .extract_if(.., |renewal| renewal.order_id == order_id)
                .collect(),
            first: match &purchase.payment.state {
                PaymentState::Succeeded { captured, at } => {
                    Some((purchase.payment.payment_id, *captured, *at))
                }
                _ => None,
            },
            plan: plan.ok_or(Error::UnknownPrice)?,
            next_plan,
            state: billing,
            purchase,
        })
    }
}

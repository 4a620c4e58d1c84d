//! Plain reads.

use chrono::{DateTime, Utc};
use kit::money::Money;
use sqlx::PgConnection;

use super::Checkout;
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, PaymentId, PriceId, SubscriptionId, UserId};
use crate::domain::life::Life;
use crate::domain::payment::PaymentState;
use crate::domain::purchase::Purchase;
use crate::domain::renewal::Renewal;
use crate::domain::wish::{self, StoredWish, WishKind};
use crate::error::{Error, Result};
use crate::store::purchases::{self, Which};
use crate::store::{charges, guests, lives, prices, renewals, subscriptions, wishes};

const LISTED_MAX: i64 = 100;

/// A subscription as its member sees it.
pub struct Held {
    pub purchase: Purchase,
    pub life: Option<Life>,
    /// What it runs on: what was ordered, or was changed to since.
    pub plan: Price,
    /// What it runs on from then on.
    pub next_plan: Option<(Price, DateTime<Utc>)>,
    pub wish: Option<StoredWish>,
    /// What the member can wish now.
    pub wishes: Vec<WishKind>,
    /// Another period is charged when this one ends.
    pub renews: bool,
    /// What paid the order.
    pub first: Option<(PaymentId, Money, DateTime<Utc>)>,
    /// Earliest first.
    pub renewals: Vec<Renewal>,
}

pub async fn list_subscriptions(checkout: &Checkout, user_id: &UserId) -> Result<Vec<Held>> {
    let mut connection = checkout.pool.acquire().await?;
    let purchases = purchases::of_member(&mut connection, user_id, LISTED_MAX).await?;
    read(checkout, &mut connection, purchases).await
}

/// Where a mail about an order goes that was bought without an account. `UnknownOrder` for a member's, and once its buyer is erased.
pub async fn guest_email(checkout: &Checkout, order_id: OrderId) -> Result<String> {
    let mut connection = checkout.pool.acquire().await?;
    let email = guests::email(&mut connection, order_id).await?;
    email.ok_or(Error::UnknownOrder)
}

/// `UnknownSubscription` for somebody else's.
pub async fn held(checkout: &Checkout, user_id: &UserId, subscription_id: SubscriptionId) -> Result<Held> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    let held = read(checkout, &mut connection, vec![purchase]).await?;
    held.into_iter().next().ok_or(Error::UnknownSubscription)
}

/// All that belongs to them: five statements, however many they are.
async fn read(
    checkout: &Checkout,
    connection: &mut PgConnection,
    purchases: Vec<Purchase>,
) -> Result<Vec<Held>> {
    let ids: Vec<SubscriptionId> = purchases
        .iter()
        .map(|purchase| purchase.subscription.subscription_id)
        .collect();
    let orders: Vec<OrderId> = purchases.iter().map(|purchase| purchase.order.order_id).collect();
    let lives = lives::of_subscriptions(connection, &ids).await?;
    let changed_to = lives.iter().filter_map(|life| life.plan_price_id);
    let scheduled = lives.iter().filter_map(Life::scheduled).map(|next| next.price_id);
    let ordered = purchases.iter().map(|purchase| purchase.order.price_id);
    let priced: Vec<PriceId> = ordered.chain(changed_to).chain(scheduled).collect();
    let mut kept = Kept {
        prices: prices::read_all(connection, &priced).await?,
        wishes: wishes::open_of(connection, &ids).await?,
        renewals: renewals::of_orders(connection, &orders).await?,
        last_ones: last_ones(connection, &purchases).await?,
        lives,
    };
    let now = checkout.clock.now();
    purchases
        .into_iter()
        .map(|purchase| kept.hand_over(purchase, now))
        .collect()
}

/// Of providers that wait to be asked, what cannot be charged again: what was sold so ends so.
async fn last_ones(conn: &mut PgConnection, purchases: &[Purchase]) -> Result<Vec<SubscriptionId>> {
    let ours = purchases
        .iter()
        .filter(|it| it.payment.provider.waits_to_be_asked());
    let ours: Vec<SubscriptionId> = ours.map(|it| it.subscription.subscription_id).collect();
    if ours.is_empty() {
        return Ok(ours);
    }
    Ok(charges::without_means(conn, &ours).await?)
}

/// What is kept of several purchases.
struct Kept {
    last_ones: Vec<SubscriptionId>,
    lives: Vec<Life>,
    prices: Vec<Price>,
    wishes: Vec<StoredWish>,
    renewals: Vec<Renewal>,
}

impl Kept {
    fn hand_over(&mut self, purchase: Purchase, now: DateTime<Utc>) -> Result<Held> {
        let subscription_id = purchase.subscription.subscription_id;
        let order_id = purchase.order.order_id;
        let life = self
            .lives
            .extract_if(.., |life| life.subscription_id == subscription_id)
            .next();
        let changed_to = life.as_ref().and_then(|life| life.plan_price_id);
        let price_id = changed_to.unwrap_or(purchase.order.price_id);
        let price_of = |id: PriceId| self.prices.iter().find(|price| price.price_id == id).cloned();
        let plan = price_of(price_id);
        let scheduled = life.as_ref().and_then(Life::scheduled);
        let next_plan = scheduled.and_then(|next| Some((price_of(next.price_id)?, next.starts_at)));
        let is_last = self.last_ones.contains(&subscription_id);
        let state = &purchase.subscription.state;
        let wishes = life.as_ref().map(|life| {
            let mut wishes = wish::wishes(purchase.payment.provider, state, life, now);
            wishes.retain(|kind| *kind != WishKind::Keep || !is_last);
            wishes
        });
        let renews = !is_last && life.as_ref().is_some_and(|life| wish::renews(state, life));
        Ok(Held {
            wishes: wishes.unwrap_or_default(),
            renews,
            wish: self
                .wishes
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
            life,
            purchase,
        })
    }
}

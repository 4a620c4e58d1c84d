//! Plain reads.

use chrono::{DateTime, Utc};
use kit::money::Money;
use sqlx::PgConnection;

use super::Checkout;
use crate::domain::catalogue::Price;
use crate::domain::ids::{PaymentId, SubscriptionId, UserId};
use crate::domain::life::Life;
use crate::domain::payment::PaymentState;
use crate::domain::purchase::Purchase;
use crate::domain::renewal::Renewal;
use crate::domain::wish::{self, StoredWish, WishKind};
use crate::error::{Error, Result};
use crate::store::purchases::{self, Which};
use crate::store::{lives, prices, renewals, subscriptions, wishes};

const LISTED_MAX: i64 = 100;

/// A subscription as its member sees it.
pub struct Held {
    pub purchase: Purchase,
    pub life: Option<Life>,
    /// What it runs on: what was ordered, or was changed to since.
    pub plan: Price,
    pub wish: Option<StoredWish>,
    /// What the member can wish now.
    pub wishes: Vec<WishKind>,
    /// What paid the order.
    pub first: Option<(PaymentId, Money, DateTime<Utc>)>,
    /// Earliest first.
    pub renewals: Vec<Renewal>,
}

pub async fn list_subscriptions(checkout: &Checkout, user_id: &UserId) -> Result<Vec<Held>> {
    let mut connection = checkout.pool.acquire().await?;
    let mut held = Vec::new();
    for purchase in purchases::of_member(&mut connection, user_id, LISTED_MAX).await? {
        held.push(read(checkout, &mut connection, purchase).await?);
    }
    Ok(held)
}

/// `UnknownSubscription` for somebody else's.
pub async fn held(checkout: &Checkout, user_id: &UserId, subscription_id: SubscriptionId) -> Result<Held> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    read(checkout, &mut connection, purchase).await
}

async fn read(checkout: &Checkout, connection: &mut PgConnection, purchase: Purchase) -> Result<Held> {
    let subscription_id = purchase.subscription.subscription_id;
    let life = lives::find(connection, subscription_id).await?;
    let changed_to = life.as_ref().and_then(|life| life.plan_price_id);
    let plan = prices::read(connection, changed_to.unwrap_or(purchase.order.price_id)).await?;
    let wishes = life.as_ref().map(|life| {
        let (provider, state) = (purchase.payment.provider, &purchase.subscription.state);
        wish::wishes(provider, state, life, checkout.clock.now())
    });
    Ok(Held {
        wishes: wishes.unwrap_or_default(),
        wish: wishes::open(connection, subscription_id).await?,
        renewals: renewals::of_order(connection, purchase.order.order_id).await?,
        first: match &purchase.payment.state {
            PaymentState::Succeeded { captured, at } => Some((purchase.payment.payment_id, *captured, *at)),
            _ => None,
        },
        life,
        plan,
        purchase,
    })
}

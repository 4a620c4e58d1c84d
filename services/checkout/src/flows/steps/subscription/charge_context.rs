//! The stored charges of a merchant-initiated subscription, with its state.

use sqlx::PgConnection;

use crate::domain::ids::OrderId;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription::merchant_schedule::{Charge, MerchantSchedule};
use crate::error::Result;
use crate::store::StoreError;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::subscription::{billing_states, merchant_schedules};

/// The stored charges of a subscription.
pub(in crate::flows) struct ChargeContext {
    pub purchase: SubscriptionOrder,
    pub schedule: MerchantSchedule,
    pub state: BillingState,
    pub charges: Vec<Charge>,
}

/// Call under the order's lock before a write.
pub(in crate::flows) async fn read(
    conn: &mut PgConnection,
    purchase: SubscriptionOrder,
) -> Result<ChargeContext> {
    let id = purchase.subscription.subscription_id;
    let missing = |table| StoreError::Inconsistent {
        table,
        column: "subscription_id",
        row: id.to_string(),
    };
    let schedule = merchant_schedules::find(conn, id)
        .await?
        .ok_or_else(|| missing("merchant_schedule"))?;
    let billing = billing_states::find(conn, id)
        .await?
        .ok_or_else(|| missing("billing_state"))?;
    Ok(ChargeContext {
        schedule,
        state: billing,
        charges: merchant_schedules::of_subscription(conn, id).await?,
        purchase,
    })
}

pub(in crate::flows) async fn lock(tx: &mut PgConnection, order_id: OrderId) -> Result<ChargeContext> {
    let purchase = subscription_orders::lock(tx, order_id, AttemptSelector::Current).await?;
    read(tx, purchase).await
}

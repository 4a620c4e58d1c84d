//! Looks at what is paid once, and closes it at the provider where it must not be paid any more.

use sqlx::PgConnection;

use super::Checkout;
use super::settle_intent::settle_intent;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::intent::IntentReport;
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Standing;
use crate::domain::sale::{Sale, Watch};
use crate::error::Result;
use crate::ports::ProviderError;
use crate::store::purchases::Which;
use crate::store::{coupons, orders, sales};

/// One that the provider has not confirmed having stays as it is: that is the reconciler's to find out.
pub async fn refresh_intent(checkout: &Checkout, sale: Sale) -> Result<Sale> {
    let Some(id) = &sale.payment.provider_intent_id else {
        return Ok(sale);
    };
    let seen = checkout.providers.cards.intents.fetch_intent(id).await?;
    settle_intent(checkout, sale.payment.payment_id, &IntentReport::Seen(seen)).await
}

/// What comes back says whether it was closed, or had been paid in the meantime.
pub async fn close_intent(checkout: &Checkout, payment_id: PaymentId) -> Result<Sale> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    let sale = refresh_intent(checkout, sale).await?;
    let is_open = sale.payment.standing() == Standing::AwaitsBuyer;
    let (true, Some(id)) = (is_open, &sale.payment.provider_intent_id) else {
        return Ok(sale);
    };
    match checkout.providers.cards.intents.cancel_intent(id).await {
        Ok(seen) => settle_intent(checkout, payment_id, &IntentReport::Seen(seen)).await,
        // Paid or closed by somebody else at this very moment: the next look says which.
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => refresh_intent(checkout, sale).await,
        Err(error) => Err(error.into()),
    }
}

/// `open` is locked and can never be charged.
pub async fn abandon_sale(tx: &mut PgConnection, checkout: &Checkout, open: Sale) -> Result<()> {
    let at = checkout.clock.now();
    let sale = Sale {
        order: Order {
            state: OrderState::Abandoned { at },
            ..open.order
        },
        watch: Watch::default(),
        ..open
    };
    orders::save_state(tx, &sale.order).await?;
    sales::save_watch(tx, &sale).await?;
    coupons::follow(tx, &sale.order, at).await?;
    Ok(())
}

/// The coupon of an order that nobody paid goes to others, once it can no longer be charged.
pub async fn give_back_coupon(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read(&mut connection, order_id, Which::Current).await?;
    drop(connection);
    if sale.order.state == OrderState::Open && sale.payment.standing() == Standing::AwaitsBuyer {
        close_intent(checkout, sale.payment.payment_id).await?;
    }
    let mut tx = checkout.pool.begin().await?;
    let sale = sales::lock(&mut tx, order_id, Which::Current).await?;
    match (&sale.order.state, sale.payment.standing()) {
        (OrderState::Open, Standing::Over) => abandon_sale(&mut tx, checkout, sale).await?,
        // Somebody is at work on it: the lease brings it back here.
        (OrderState::Open, _) => return Ok(()),
        _ => coupons::follow(&mut tx, &sale.order, checkout.clock.now()).await?,
    }
    tx.commit().await?;
    Ok(())
}

//! Called by the page after payment. The state is fetched from the provider.

use crate::domain::ids::UserId;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::refresh_payment::refresh_for_page;
use crate::store::order::order_attempts;
use crate::store::payment::payments;

pub async fn confirm_intent(checkout: &Checkout, user_id: &UserId, intent_id: &str) -> Result<OrderAttempt> {
    let provider = checkout.providers.own_page().id();
    let mut connection = checkout.pool.acquire().await?;
    let found = payments::find_by_provider_intent(&mut connection, provider, intent_id).await?;
    // A renewal's intent is no order of its own.
    let found = found.filter(|payment| payment.is_initial);
    let payment_id = found.ok_or(Error::UnknownOrder)?.payment_id;
    let attempt = order_attempts::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if attempt.subscription.is_some() || attempt.order.user_id != *user_id {
        return Err(Error::UnknownOrder);
    }
    refresh_for_page(checkout, attempt).await
}

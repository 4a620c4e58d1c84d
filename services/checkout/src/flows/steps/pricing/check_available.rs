//! Whether an offer is available to this member, before anything is opened or charged.

use sqlx::PgConnection;

use crate::domain::ids::UserId;
use crate::domain::pricing::campaign::{PriceKind, Terms};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::order::one_time_orders;

/// Called with every price that is shown or bought.
pub fn check_bookable(checkout: &Checkout, terms: &Terms) -> Result<()> {
    if terms.kind == PriceKind::Addition && !checkout.sessions_are_bookable {
        return Err(Error::NotBookable);
    }
    Ok(())
}

/// A member does not pay again for access owned for good. An offer that adds access is sold: coaching to an owner of premium.
pub async fn check_not_owned(conn: &mut PgConnection, user_id: &UserId, terms: &Terms) -> Result<()> {
    let lasts = match terms.kind {
        PriceKind::Subscription | PriceKind::Lifetime | PriceKind::Trial => true,
        PriceKind::OneTime | PriceKind::Gift | PriceKind::Addition => false,
    };
    if lasts
        && terms
            .opens
            .adds_nothing_to(one_time_orders::owned(conn, user_id).await?)
    {
        return Err(Error::AlreadyOwned);
    }
    Ok(())
}

//! Whether an offer is sold to this member at all, before any of it is opened or charged.

use sqlx::PgConnection;

use super::Checkout;
use crate::domain::campaign::{PriceKind, Terms};
use crate::domain::ids::UserId;
use crate::error::{Error, Result};
use crate::store::sales;

/// Called with every price that is shown or bought.
pub fn check_bookable(checkout: &Checkout, terms: &Terms) -> Result<()> {
    if terms.kind == PriceKind::Addition && !checkout.sessions_are_bookable {
        return Err(Error::NotBookable);
    }
    Ok(())
}

/// A member does not pay again for what is open to them for good. What adds something is sold: coaching to an owner of premium.
pub async fn check_not_owned(conn: &mut PgConnection, user_id: &UserId, terms: &Terms) -> Result<()> {
    let lasts = match terms.kind {
        PriceKind::Subscription | PriceKind::Lifetime | PriceKind::Trial => true,
        PriceKind::OneTime | PriceKind::Gift | PriceKind::Addition => false,
    };
    if lasts && terms.opens.adds_nothing_to(sales::owned(conn, user_id).await?) {
        return Err(Error::AlreadyOwned);
    }
    Ok(())
}

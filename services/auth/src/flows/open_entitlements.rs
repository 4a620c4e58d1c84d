//! A paid product opens coaching or therapy for whoever bought it, as long as the subscription lasts.
use sqlx::PgConnection;

use crate::domain::user::{Entitlements, UserId};
use crate::store::account;
use crate::store::entitlement_grant::{self, Grant};

/// An account that is gone has nothing to open, and what has ended meanwhile opens nothing.
pub async fn open_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    subscription_id: &str,
    product: &str,
) -> Result<(), sqlx::Error> {
    let opened = Entitlements::opened_by(product);
    if opened == Entitlements::default() {
        return Ok(());
    }
    if subscription_id.is_empty() || entitlement_grant::begin(tx, user_id, subscription_id, product).await? {
        account::open_entitlements(tx, user_id, opened).await?;
    }
    Ok(())
}

/// It is paid for again.
pub async fn reopen_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    subscription_id: &str,
    product: &str,
) -> Result<(), sqlx::Error> {
    let opened = Entitlements::opened_by(product);
    if opened == Entitlements::default() {
        return Ok(());
    }
    set(tx, user_id, subscription_id, product, Standing::Open).await?;
    account::open_entitlements(tx, user_id, opened).await
}

/// What another subscription opens as well stays open.
pub async fn close_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    subscription_id: &str,
    product: &str,
) -> Result<(), sqlx::Error> {
    let closed = Entitlements::opened_by(product);
    if closed == Entitlements::default() {
        return Ok(());
    }
    set(tx, user_id, subscription_id, product, Standing::Closed).await?;
    let grants = entitlement_grant::of_member(tx, user_id).await?;
    let open = grants
        .iter()
        .filter(|grant| grant.is_open)
        .map(|grant| Entitlements::opened_by(&grant.product));
    let kept = open.fold(Entitlements::default(), Entitlements::and);
    account::close_entitlements(tx, user_id, closed.without(kept)).await
}

enum Standing {
    Open,
    Closed,
}

async fn set(
    tx: &mut PgConnection,
    user_id: UserId,
    subscription_id: &str,
    product: &str,
    standing: Standing,
) -> Result<(), sqlx::Error> {
    let granted = Grant {
        subscription_id: subscription_id.to_owned(),
        product: product.to_owned(),
        is_open: matches!(standing, Standing::Open),
    };
    entitlement_grant::set(tx, user_id, &granted).await
}

//! A paid product opens coaching or therapy for whoever bought it, as long as the subscription lasts. News may come in any
//! order: what they tell of holds as of when it came about.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::user::{Entitlements, UserId};
use crate::store::account;
use crate::store::entitlement_grant::{self, Grant};

/// What became of which subscription, and when.
pub struct Turn<'a> {
    pub user_id: UserId,
    pub subscription_id: &'a str,
    pub product: &'a str,
    pub at: DateTime<Utc>,
}

impl Turn<'_> {
    fn entitlements(&self) -> Option<Entitlements> {
        Some(Entitlements::opened_by(self.product)).filter(|opened| *opened != Entitlements::default())
    }

    /// `false`: it is not so any more.
    async fn note(&self, tx: &mut PgConnection, is_open: bool) -> Result<bool, sqlx::Error> {
        let granted = Grant {
            subscription_id: self.subscription_id.to_owned(),
            product: self.product.to_owned(),
            is_open,
        };
        entitlement_grant::set(tx, self.user_id, &granted, self.at).await
    }
}

/// An account that is gone has nothing to open, and what has ended meanwhile opens nothing.
pub async fn open_entitlements(tx: &mut PgConnection, begun: Turn<'_>) -> Result<(), sqlx::Error> {
    let Some(opened) = begun.entitlements() else {
        return Ok(());
    };
    let Turn {
        user_id,
        subscription_id: id,
        product,
        at,
    } = begun;
    // What was sold before subscriptions were told apart.
    if id.is_empty() || entitlement_grant::begin(tx, user_id, id, product, at).await? {
        account::open_entitlements(tx, user_id, opened).await?;
    }
    Ok(())
}

/// It is paid for again.
pub async fn reopen_entitlements(tx: &mut PgConnection, renewed: Turn<'_>) -> Result<(), sqlx::Error> {
    let Some(opened) = renewed.entitlements() else {
        return Ok(());
    };
    if renewed.note(tx, true).await? {
        account::open_entitlements(tx, renewed.user_id, opened).await?;
    }
    Ok(())
}

/// What another subscription opens as well stays open.
pub async fn close_entitlements(tx: &mut PgConnection, ended: Turn<'_>) -> Result<(), sqlx::Error> {
    let Some(closed) = ended.entitlements() else {
        return Ok(());
    };
    if !ended.note(tx, false).await? {
        return Ok(());
    }
    let grants = entitlement_grant::of_member(tx, ended.user_id).await?;
    let open = grants
        .iter()
        .filter(|grant| grant.is_open)
        .map(|grant| Entitlements::opened_by(&grant.product));
    let kept = open.fold(Entitlements::default(), Entitlements::and);
    account::close_entitlements(tx, ended.user_id, closed.without(kept)).await
}

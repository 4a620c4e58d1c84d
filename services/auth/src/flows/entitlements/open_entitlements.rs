//! Applies entitlements of payments: while a subscription lasts, or without end for one-time orders. Events arrive in any
//! order; each applies as of its own time.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::user::{Entitlements, UserId};
use crate::store::account;
use crate::store::entitlement_grant::{self, Grant};

/// What became of which subscription, or of an order that was paid once, and when.
pub struct EntitlementChange<'a> {
    pub user_id: UserId,
    /// Of an order where it was paid once.
    pub subscription_id: &'a str,
    pub product: &'a str,
    pub opens: &'a [String],
    pub at: DateTime<Utc>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GrantState {
    Open,
    Closed,
}

impl EntitlementChange<'_> {
    /// `None`: nothing is opened by it.
    fn entitlements(&self) -> Option<Entitlements> {
        Some(Entitlements::named(self.opens)).filter(|opened| *opened != Entitlements::default())
    }

    fn grant(&self, state: GrantState) -> Grant {
        Grant {
            subscription_id: self.subscription_id.to_owned(),
            product: self.product.to_owned(),
            opens: Entitlements::named(self.opens).names(),
            is_open: state == GrantState::Open,
        }
    }

    /// What it opens, or opened. `None`: it is not so any more.
    async fn record(
        &self,
        tx: &mut PgConnection,
        state: GrantState,
    ) -> Result<Option<Entitlements>, sqlx::Error> {
        let noted = entitlement_grant::set(tx, self.user_id, &self.grant(state), self.at).await?;
        Ok(noted.map(|opens| Entitlements::named(&opens)))
    }
}

/// An account that is gone has nothing to open, and what has ended meanwhile opens nothing.
pub async fn open_entitlements(
    tx: &mut PgConnection,
    begun: EntitlementChange<'_>,
) -> Result<(), sqlx::Error> {
    let Some(opened) = begun.entitlements() else {
        return Ok(());
    };
    // Events without a subscription id.
    let is_unnamed = begun.subscription_id.is_empty();
    if is_unnamed
        || entitlement_grant::begin(tx, begun.user_id, &begun.grant(GrantState::Open), begun.at).await?
    {
        account::open_entitlements(tx, begun.user_id, opened).await?;
    }
    Ok(())
}

/// It is paid for again.
pub async fn reopen_entitlements(
    tx: &mut PgConnection,
    renewed: EntitlementChange<'_>,
) -> Result<(), sqlx::Error> {
    if renewed.entitlements().is_none() {
        return Ok(());
    }
    if let Some(opened) = renewed.record(tx, GrantState::Open).await? {
        account::open_entitlements(tx, renewed.user_id, opened).await?;
    }
    Ok(())
}

pub async fn close_entitlements(
    tx: &mut PgConnection,
    ended: EntitlementChange<'_>,
) -> Result<(), sqlx::Error> {
    if ended.entitlements().is_none() {
        return Ok(());
    }
    match ended.record(tx, GrantState::Closed).await? {
        Some(closed) => close(tx, ended.user_id, closed).await,
        None => Ok(()),
    }
}

/// The buyer has withdrawn from an order that was paid once: news of its payment that come later open nothing.
pub async fn close_order(
    tx: &mut PgConnection,
    user_id: UserId,
    order_id: &str,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let withdrawn = EntitlementChange {
        user_id,
        subscription_id: order_id,
        product: "",
        opens: &[],
        at,
    };
    match withdrawn.record(tx, GrantState::Closed).await? {
        Some(closed) => close(tx, user_id, closed).await,
        None => Ok(()),
    }
}

/// What another grant opens as well stays open.
async fn close(tx: &mut PgConnection, user_id: UserId, closed: Entitlements) -> Result<(), sqlx::Error> {
    let grants = entitlement_grant::of_member(tx, user_id).await?;
    let open = grants
        .iter()
        .filter(|grant| grant.is_open)
        .map(|grant| Entitlements::named(&grant.opens));
    let kept = open.fold(Entitlements::default(), Entitlements::and);
    account::close_entitlements(tx, user_id, closed.without(kept)).await
}

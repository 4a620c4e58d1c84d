//! A paid product opens coaching or therapy for whoever bought it.
use sqlx::PgConnection;

use crate::domain::user::{Entitlements, UserId};
use crate::store::account;

/// An account that is gone has nothing to open.
pub async fn open_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    product: &str,
) -> Result<(), sqlx::Error> {
    let opened = Entitlements::opened_by(product);
    if opened == Entitlements::default() {
        return Ok(());
    }
    account::open_entitlements(tx, user_id, opened).await
}

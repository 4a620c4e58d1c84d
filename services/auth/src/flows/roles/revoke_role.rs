//! Revokes a role of an account, at once for all its sessions.
use kit::clock::Clock;
use kit::database::Pool;

use crate::domain::email::Email;
use crate::domain::user::role::Role;
use crate::emit;
use crate::error::Error;
use crate::flows::roles::RoleChange;
use crate::store::{account, role};

pub async fn revoke_role(
    pool: &Pool,
    clock: &Clock,
    email: &Email,
    revoked: Role,
) -> Result<RoleChange, Error> {
    let mut tx = kit::database::begin(pool).await?;
    let Some(account) = account::by_email(&mut tx, email).await? else {
        return Ok(RoleChange::UnknownAccount);
    };
    let user_id = account.user.id;
    if !role::delete(&mut tx, user_id, revoked).await? {
        return Ok(RoleChange::Unchanged);
    }
    emit::role_revoked(&mut tx, clock, user_id, revoked).await?;
    tx.commit().await?;
    Ok(RoleChange::Done)
}

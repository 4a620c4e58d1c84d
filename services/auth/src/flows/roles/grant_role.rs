//! Grants a role to an account. Its sessions may use it once the second factor has verified them.
use kit::clock::Clock;
use kit::database::Pool;

use crate::domain::email::Email;
use crate::domain::user::role::Role;
use crate::emit;
use crate::error::Error;
use crate::flows::roles::RoleChange;
use crate::store::{account, role};

pub async fn grant_role(
    pool: &Pool,
    clock: &Clock,
    email: &Email,
    granted: Role,
) -> Result<RoleChange, Error> {
    let mut tx = kit::database::begin(pool).await?;
    let Some(account) = account::by_email(&mut tx, email).await? else {
        return Ok(RoleChange::UnknownAccount);
    };
    let user_id = account.user.id;
    if !role::insert(&mut tx, user_id, granted, clock.now()).await? {
        return Ok(RoleChange::Unchanged);
    }
    emit::role_granted(&mut tx, clock, user_id, granted).await?;
    tx.commit().await?;
    Ok(RoleChange::Done)
}

//! Lists the roles of an account.
use kit::database::Pool;

use crate::domain::email::Email;
use crate::error::Error;
use crate::store::{account, role};

pub use crate::store::role::GrantedRole as ListedRole;

/// `None`: there is no such account.
pub async fn list_roles(pool: &Pool, email: &Email) -> Result<Option<Vec<ListedRole>>, Error> {
    let mut connection = pool.acquire().await?;
    match account::by_email(&mut connection, email).await? {
        Some(account) => Ok(Some(role::of_user(&mut connection, account.user.id).await?)),
        None => Ok(None),
    }
}

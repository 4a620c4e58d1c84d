//! Everything stored about a member, for a recently authenticated session.
use chrono::{DateTime, Utc};

use crate::domain::session::step_up::Brought;
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::recovery_code;
use crate::store::{entitlement_grant, member_export, role, second_factor};

pub use crate::store::entitlement_grant::Grant;
pub use crate::store::member_export::{
    AccountRow, AddressChangeRow, HandoffRow, IdentityRow, MailRow, PremiumRow, SessionRow,
};
pub use crate::store::role::GrantedRole;

pub struct SecondFactorRow {
    pub enabled_at: DateTime<Utc>,
    pub recovery_codes_left: i64,
}

pub struct MemberExport {
    pub user_id: UserId,
    pub account: AccountRow,
    pub sessions: Vec<SessionRow>,
    pub identities: Vec<IdentityRow>,
    pub mails: Vec<MailRow>,
    pub handoffs: Vec<HandoffRow>,
    pub temporary_premium: Option<PremiumRow>,
    pub grants: Vec<Grant>,
    pub address_changes: Vec<AddressChangeRow>,
    pub second_factor: Option<SecondFactorRow>,
    pub roles: Vec<GrantedRole>,
}

pub async fn export_member(context: &Context, token: &str) -> Result<MemberExport, Error> {
    let session = live_session(context, token).await?.session;
    session
        .authentication
        .check(Brought::Nothing, context.clock.now())?;
    let user_id = session.user.id;
    let mut connection = context.pool.acquire().await?;
    let account = member_export::account(&mut connection, user_id).await?;
    let second_factor = match second_factor::enabled_at(&mut connection, user_id).await? {
        Some(enabled_at) => Some(SecondFactorRow {
            enabled_at,
            recovery_codes_left: recovery_code::count(&mut connection, user_id).await?,
        }),
        None => None,
    };
    Ok(MemberExport {
        user_id,
        account: account.ok_or(Error::SessionExpired)?,
        sessions: member_export::sessions(&mut connection, user_id).await?,
        identities: member_export::identities(&mut connection, user_id).await?,
        mails: member_export::mails(&mut connection, user_id).await?,
        handoffs: member_export::handoffs(&mut connection, user_id).await?,
        temporary_premium: member_export::temporary_premium(&mut connection, user_id).await?,
        grants: entitlement_grant::of_member(&mut connection, user_id).await?,
        address_changes: member_export::address_changes(&mut connection, user_id).await?,
        second_factor,
        roles: role::of_user(&mut connection, user_id).await?,
    })
}

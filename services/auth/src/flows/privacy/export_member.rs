//! Everything stored about a member.
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::{entitlement_grant, member_export};

pub use crate::store::entitlement_grant::Grant;
pub use crate::store::member_export::{
    AccountRow, AddressChangeRow, HandoffRow, IdentityRow, MailRow, PremiumRow, SessionRow,
};

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
}

pub async fn export_member(context: &Context, token: &str) -> Result<MemberExport, Error> {
    let user_id = live_session(context, token).await?.session.user.id;
    let mut connection = context.pool.acquire().await?;
    let account = member_export::account(&mut connection, user_id).await?;
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
    })
}

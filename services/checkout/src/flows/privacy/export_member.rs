//! Exports all stored data of a member.

use crate::domain::ids::UserId;
use crate::domain::withdrawal::Withdrawal;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::privacy::member_export;
use crate::store::withdrawals;

pub use crate::store::privacy::member_export::{
    BillingRow, ChangeRow, ChargeRow, CustomerRow, NotificationRow, OrderRow, PaymentRow, RefundRow,
    SurveyOrderRow,
};

pub struct MemberExport {
    pub customer: Option<CustomerRow>,
    pub orders: Vec<OrderRow>,
    pub payments: Vec<PaymentRow>,
    pub refunds: Vec<RefundRow>,
    pub survey_orders: Vec<SurveyOrderRow>,
    pub notifications: Vec<NotificationRow>,
    pub changes: Vec<ChangeRow>,
    pub withdrawals: Vec<Withdrawal>,
    pub billings: Vec<BillingRow>,
    pub charges: Vec<ChargeRow>,
}

pub async fn export_member(checkout: &Checkout, user_id: &UserId) -> Result<MemberExport> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(MemberExport {
        customer: member_export::customer(&mut connection, user_id).await?,
        orders: member_export::orders(&mut connection, user_id).await?,
        payments: member_export::payments(&mut connection, user_id).await?,
        refunds: member_export::refunds(&mut connection, user_id).await?,
        survey_orders: member_export::survey_orders(&mut connection, user_id).await?,
        notifications: member_export::notifications(&mut connection, user_id).await?,
        changes: member_export::changes(&mut connection, user_id).await?,
        withdrawals: withdrawals::of_member(&mut connection, user_id).await?,
        billings: member_export::billings(&mut connection, user_id).await?,
        charges: member_export::charges(&mut connection, user_id).await?,
    })
}

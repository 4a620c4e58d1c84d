//! The table of survey orders.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

use super::Stored;
use crate::domain::ids::{OrderId, SurveyOrderId, UserId};
use crate::domain::survey_order::SurveyOrder;

pub async fn insert(conn: &mut PgConnection, order: &SurveyOrder, access_key_hash: &[u8]) -> Stored<()> {
    let terms = &order.terms;
    sqlx::query(
        "insert into survey_order (survey_order_id, flow, variant, ab_group, product_type, language, country,
             tracking, created_at, access_key_hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(order.survey_order_id)
    .bind(terms.flow)
    .bind(terms.variant)
    .bind(&terms.ab_group)
    .bind(&terms.product_type)
    .bind(&terms.language)
    .bind(&terms.country)
    .bind(Json(&terms.tracking))
    .bind(order.created_at)
    .bind(access_key_hash)
    .execute(conn)
    .await?;
    Ok(())
}

/// `None` for an id that is none of ours; inside, whose it is.
pub async fn lock_owner(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<Option<Option<String>>> {
    let found = sqlx::query_scalar("select user_id from survey_order where survey_order_id = $1 for update")
        .bind(id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

/// Marks the member's survey order paid by what they have paid, or begun to try, since it began. Says whether it is.
pub async fn settle(
    conn: &mut PgConnection,
    id: SurveyOrderId,
    user_id: &UserId,
    now: DateTime<Utc>,
) -> Stored<bool> {
    let paid_by: Option<OrderId> = sqlx::query_scalar(
        "update survey_order set paid_at = coalesce(survey_order.paid_at, $3),
             paid_by = coalesce(survey_order.paid_by, bought.order_id)
         from orders bought
         where survey_order_id = $1 and survey_order.user_id = $2 and bought.order_id = coalesce(
             survey_order.paid_by,
             (select order_id from orders
              where user_id = $2 and state in ('paid', 'on_trial')
                  and coalesce(paid_at, created_at) >= survey_order.created_at
              order by created_at desc limit 1))
         returning survey_order.paid_by",
    )
    .bind(id)
    .bind(user_id.as_str())
    .bind(now)
    .fetch_optional(conn)
    .await?;
    Ok(paid_by.is_some())
}

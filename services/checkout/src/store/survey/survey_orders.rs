//! The table of survey orders.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::domain::ids::{OrderId, SurveyOrderId, UserId};
use crate::domain::survey::survey_order::{SurveyOrder, Terms};
use crate::store::Stored;

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

/// A survey order, whose it is and what paid it.
pub struct StoredSurveyOrder {
    pub survey: SurveyOrder,
    pub user_id: Option<String>,
    pub paid_by: Option<OrderId>,
}

#[derive(sqlx::FromRow)]
struct Row {
    survey_order_id: SurveyOrderId,
    user_id: Option<String>,
    paid_by: Option<OrderId>,
    flow: i32,
    variant: i32,
    ab_group: Option<String>,
    product_type: String,
    language: String,
    country: String,
    tracking: Json<BTreeMap<String, String>>,
    created_at: DateTime<Utc>,
}

/// `None` for an unknown id.
pub async fn lock(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<Option<StoredSurveyOrder>> {
    let row: Option<Row> = sqlx::query_as(
        "select survey_order_id, user_id, paid_by, flow, variant, ab_group, product_type, language, country,
             tracking, created_at
         from survey_order where survey_order_id = $1 for update",
    )
    .bind(id)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| StoredSurveyOrder {
        user_id: row.user_id,
        paid_by: row.paid_by,
        survey: SurveyOrder {
            survey_order_id: row.survey_order_id,
            terms: Terms {
                flow: row.flow,
                variant: row.variant,
                ab_group: row.ab_group,
                product_type: row.product_type,
                language: row.language,
                country: row.country,
                tracking: row.tracking.0,
            },
            created_at: row.created_at,
        },
    }))
}

/// Under the lock of [`lock`].
pub async fn set_owner(conn: &mut PgConnection, id: SurveyOrderId, user_id: &UserId) -> Stored<()> {
    sqlx::query("update survey_order set user_id = $2 where survey_order_id = $1")
        .bind(id)
        .bind(user_id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// What the member has paid, or begun to try, since the survey began; the latest.
pub async fn find_purchase(
    conn: &mut PgConnection,
    survey: &SurveyOrder,
    user_id: &UserId,
) -> Stored<Option<OrderId>> {
    let found = sqlx::query_scalar(
        "select order_id from orders
         where user_id = $1 and state in ('paid', 'on_trial') and coalesce(paid_at, created_at) >= $2
         order by created_at desc limit 1",
    )
    .bind(user_id.as_str())
    .bind(survey.created_at)
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

/// Under the lock of [`lock`].
pub async fn set_paid(
    conn: &mut PgConnection,
    id: SurveyOrderId,
    paid_by: OrderId,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query("update survey_order set paid_by = $2, paid_at = $3 where survey_order_id = $1")
        .bind(id)
        .bind(paid_by)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

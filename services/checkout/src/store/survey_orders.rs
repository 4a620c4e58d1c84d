//! The table of survey orders.

use sqlx::PgConnection;
use sqlx::types::Json;

use super::Stored;
use crate::domain::survey_order::SurveyOrder;

pub async fn insert(conn: &mut PgConnection, order: &SurveyOrder) -> Stored<()> {
    let terms = &order.terms;
    sqlx::query(
        "insert into survey_order (survey_order_id, flow, variant, ab_group, product_type, language, country,
             tracking, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
    .execute(conn)
    .await?;
    Ok(())
}

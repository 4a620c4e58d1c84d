//! Rows of an order are found by an index.

use crate::support::test_env::TestEnv;

/// Columns of these three names that no index over the whole table begins with.
const NOT_INDEXED: &str = "
    select relname || '.' || attname
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = 'checkout'::regnamespace
      and attname in ('order_id', 'payment_id', 'subscription_id')
      and not exists (
          select from pg_index
          where indrelid = pg_class.oid and indkey[0] = attnum and indisvalid
            and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname)))
    order by 1";

#[tokio::test]
async fn rows_of_an_order_are_found_by_an_index() {
    let env = TestEnv::start().await;
    let not_indexed: Vec<String> = sqlx::query_scalar(NOT_INDEXED)
        .fetch_all(&env.pool().await)
        .await
        .unwrap();
    // Bookings are asked for by their order.
    assert_eq!(not_indexed, ["ledger_transaction.payment_id"]);
}

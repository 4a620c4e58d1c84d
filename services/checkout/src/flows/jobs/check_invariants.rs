//! Checks the invariants of all stored orders by a timer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kit::database::Pool;
use kit::periodic;
use kit::telemetry::gauge_value;
use tokio_util::sync::CancellationToken;

use crate::domain::invariants::{Violation, rules, violations};
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::order_aggregates;

const BATCH: i64 = 100;

pub async fn check_invariants(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    // Nothing depends on the end of a round, and it can take long.
    let checking = periodic::every(every, "check-invariants", &shutdown, || async {
        find_violations(&checkout.pool).await.map(|found| report(&found))
    });
    shutdown.run_until_cancelled(Box::pin(checking)).await;
}

/// One pass over all orders in batches, each in one snapshot.
pub async fn find_violations(pool: &Pool) -> Result<Vec<Violation>> {
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let mut snapshot = kit::database::begin_snapshot(pool).await?;
        let batch = order_aggregates::page(&mut snapshot, after, BATCH).await?;
        drop(snapshot);
        let Some(last) = batch.last() else {
            return Ok(found);
        };
        after = Some(last.order.order_id);
        found.extend(violations(&batch));
    }
}

fn report(found: &[Violation]) {
    let mut counts: BTreeMap<&'static str, i64> = rules().map(|rule| (rule, 0)).collect();
    for Violation { rule, order_id } in found {
        *counts.entry(rule).or_default() += 1;
        tracing::error!(order.id = %order_id, rule, "order violates an invariant");
    }
    for (rule, count) in counts {
        metrics::gauge!("checkout_invariant_violations", "rule" => rule).set(gauge_value(count));
    }
}

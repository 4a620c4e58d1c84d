//! Answers that never come.

use std::time::Duration;

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use sandbox::{Action, Fault};

use super::behaviours::calls;
use super::shop::{PATIENCE, Shop};

const STEP: TimeDelta = TimeDelta::seconds(2);

pub async fn lose_answers(provider: Provider, lost: u32, definite_within: TimeDelta) {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    let (method, path, _) = calls(provider);
    let fault = Fault::on(method, path, Action::DropAfterCommit {});
    shop.world.twin.sandbox().faults().add(fault.times(lost));
    shop.pay(provider, &handle);
    if provider == Provider::Paypal {
        // Nobody could be asked; the page may say it again.
        let _ = shop.link(&handle).await;
        let _ = shop.link(&handle).await;
    }
    shop.active_within(definite_within).await;
    assert_eq!((shop.paid_orders().await, shop.refunds().await.len()), (1, 0));
    assert_eq!(shop.booked(provider).await, shop.price().await);
}

impl Shop {
    /// By the buyer's clock.
    pub async fn active_within(&self, limit: TimeDelta) {
        let reached = tokio::time::timeout(PATIENCE * 3, async {
            let mut passed = TimeDelta::zero();
            while !self.is_active().await {
                if passed < limit {
                    self.world.advance(STEP).await;
                    passed += STEP;
                }
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
        });
        assert!(
            reached.await.is_ok(),
            "not active after {limit}: {:?}",
            self.world.accounts().await
        );
    }
}

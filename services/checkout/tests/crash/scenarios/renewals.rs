//! Renewals: charged by Stripe, by checkout, or after a change of card.

use proto::checkout::v1::ChangeSubscriptionRequest;
use proto::checkout::v1::change_subscription_request::{Card, Change};
use sqlx::{Postgres, Transaction};
use tonic::Status;

use super::actions::{OrLater, later};
use super::outcome::{RENEWALS, Scenario};
use super::{Actor, Sweep};
use crate::crash_points::{CrashPoint, ON_ITS_WAY};
use crate::fixture::until;

pub const CARDS: &str = "select count(*) from subscription_change where kind = 'card' and state = 'done'";
const DUE: &str = "update billing_state set due_at = 'epoch' where due_at > now() + interval '1 hour'";

impl Sweep {
    /// The webhook that Stripe sends.
    pub async fn renew(&self, actor: &Actor) -> Result<(), Status> {
        if self.points.count(RENEWALS).await == actor.months {
            return Ok(());
        }
        self.make_due().await;
        Err(later("not yet"))
    }

    pub async fn until_overdue(&self) {
        let owed = "select count(*) from billing_state where auto_advance_disabled and overdue_invoice_id is not null";
        until("overdue", async || {
            self.make_due().await;
            self.points.count(owed).await == 1
        })
        .await;
    }

    /// Requests the change until it is applied, then waits for the charges it pays.
    pub async fn pay_overdue(&self, actor: &Actor) -> Result<(), Status> {
        let owned = self.owned(actor).await?;
        if self.points.count(CARDS).await == actor.cards {
            let request = ChangeSubscriptionRequest {
                user_id: actor.user_id.clone(),
                subscription_id: owned.subscription_id,
                change: Some(Change::Card(Card {
                    payment_method_id: actor.card.clone(),
                })),
            };
            self.fixture.client().change_subscription(request).await?;
            return Err(later("requested"));
        }
        let renewals = self.points.count(RENEWALS).await;
        (renewals == actor.months && owned.overdue.is_none()).or_later("paid")
    }

    /// A member with a merchant-initiated subscription.
    pub async fn be_billed(&self, actor: &mut Actor) {
        self.buy_anywhere(actor).await;
        let billed = "select count(*) from merchant_schedule where payment_method_id is not null";
        until("billed", async || {
            self.points.count(billed).await == self.actors && self.is_at_rest().await
        })
        .await;
    }

    /// The month is over, once.
    pub async fn renew_ourselves(&self, actor: &Actor) -> Result<(), Status> {
        let renewed = "select exists (select from payment join orders using (order_id)
            where payment.kind = 'renewal' and user_id = $1)";
        let is_renewed = sqlx::query_scalar(renewed).bind(&actor.user_id);
        if is_renewed.fetch_one(&self.pool).await.unwrap() {
            return Ok(());
        }
        let over = "update merchant_schedule set paid_until = now() - interval '1 minute',
                anchor = now() - interval '1 minute' - interval '1 month'
            from subscription where subscription.subscription_id = merchant_schedule.subscription_id and user_id = $1
                and paid_until > now()
                and not exists (select from charge where charge.subscription_id = merchant_schedule.subscription_id)";
        let mut tx = self.uncounted().await;
        let is_over = sqlx::query(over)
            .bind(&actor.user_id)
            .execute(&mut *tx)
            .await
            .unwrap();
        if is_over.rows_affected() == 1 {
            let due = "update billing_state set due_at = 'epoch' from subscription
                where subscription.subscription_id = billing_state.subscription_id and user_id = $1";
            sqlx::query(due)
                .bind(&actor.user_id)
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        Err(later("not yet"))
    }

    /// Platron has no idempotency keys: a request is repeated only when the earlier one can no longer arrive.
    pub async fn let_time_pass(&self, point: CrashPoint) {
        if self.scenario != Scenario::PlatronRenewal {
            return;
        }
        if matches!(point, CrashPoint::CallArrivesLater) {
            tokio::time::sleep(ON_ITS_WAY).await;
        }
        let mut tx = self.uncounted().await;
        sqlx::query(
            "update charge_attempt set requested_at = requested_at - interval '11 minutes' where state = 'requested'",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn is_at_rest(&self) -> bool {
        let busy = "select count(*) from billing_state where due_at < now() + interval '1 minute'";
        self.points.count(busy).await == 0
    }

    async fn make_due(&self) {
        let mut tx = self.uncounted().await;
        sqlx::query(DUE).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Not to be taken for a commit of the service's.
    async fn uncounted(&self) -> Transaction<'static, Postgres> {
        let mut tx = kit::database::begin(&self.pool).await.unwrap();
        sqlx::query("select set_config('crash.counted', pg_current_xact_id()::text, true)")
            .execute(&mut *tx)
            .await
            .unwrap();
        tx
    }
}

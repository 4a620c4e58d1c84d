//! Another period: charged by Stripe, by us, or by another card.

use proto::checkout::v1::ChangeSubscriptionRequest;
use proto::checkout::v1::change_subscription_request::{Card, Change};
use sqlx::{Postgres, Transaction};
use tonic::Status;

use super::acts::{is_so, later};
use super::outcome::{Deed, RENEWALS};
use super::{Person, Sweep};
use crate::places::{ON_ITS_WAY, Place};
use crate::scene::until;

pub const CARDS: &str = "select count(*) from subscription_wish where kind = 'card' and state = 'done'";
const DUE: &str = "update subscription_life set due_at = 'epoch' where due_at > now() + interval '1 hour'";

impl Sweep {
    /// As Stripe tells of it.
    pub async fn renew(&self, person: &Person) -> Result<(), Status> {
        if self.places.count(RENEWALS).await == person.months {
            return Ok(());
        }
        self.make_due().await;
        Err(later("not yet"))
    }

    pub async fn until_overdue(&self) {
        let owed = "select count(*) from subscription_life where is_held and overdue_invoice_id is not null";
        until("overdue", async || {
            self.make_due().await;
            self.places.count(owed).await == 1
        })
        .await;
    }

    /// Wished until it is done; what it pays for follows.
    pub async fn pay_overdue(&self, person: &Person) -> Result<(), Status> {
        let owned = self.owned(person).await?;
        if self.places.count(CARDS).await == person.cards {
            let request = ChangeSubscriptionRequest {
                user_id: person.user_id.clone(),
                subscription_id: owned.subscription_id,
                change: Some(Change::Card(Card {
                    payment_method_id: person.card.clone(),
                })),
            };
            self.scene.client().change_subscription(request).await?;
            return Err(later("wished"));
        }
        let renewals = self.places.count(RENEWALS).await;
        is_so("paid", renewals == person.months && owned.overdue.is_none())
    }

    /// Somebody whose next period we shall have to ask for.
    pub async fn be_billed(&self, person: &mut Person) {
        self.buy_anywhere(person).await;
        let billed = "select count(*) from billing where means_id is not null";
        until("billed", async || {
            self.places.count(billed).await == self.people && self.is_at_rest().await
        })
        .await;
    }

    /// The month is over, once.
    pub async fn renew_ourselves(&self, person: &Person) -> Result<(), Status> {
        let renewed = "select exists (select from payment join orders using (order_id)
            where payment.kind = 'renewal' and user_id = $1)";
        let is_renewed = sqlx::query_scalar(renewed).bind(&person.user_id);
        if is_renewed.fetch_one(&self.pool).await.unwrap() {
            return Ok(());
        }
        let over = "update billing set paid_until = now() - interval '1 minute',
                anchor = now() - interval '1 minute' - interval '1 month'
            from subscription where subscription.subscription_id = billing.subscription_id and user_id = $1
                and paid_until > now()
                and not exists (select from charge where charge.subscription_id = billing.subscription_id)";
        let mut tx = self.uncounted().await;
        let is_over = sqlx::query(over)
            .bind(&person.user_id)
            .execute(&mut *tx)
            .await
            .unwrap();
        if is_over.rows_affected() == 1 {
            let due = "update subscription_life set due_at = 'epoch' from subscription
                where subscription.subscription_id = subscription_life.subscription_id and user_id = $1";
            sqlx::query(due)
                .bind(&person.user_id)
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        Err(later("not yet"))
    }

    /// Platron knows no keys: what was asked for is asked for again when it can no longer arrive. By then nobody is at work on it.
    pub async fn let_time_pass(&self, place: Place) {
        if self.deed != Deed::PlatronRenewal {
            return;
        }
        if matches!(place, Place::CallArrivesLater) {
            tokio::time::sleep(ON_ITS_WAY).await;
        }
        let mut tx = self.uncounted().await;
        sqlx::query(
            "update charge_try set asked_at = asked_at - interval '11 minutes' where state = 'asked'",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn is_at_rest(&self) -> bool {
        let busy = "select count(*) from subscription_life where due_at < now() + interval '1 minute'";
        self.places.count(busy).await == 0
    }

    async fn make_due(&self) {
        let mut tx = self.uncounted().await;
        sqlx::query(DUE).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Not to be taken for a commit of the service's.
    async fn uncounted(&self) -> Transaction<'static, Postgres> {
        let mut tx = self.pool.begin().await.unwrap();
        sqlx::query("select set_config('crash.counted', pg_current_xact_id()::text, true)")
            .execute(&mut *tx)
            .await
            .unwrap();
        tx
    }
}

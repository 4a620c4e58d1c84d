//! Refunds: by an operator, and by an accepted withdrawal.

use proto::checkout::v1::DeclareWithdrawalRequest;
use tokio::process::Command;
use tonic::Status;

use super::actions::{OrLater, later};
use super::{Actor, Sweep};

impl Sweep {
    pub async fn refund(&self, actor: &Actor) -> Result<(), Status> {
        match self.refund_of(&actor.user_id).await.as_deref() {
            Some("succeeded") => Ok(()),
            Some(_) => Err(later("not given yet")),
            None => {
                let ticket = format!("T-{}", actor.number);
                self.run(&["refund", &actor.before, "--ticket", &ticket]).await?;
                Err(later("intended"))
            }
        }
    }

    pub async fn withdraw(&self, actor: &Actor) -> Result<(), Status> {
        let refund = self.refund_of(&actor.user_id).await;
        if let Some(state) = refund {
            (state == "succeeded").or_later("given")?;
            return (self.owned(actor).await?.status == "canceled").or_later("ended");
        }
        let request = DeclareWithdrawalRequest {
            full_name: "A Buyer".into(),
            email: format!("buyer{}@example.com", actor.number),
            reference: actor.before.clone(),
            language: "en".into(),
            idempotency_key: format!("withdrawal-{}", actor.number),
            ..Default::default()
        };
        let declared = self.fixture.client().declare_withdrawal(request).await?;
        let id = declared.into_inner().withdrawal_id;
        self.run(&["withdrawals", "accept", &id, "--order", &actor.before])
            .await?;
        Err(later("accepted"))
    }

    /// Its state; there is never more than one.
    pub async fn refund_of(&self, user_id: &str) -> Option<String> {
        sqlx::query_scalar("select refund.state from refund join orders using (order_id) where user_id = $1")
            .bind(user_id)
            .fetch_optional(&self.pool)
            .await
            .unwrap()
    }

    /// The operator's command line. It is killed with the service.
    async fn run(&self, words: &[&str]) -> Result<(), Status> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_checkout"));
        let ended = command
            .args(words)
            .env("CHECKOUT_DATABASE_URL", self.fixture.host.database_url())
            .kill_on_drop(true)
            .output()
            .await
            .unwrap();
        ended.status.success().or_later("done")
    }
}

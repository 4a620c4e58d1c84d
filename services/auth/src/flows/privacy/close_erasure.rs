//! Finishes an erasure once every service has reported: deletes the member's events and queues the receipt.
use std::sync::Arc;

use anyhow::Context as _;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::erasure::{ErasedData, ErasureHandler, ErasureJob, Prepared};
use proto::events::v1::MemberDataErased;
use sqlx::PgConnection;

use crate::domain::erasure::{ErasureId, ServiceReport};
use crate::domain::mail::Template;
use crate::emit;
use crate::flows::Context;
use crate::store::erasure;
use crate::store::mail::{self, NewMail};

pub struct AccountCloser(pub Arc<Context>);

#[async_trait]
impl ErasureHandler for AccountCloser {
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared> {
        let id = erasure_id(job)?;
        let mut connection = self.0.pool.acquire().await?;
        let erasure = erasure::by_id(&mut connection, id).await?;
        let erasure = erasure.context("the erasure is not on record")?;
        Ok(if erasure.is_complete() {
            Prepared::Ready
        } else {
            Prepared::NotYet
        })
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        let id = erasure_id(job)?;
        let now = self.0.clock.now();
        if let Some(farewell) = erasure::finish(tx, id, now).await? {
            let receipt = NewMail {
                lang: farewell.lang.as_deref(),
                former_email: Some(&farewell.recipient),
                ..NewMail::without_recipient(Template::AccountErased, now)
            };
            mail::insert(tx, &receipt).await?;
            emit::account_erased(tx, &self.0.clock, id).await?;
        }
        Ok(ErasedData::default())
    }
}

/// A service is done.
pub async fn record_erasure_report(
    tx: &mut PgConnection,
    event: MemberDataErased,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let Ok(id) = event.erasure_id.parse() else {
        return Ok(());
    };
    let report = ServiceReport {
        service: event.service,
        erased_at: Some(at),
        kept: event.kept,
    };
    erasure::record_report(tx, id, &report).await
}

fn erasure_id(job: &ErasureJob) -> anyhow::Result<ErasureId> {
    Ok(job.erasure_id.parse()?)
}

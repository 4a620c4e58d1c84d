//! Sends queued mails: lease, send, delete. After a crash between sending and deleting, the mail is sent again under the same
//! id. Replicas share the queue.
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::due_queue::{FailedAttempt, report_backlog};
use kit::reconciler::{Reconciler, reconcile};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::domain::email::Email;
use crate::domain::mail::{RETRIES, RenderedMail, Template};
use crate::error::Error;
use crate::flows::Context;
use crate::mail::MailParams;
use crate::ports::MailerError;
use crate::store::mail::{self, DueMail};

/// In real time: due times are of the virtual clock.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Longer than a whole batch takes of a server that lets every mail run into its timeout.
const LEASE: TimeDelta = TimeDelta::minutes(2);

pub async fn send_mails(context: Arc<Context>, shutdown: CancellationToken) {
    let rows = metrics::gauge!("auth_mail_queue_size");
    let age_secs = metrics::gauge!("auth_mail_queue_age_seconds");
    tokio::select! {
        () = reconcile(MailSender(Arc::clone(&context)), POLL_INTERVAL, shutdown) => {}
        () = report_backlog(rows, age_secs, || mail::backlog(&context.pool, context.clock.now())) => {}
    }
}

struct MailSender(Arc<Context>);

#[async_trait]
impl Reconciler for MailSender {
    type Item = DueMail;
    type Error = Error;
    const NAME: &'static str = "send-mails";
    const BATCH: i64 = 12;

    async fn lease(&self, limit: i64) -> Result<Vec<DueMail>, Error> {
        let now = self.0.clock.now();
        Ok(mail::QUEUE.lease(&self.0.pool, now, LEASE, limit).await?)
    }

    fn id(mail: &DueMail) -> String {
        mail.id.to_string()
    }

    async fn process(&self, mail: DueMail) -> Result<(), Error> {
        deliver(&self.0, &mail).await
    }
}

async fn deliver(context: &Context, due: &DueMail) -> Result<(), Error> {
    let handed_over = match render_mail(context, due).await {
        Ok(mail) => context.mailer.send(&mail).await,
        Err(error) => Err(error),
    };
    let mut connection = context.pool.acquire().await?;
    let outcome = match handed_over {
        Ok(()) => {
            mail::delete(&mut connection, due.id).await?;
            "sent"
        }
        Err(MailerError::Rejected(why)) => {
            tracing::warn!(mail.id = %due.id, template = due.template, why, "mail rejected; dropped");
            mail::delete(&mut connection, due.id).await?;
            "rejected"
        }
        Err(MailerError::Deferred(why)) => retry_or_give_up(context, &mut connection, due, why).await?,
    };
    let template = due.template.clone();
    metrics::counter!("auth_mails_total", "template" => template, "outcome" => outcome).increment(1);
    Ok(())
}

/// The outcome in the metric.
async fn retry_or_give_up(
    context: &Context,
    connection: &mut PgConnection,
    due: &DueMail,
    why: String,
) -> Result<&'static str, sqlx::Error> {
    let failed = FailedAttempt {
        id: due.id.to_string(),
        attempts: due.attempts,
        created_at: due.created_at,
        error: why,
    };
    let Some(next) = mail::QUEUE.next_attempt(&RETRIES, &failed, context.clock.now()) else {
        mail::delete(connection, due.id).await?;
        return Ok("given_up");
    };
    let FailedAttempt { attempts, error, .. } = failed;
    tracing::info!(mail.id = %due.id, template = due.template, attempts, error, "mail deferred; retry scheduled");
    mail::QUEUE.postpone(connection, due.id, next).await?;
    Ok("deferred")
}

async fn render_mail(context: &Context, due: &DueMail) -> Result<RenderedMail, MailerError> {
    // A newer version has written it, and will send it.
    let template = Template::named(&due.template)
        .ok_or_else(|| MailerError::Deferred("mail_outbox.template is unknown".to_owned()))?;
    let token = due.link_id.map(|link_id| context.link_tokens.token(link_id));
    let unsent = |error: &dyn std::fmt::Display| MailerError::Deferred(error.to_string());
    // Asked for when it is written, and not kept.
    let withdrawal = match &due.withdrawal_id {
        Some(id) => Some(context.checkout.withdrawal(id).await?),
        None => None,
    };
    let to = match (&due.recipient, &withdrawal, &due.guest_order_id) {
        (Some(recipient), _, _) => Email::from(recipient.clone()),
        (None, Some(withdrawal), _) => withdrawal.email.clone(),
        (None, None, Some(order_id)) => context.checkout.guest(order_id).await?,
        (None, None, None) => return Err(MailerError::Rejected("the mail has no recipient".to_owned())),
    };
    let particulars = MailParams {
        withdrawal,
        order_id: due.guest_order_id.clone(),
        token,
        amount: due.amount().map_err(|error| unsent(&error))?,
        moment: due.moment,
        device: due.device.clone(),
        country: due.country.clone(),
    };
    let written = context.mail_templates.render(template, &due.lang, &particulars);
    let written = written.map_err(|error| unsent(&error))?;
    Ok(RenderedMail {
        id: due.id,
        to,
        subject: written.subject,
        text: written.text,
        html: written.html,
        created_at: due.created_at,
    })
}

//! Sends queued mails: lease, send, delete. After a crash between sending and deleting, the mail is sent again under the same
//! id. Replicas share the queue.
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::periodic::ticks;
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::domain::email::Email;
use crate::domain::mail::{RenderedMail, Template, retry_delay};
use crate::error::Error;
use crate::flows::Context;
use crate::mail::MailParams;
use crate::ports::MailerError;
use crate::store::mail::{self, DueMail};

/// In real time: what is due is decided by the clock of the house.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
const GAUGE_INTERVAL: Duration = Duration::from_secs(10);
const BATCH: i64 = 12;
const CONCURRENCY: usize = 4;

/// Longer than a whole batch takes of a server that lets every mail run into its timeout.
const LEASE: TimeDelta = TimeDelta::minutes(2);

pub async fn send_mails(context: Arc<Context>, shutdown: CancellationToken) {
    tokio::select! {
        () = send_until(&context, &shutdown) => {}
        () = report_backlog(&context) => {}
    }
}

/// A batch that was begun is finished: what is leased and left would be late.
async fn send_until(context: &Context, shutdown: &CancellationToken) {
    while !shutdown.is_cancelled() {
        match send_due(context).await {
            Ok(sent) if sent == BATCH.unsigned_abs() => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "mail queue unreadable; retrying"),
        }
        shutdown
            .run_until_cancelled(tokio::time::sleep(POLL_INTERVAL))
            .await;
    }
}

/// How many were due.
async fn send_due(context: &Context) -> Result<u64, Error> {
    let now = context.clock.now();
    let mut connection = context.pool.acquire().await?;
    let due = mail::lease_due(&mut connection, now, now + LEASE, BATCH).await?;
    drop(connection);
    let count = u64::try_from(due.len()).unwrap_or(u64::MAX);
    futures::stream::iter(due)
        .for_each_concurrent(CONCURRENCY, |mail| async move {
            if let Err(error) = deliver(context, &mail).await {
                tracing::warn!(mail.id = %mail.id, %error, "mail outcome not stored; the lease expires and the mail is sent again");
            }
        })
        .await;
    Ok(count)
}

async fn deliver(context: &Context, due: &DueMail) -> Result<(), Error> {
    let handed_over = match render_mail(context, due).await {
        Ok(mail) => context.mailer.send(&mail).await,
        Err(fault) => Err(fault),
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
        Err(MailerError::Deferred(why)) => {
            tracing::info!(mail.id = %due.id, template = due.template, attempts = due.attempts, why, "mail deferred; retry scheduled");
            postpone(context, &mut connection, due).await?;
            "deferred"
        }
    };
    let template = due.template.clone();
    metrics::counter!("auth_mails_total", "template" => template, "outcome" => outcome).increment(1);
    Ok(())
}

async fn render_mail(context: &Context, due: &DueMail) -> Result<RenderedMail, MailerError> {
    // A newer version has written it, and will send it.
    let template = Template::named(&due.template)
        .ok_or_else(|| MailerError::Deferred("mail_outbox.template is unknown".to_owned()))?;
    let token = due.link_id.map(|link_id| context.link_tokens.token(link_id));
    let unsent = |fault: &dyn std::fmt::Display| MailerError::Deferred(fault.to_string());
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
        amount: due.amount().map_err(|fault| unsent(&fault))?,
        moment: due.moment,
    };
    let written = context.mail_templates.render(template, &due.lang, &particulars);
    let written = written.map_err(|fault| unsent(&fault))?;
    Ok(RenderedMail {
        id: due.id,
        to,
        subject: written.subject,
        text: written.text,
        html: written.html,
        created_at: due.created_at,
    })
}

async fn postpone(
    context: &Context,
    connection: &mut PgConnection,
    due: &DueMail,
) -> Result<(), sqlx::Error> {
    let longest = retry_delay(due.attempts).num_milliseconds();
    // Not all at once when the server is back.
    let wait = TimeDelta::milliseconds(rand::random_range(longest / 2..=longest));
    mail::postpone(connection, due.id, context.clock.now() + wait).await
}

async fn report_backlog(context: &Context) {
    let mut ticks = ticks(GAUGE_INTERVAL);
    loop {
        ticks.tick().await;
        let Ok(mut connection) = context.pool.acquire().await else {
            continue;
        };
        let Ok((waiting, oldest)) = mail::backlog(&mut connection).await else {
            continue;
        };
        let age = oldest.map_or(0, |oldest| (context.clock.now() - oldest).num_seconds());
        metrics::gauge!("auth_mail_queue_size").set(to_gauge(waiting));
        metrics::gauge!("auth_mail_queue_age_seconds").set(to_gauge(age));
    }
}

/// Gauges are floats by definition of the exposition format; a count beyond `u32` has long been an alarm.
fn to_gauge(value: i64) -> f64 {
    f64::from(u32::try_from(value.max(0)).unwrap_or(u32::MAX))
}

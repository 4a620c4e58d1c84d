//! The wiring of auth.

mod access;
pub mod cli;

use std::sync::Arc;

use anyhow::Context as _;
use chrono::TimeDelta;
use kit::erasure::Erasure;
use kit::periodic;
use kit::run::{DatabaseService, Service, ServiceContext, Task};
use proto::auth::v1::auth_service_server::AuthServiceServer;
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use crate::clients::breached_passwords::RangeApi;
use crate::clients::checkout::CheckoutGrpc;
use crate::clients::smtp::Smtp;
use crate::clients::social::Providers;
use crate::config::Config;
use crate::consumers::{
    ERASURE_REPORTS, ErasureReports, PURCHASES, Purchases, REFUNDS, Refunds, SUBSCRIPTIONS, Subscriptions,
    WITHDRAWALS, Withdrawals,
};
use crate::crypto::access_tokens::KeyCipher;
use crate::crypto::links::LinkTokens;
use crate::crypto::passwords::Passwords;
use crate::crypto::pseudonyms::Pseudonyms;
use crate::crypto::second_factors::SecondFactorKeys;
use crate::flows::{self, AccessTokens, AccountCloser, Context};
use crate::mail::MailTemplates;
use crate::ports::BreachedPasswords;
use crate::rpc::AuthRpc;

pub use access::ACCESS;

pub static MIGRATIONS: Migrator = sqlx::migrate!();

const PURGE_INTERVAL: TimeDelta = TimeDelta::minutes(1);

pub async fn start(app: ServiceContext, config: Config) -> anyhow::Result<DatabaseService> {
    let context = Arc::new(Context {
        pool: app.pool.clone(),
        clock: app.clock.clone(),
        passwords: Passwords::new(config.hashing)?,
        pseudonyms: Pseudonyms::new(&config.email_hash_key)?,
        link_tokens: LinkTokens::new(&config.link_key)?,
        lifetime: config.lifetime,
        rotation: config.rotation,
        throttles: config.throttles,
        ttls: config.ttls,
        access_tokens: AccessTokens {
            cipher: KeyCipher::new(&config.signing_secret)
                .map_err(|_| anyhow::anyhow!("AUTH_SIGNING_SECRET cannot be made a key"))?,
            rotation: config.key_rotation,
            issuer: config.issuer.clone(),
        },
        mail_templates: MailTemplates::new(config.issuer).context("reading the words of the mails")?,
        mailer: Arc::new(Smtp::new(config.smtp.server, config.smtp.from)),
        checkout: Arc::new(CheckoutGrpc::new(&app.directory)),
        identity_providers: Providers::new(config.social)
            .context("setting up the providers of sign-in")?
            .all(),
        second_factor_keys: SecondFactorKeys::new(&config.second_factor_key)
            .map_err(|_| anyhow::anyhow!("AUTH_SECOND_FACTOR_KEY cannot be made a key"))?,
        breached_passwords: breached_passwords(config.breached_passwords_url)?,
    });

    flows::rotate_signing_keys(&context)
        .await
        .context("making a key for access tokens")?;
    let closer = AccountCloser(Arc::clone(&context));
    let purchases = Purchases(Arc::clone(&context));
    let refunds = Refunds(Arc::clone(&context));
    let subscriptions = Subscriptions(Arc::clone(&context));
    let withdrawals = Withdrawals(Arc::clone(&context));
    let sending = flows::send_mails(Arc::clone(&context), app.shutdown.clone());
    let purging = purge_periodically(Arc::clone(&context), app.shutdown.clone());
    Ok(Service::new()
        .grpc(AuthServiceServer::new(AuthRpc::new(context)))
        .task(app.consume(ERASURE_REPORTS, ErasureReports))
        .task(app.consume(PURCHASES, purchases))
        .task(app.consume(REFUNDS, refunds))
        .task(app.consume(SUBSCRIPTIONS, subscriptions))
        .task(app.consume(WITHDRAWALS, withdrawals))
        .task(Task::new("auth.purge", purging))
        .task(Task::new("auth.mails", sending))
        .erasure(Erasure::own_requests(closer)))
}

fn breached_passwords(url: Option<String>) -> anyhow::Result<Option<Arc<dyn BreachedPasswords>>> {
    let Some(url) = url else {
        return Ok(None);
    };
    let client = RangeApi::new(url).context("setting up the service of breached passwords")?;
    Ok(Some(Arc::new(client)))
}

async fn purge_periodically(context: Arc<Context>, shutdown: CancellationToken) {
    let clock = &context.clock;
    periodic::every_by_clock(clock, PURGE_INTERVAL, "purge-expired", &shutdown, || async {
        let purged = flows::purge_expired(&context).await;
        flows::rotate_signing_keys(&context).await.and(purged)
    })
    .await;
}

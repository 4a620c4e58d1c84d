//! `checkout ledger check`, `checkout refund` and `checkout webhooks replay`. No command calls a provider: a running service
//! executes what the command stored.

use std::io::Write;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use kit::clock::Clock;
use kit::config::Env;
use kit::database::Pool;

use super::{Verdict, block_on, database};
use crate::domain::ids::OrderId;
use crate::domain::provider::Provider;
use crate::domain::webhook_event::ReplayOutcome;
use crate::flows::api::operations::list_for_operators::{list_balances, list_dead_lettered_webhooks};
use crate::flows::api::operations::replay_webhook::replay_webhook;
use crate::flows::api::operations::request_refund::{RequestRefund, request_refund};
use crate::flows::jobs::check_invariants::find_violations;
use crate::providers::read_stored;

#[derive(Debug, Subcommand)]
pub enum Noun {
    /// The ledger.
    #[command(subcommand)]
    Ledger(LedgerVerb),
    /// Refunds an order: the given amount, or the rest.
    Refund(RefundArgs),
    /// Webhook events of providers.
    #[command(subcommand)]
    Webhooks(WebhooksVerb),
}

#[derive(Debug, Subcommand)]
pub enum LedgerVerb {
    /// Prints the balance of each ledger account and checks the invariants of every order; changes nothing.
    Check,
}

#[derive(Debug, Args)]
pub struct RefundArgs {
    /// The order, such as `ord_0192f0c0a0007000800000000000000a`.
    order: OrderId,
    /// Amount in the minor unit of the order's currency.
    amount_minor: Option<i64>,
    /// A reference of your own. Repeats with the same ticket refund once.
    #[arg(long)]
    ticket: String,
}

#[derive(Debug, Subcommand)]
pub enum WebhooksVerb {
    /// Schedules a stored webhook event for processing.
    Replay(ReplayArgs),
    /// Prints the dead-lettered webhook events and their errors; changes nothing.
    Dead,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[arg(value_parser = PossibleValuesParser::new(Provider::ALL.map(Provider::name)))]
    provider: String,
    event_id: String,
}

pub fn execute(noun: &Noun, env: &Env, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    block_on(async {
        let pool = database(env).await?;
        match noun {
            Noun::Ledger(LedgerVerb::Check) => check(&pool, out).await,
            Noun::Refund(args) => refund(args, &pool, out).await,
            Noun::Webhooks(WebhooksVerb::Replay(args)) => replay(args, &pool, out).await,
            Noun::Webhooks(WebhooksVerb::Dead) => dead(&pool, out).await,
        }
    })
}

async fn check(pool: &Pool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    for (account, currency, minor) in list_balances(pool).await? {
        writeln!(out, "{account:<20} {currency} {minor:>15}")?;
    }
    let found = find_violations(pool).await?;
    for violation in &found {
        writeln!(out, "{violation}")?;
    }
    writeln!(out, "{} rules broken", found.len())?;
    Ok(if found.is_empty() {
        Verdict::Good
    } else {
        Verdict::Invalid
    })
}

async fn refund(args: &RefundArgs, pool: &Pool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let request = RequestRefund {
        order_id: args.order,
        amount_minor: args.amount_minor,
        ticket: args.ticket.clone(),
    };
    let refund = request_refund(pool, &Clock::system(), &request).await?;
    writeln!(
        out,
        "{} {} {}",
        refund.refund_id,
        refund.amount,
        refund.state.name()
    )?;
    Ok(Verdict::Good)
}

async fn dead(pool: &Pool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    const SHOWN_MAX: i64 = 1000;

    let dead = list_dead_lettered_webhooks(pool, SHOWN_MAX).await?;
    for (provider, event_id, kind, error) in &dead {
        writeln!(out, "{provider} {event_id} {kind}: {error}")?;
    }
    writeln!(out, "{} given up", dead.len())?;
    Ok(if dead.is_empty() {
        Verdict::Good
    } else {
        Verdict::Invalid
    })
}

async fn replay(args: &ReplayArgs, pool: &Pool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let ReplayArgs { provider, event_id } = args;
    let known = Provider::named(provider).context("no such provider")?;
    let said = match replay_webhook(pool, known, event_id, read_stored).await? {
        ReplayOutcome::Scheduled(payment_id) => format!("{payment_id} is looked into"),
        ReplayOutcome::Foreign => "is about nothing of ours".to_owned(),
        ReplayOutcome::Erased => "belongs to an erased member".to_owned(),
        ReplayOutcome::Unknown => anyhow::bail!("{provider} has no stored webhook {event_id}"),
    };
    writeln!(out, "{event_id}: {said}")?;
    Ok(Verdict::Good)
}

//! `checkout withdrawals`: lists, accepts and erases declared withdrawals. It calls no provider: a
//! running service refunds, ends the subscription and emits the events.

use std::io::Write;

use clap::{Args, Subcommand};
use kit::clock::Clock;
use kit::config::Env;
use kit::database::Pool;

use super::{Verdict, block_on, database};
use crate::domain::ids::{OrderId, UserId, WithdrawalId};
use crate::domain::withdrawal::Withdrawal;
use crate::flows::api::operations::accept_withdrawal::accept_withdrawal;
use crate::flows::api::operations::list_for_operators::list_withdrawals;
use crate::flows::privacy::erase_withdrawal::erase_withdrawal;

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Prints the declared withdrawals, newest first; changes nothing.
    List,
    /// Refunds the captures of an order within the withdrawal period and terminates its subscription. Repeats have no
    /// effect.
    Accept(AcceptArgs),
    /// Erases the personal data of a declaration. Its refund and termination stay.
    Erase(EraseArgs),
}

#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The declaration, such as `wdr_0192f0c0a0007000800000000000000a`.
    withdrawal: WithdrawalId,
    /// The withdrawn order, such as `ord_0192f0c0a0007000800000000000000a`.
    #[arg(long)]
    order: OrderId,
}

#[derive(Debug, Args)]
pub struct EraseArgs {
    withdrawal: WithdrawalId,
}

pub fn execute(verb: &Verb, env: &Env, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    block_on(async {
        let pool = database(env).await?;
        match verb {
            Verb::List => list(&pool, out).await?,
            Verb::Accept(args) => accept(args, &pool, out).await?,
            Verb::Erase(args) => erase(args, &pool, out).await?,
        }
        Ok(Verdict::Good)
    })
}

async fn list(pool: &Pool, out: &mut dyn Write) -> anyhow::Result<()> {
    const SHOWN_MAX: i64 = 1000;

    let declared = list_withdrawals(pool, SHOWN_MAX).await?;
    for withdrawal in &declared {
        writeln!(out, "{}", line(withdrawal))?;
    }
    let open = declared.iter().filter(|withdrawal| withdrawal.accepted.is_none());
    writeln!(
        out,
        "{} withdrawals, {} not accepted",
        declared.len(),
        open.count()
    )?;
    Ok(())
}

fn line(withdrawal: &Withdrawal) -> String {
    let declaration = &withdrawal.declaration;
    let who = if withdrawal.is_erased() {
        "erased".to_owned()
    } else {
        format!("{} <{}>", declaration.full_name, declaration.email)
    };
    let member = withdrawal.user_id.as_ref().map_or("visitor", UserId::as_str);
    let state = match &withdrawal.accepted {
        Some(accepted) => format!("accepted for {}", accepted.order_id),
        None => "open".to_owned(),
    };
    format!(
        "{} {} {state} {member} {who} {:?}",
        withdrawal.withdrawal_id,
        withdrawal.received_at.format("%Y-%m-%dT%H:%M:%SZ"),
        declaration.reference
    )
}

async fn accept(args: &AcceptArgs, pool: &Pool, out: &mut dyn Write) -> anyhow::Result<()> {
    let accepted = accept_withdrawal(pool, &Clock::system(), args.withdrawal, args.order).await?;
    let back = accepted
        .refunded
        .map_or_else(|| "nothing".to_owned(), |amount| amount.to_string());
    writeln!(
        out,
        "{} accepted for {}: {back} goes back",
        args.withdrawal, args.order
    )?;
    Ok(())
}

async fn erase(args: &EraseArgs, pool: &Pool, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_new = erase_withdrawal(pool, &Clock::system(), args.withdrawal).await?;
    let said = if is_new { "erased" } else { "was erased before" };
    writeln!(out, "{} {said}", args.withdrawal)?;
    Ok(())
}

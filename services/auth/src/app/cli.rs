//! The command line: `auth roles grant`, `revoke` and `list` for operators.
//!
//! Commands read and write the service's database and need no running service. A running service publishes the events.
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ColorChoice, Parser, Subcommand};
use kit::clock::Clock;
use kit::config::Env;
use kit::database::Pool;

use crate::app;
use crate::domain::email::Email;
use crate::domain::user::role::Role;
use crate::flows::roles::{self, RoleChange};

/// There is no such account; nothing was changed.
const INVALID: u8 = 1;
/// The database is not accessible.
const FAILED: u8 = 2;
/// The arguments are invalid.
const USAGE: u8 = 64;

/// Grants, revokes and lists roles of accounts.
#[derive(Debug, Parser)]
#[command(name = "auth", color = ColorChoice::Never, disable_version_flag = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 unknown account, 2 failed, 64 wrong arguments.\n\
    Without a command it runs the auth service."
)]
pub struct Command {
    #[command(subcommand)]
    noun: Noun,
}

#[derive(Debug, Subcommand)]
enum Noun {
    /// Roles of accounts: coach, `company_administrator`, operator.
    #[command(subcommand)]
    Roles(Verb),
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Grants a role. The account uses it after a sign-in with its second factor.
    Grant(Grant),
    /// Revokes a role, at once.
    Revoke(Grant),
    /// Prints the roles of an account; changes nothing.
    List(Account),
}

#[derive(Debug, Args)]
struct Account {
    /// The e-mail address of the account.
    email: String,
}

#[derive(Debug, Args)]
struct Grant {
    #[command(flatten)]
    account: Account,
    /// coach, `company_administrator` or operator
    role: Role,
}

/// The outcome of a command that could be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Invalid,
}

impl Command {
    /// `None` if the arguments belong to the service, not to the command line.
    pub fn parse(arguments: &[String]) -> Option<Result<Self, clap::Error>> {
        const HELP: [&str; 3] = ["help", "--help", "-h"];
        let first = arguments.first()?.as_str();
        (<Noun as Subcommand>::has_subcommand(first) || HELP.contains(&first)).then(|| {
            Self::try_parse_from(std::iter::once("auth").chain(arguments.iter().map(String::as_str)))
        })
    }
}

/// Executes the command and returns its exit code.
pub fn run(command: Result<Command, clap::Error>) -> ExitCode {
    let command = match command {
        Ok(command) => command,
        Err(answer) => {
            let _ = answer.print();
            return ExitCode::from(if answer.use_stderr() { USAGE } else { 0 });
        }
    };
    let Noun::Roles(verb) = command.noun;
    match execute(&verb, &Env::from_process(), &mut io::stdout()) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Invalid) => ExitCode::from(INVALID),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn execute(verb: &Verb, env: &Env, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (Verb::Grant(Grant { account, .. }) | Verb::Revoke(Grant { account, .. }) | Verb::List(account)) =
        verb;
    let Ok(email) = Email::parse(&account.email) else {
        writeln!(out, "this is no e-mail address")?;
        return Ok(Verdict::Invalid);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(apply(verb, &email, env, out))
}

async fn apply(verb: &Verb, email: &Email, env: &Env, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (pool, clock) = (database(env).await?, Clock::system());
    let change = match verb {
        Verb::Grant(grant) => roles::grant_role(&pool, &clock, email, grant.role).await?,
        Verb::Revoke(grant) => roles::revoke_role(&pool, &clock, email, grant.role).await?,
        Verb::List(_) => return list(&pool, email, out).await,
    };
    let (line, verdict) = match change {
        RoleChange::Done => ("done", Verdict::Good),
        RoleChange::Unchanged => ("nothing to change", Verdict::Good),
        RoleChange::UnknownAccount => (UNKNOWN_ACCOUNT, Verdict::Invalid),
    };
    writeln!(out, "{line}")?;
    Ok(verdict)
}

const UNKNOWN_ACCOUNT: &str = "no account has this address";

async fn list(pool: &Pool, email: &Email, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let Some(listed) = roles::list_roles(pool, email).await? else {
        writeln!(out, "{UNKNOWN_ACCOUNT}")?;
        return Ok(Verdict::Invalid);
    };
    for role in &listed {
        writeln!(out, "{} since {}", role.role, role.granted_at.format("%Y-%m-%d"))?;
    }
    writeln!(out, "{} roles", listed.len())?;
    Ok(Verdict::Good)
}

async fn database(env: &Env) -> anyhow::Result<Pool> {
    let url = env.get("AUTH_DATABASE_URL").or_else(|| env.get("DATABASE_URL"));
    let url = url.context("set AUTH_DATABASE_URL or DATABASE_URL to the service's database")?;
    Ok(kit::database::open(url, "auth", &app::MIGRATIONS).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_not_ours_start_the_service() {
        let parse = |arguments: &[&str]| {
            let owned: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            Command::parse(&owned)
        };
        assert!(parse(&[]).is_none() && parse(&["--check-config"]).is_none());
        assert!(parse(&["roles", "grant", "ada@example.com", "coach"]).is_some_and(|parsed| parsed.is_ok()));
        assert!(parse(&["roles", "list", "ada@example.com"]).is_some_and(|parsed| parsed.is_ok()));
        assert!(parse(&["roles", "grant", "ada@example.com", "king"]).is_some_and(|parsed| parsed.is_err()));
    }
}

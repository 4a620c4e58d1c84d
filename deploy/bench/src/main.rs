//! `make bench`: the hot paths, measured side by side with nginx in one run on one machine.
//!
//! The figures that count are ratios: CPU per request and requests per second against nginx serving the bytes of our
//! own cached page, and for GraphQL the same against the least that could be done. Absolute CPU is printed too, so that a change of machine can be told from a change of ours.
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: the report is its output"
)]

mod accounts;
mod buyers;
mod cases;
mod graphql;
mod load;
mod nginx;
mod paying;
mod process;
mod report;
mod scale;
mod target;
mod yardstick;

use anyhow::Result;

use crate::cases::Figures;
use crate::graphql::Compared;
use crate::target::Target;
use crate::yardstick::Yardstick;

/// How often nginx and the gateway take turns; the median of the turns is quoted.
const TURNS: usize = 3;

#[tokio::main]
async fn main() -> Result<()> {
    // The provider can only be set once; an earlier one is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, rest @ ..] = arguments.as_slice()
        && verb == yardstick::VERB
    {
        return yardstick::serve(rest).await;
    }
    let target = Target::from_env(&kit::config::Env::from_process())?;
    let idle = target.memory();

    let page = cases::fetch_page(&target).await?;
    let nginx = nginx::Nginx::start(&page)?;
    let mut figures = Vec::new();
    let (reference, cached) = cases::page_against_nginx(&target, &nginx, TURNS)?;
    drop(nginx);
    figures.push(reference);
    figures.push(cached);
    let yardstick = Yardstick::start(&target.database_url, &graphql::answer(&target).await?)?;
    let compared = graphql::compare(&target, &yardstick, TURNS)?;
    drop(yardstick);
    for Compared {
        figures: ours,
        yardstick,
        ..
    } in &compared
    {
        figures.extend([yardstick.clone(), ours.clone()]);
    }
    let accounts = accounts::measure_accounts(&target, TURNS).await?;
    let Compared {
        figures: sign_in,
        yardstick: hash,
        ..
    } = &accounts.sign_in;
    figures.extend([accounts.session_check.clone(), hash.clone(), sign_in.clone()]);
    let quotes = paying::watched(&target, async || cases::campaign_quote(&target).await).await?;
    figures.push(quotes.figures.clone());
    figures.push(cases::event_ingest(&target).await?);
    let mut buyers = buyers::sign_up(&target).await?;
    buyers::warm_up(&target, &mut buyers).await?;
    let purchases = paying::watched(&target, async || buyers::subscriptions(&target, buyers).await).await?;
    figures.push(purchases.figures.clone());

    let loaded = target.memory();
    let scale = scale::measure_scale(&target, TURNS).await?;
    figures.extend([scale.few.clone(), scale.many.clone(), scale.anywhere.clone()]);

    report::print(&figures, &idle, &loaded);
    let [uncached, cached] = &compared;
    report::compare(&[uncached, cached, &accounts.sign_in], &scale);
    report::accounts(&accounts);
    report::paying(&[quotes, purchases]);
    fail_on_errors(&figures)
}

/// A figure of requests that failed says nothing: better no report than a wrong one.
fn fail_on_errors(figures: &[Figures]) -> Result<()> {
    for figure in figures {
        anyhow::ensure!(
            figure.errors == 0,
            "{}: {} requests failed",
            figure.name,
            figure.errors
        );
    }
    Ok(())
}

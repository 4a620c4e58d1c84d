//! `make bench`: the hot paths, measured side by side with nginx in one run on one machine.
//!
//! Ratios count: CPU per request and requests per second against nginx serving the bytes of our
//! own cached page, and for GraphQL against a minimal server. Absolute CPU shows whether the machine or our code has changed.
#![expect(
    clippy::print_stdout,
    reason = "a command line tool: the report is its output"
)]

mod accounts;
mod baseline;
mod buyers;
mod cases;
mod checkout_load;
mod graphql;
mod load;
mod nginx;
mod process;
mod report;
mod scale;
mod target;

use anyhow::Result;

use crate::baseline::Baseline;
use crate::cases::Figures;
use crate::graphql::Compared;
use crate::target::Target;

/// How often nginx and the gateway take turns; the median of the turns is quoted.
const TURNS: usize = 3;

#[tokio::main]
async fn main() -> Result<()> {
    // The provider can only be set once; an earlier one is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, rest @ ..] = arguments.as_slice()
        && verb == baseline::COMMAND
    {
        return baseline::serve(rest).await;
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
    let baseline = Baseline::start(&graphql::answer(&target).await?)?;
    let compared = graphql::compare(&target, &baseline, TURNS)?;
    drop(baseline);
    for Compared {
        figures: ours,
        baseline,
        ..
    } in &compared
    {
        figures.extend([baseline.clone(), ours.clone()]);
    }
    let accounts = accounts::measure_accounts(&target, TURNS).await?;
    let Compared {
        figures: sign_in,
        baseline: hash,
        ..
    } = &accounts.sign_in;
    figures.extend([accounts.session_check.clone(), hash.clone(), sign_in.clone()]);
    let quotes = checkout_load::sampled(&target, async || cases::campaign_quote(&target).await).await?;
    figures.push(quotes.figures.clone());
    figures.push(cases::event_ingest(&target).await?);
    let mut buyers = buyers::sign_up(&target).await?;
    buyers::warm_up(&target, &mut buyers).await?;
    let purchases =
        checkout_load::sampled(&target, async || buyers::subscriptions(&target, buyers).await).await?;
    figures.push(purchases.figures.clone());

    let loaded = target.memory();
    let scale = scale::measure_scale(&target, TURNS).await?;
    figures.extend([scale.few.clone(), scale.many.clone(), scale.anywhere.clone()]);

    report::print(&figures, &idle, &loaded);
    let [uncached, cached] = &compared;
    report::compare(&[uncached, cached, &accounts.sign_in], &scale);
    report::accounts(&accounts);
    report::checkout_load(&[quotes, purchases]);
    fail_on_errors(&figures)
}

/// Fails instead of reporting figures of failed requests.
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

//! The rules of good content, beyond what `blocks` refuses: between files, between locales, and between copy and
//! commerce. Pure: a read directory in, findings out.

mod amount;
mod campaigns;
mod colour;
mod contrast;
mod headings;
mod hreflang;
mod images;
mod lengths;
mod links;
mod locales;
mod promises;
mod site;
mod surveys;
mod wording;

pub use campaigns::Campaigns;
pub use promises::UNCHECKED;
use site::Site;

use crate::seed_dir::{LintFinding, SeedDir};

type Rule = fn(&Site<'_>, &mut Vec<LintFinding>);

const RULES: [Rule; 9] = [
    links::check,
    locales::check,
    hreflang::check,
    headings::check,
    images::check,
    contrast::check,
    lengths::check,
    wording::check,
    surveys::check,
];

/// Everything there is to say about a directory, in the order of its files and lines. Without campaigns, what the copy
/// promises is not checked; a warning states it if the content names a campaign.
pub fn check(dir: &SeedDir, campaigns: Option<&Campaigns>) -> Vec<LintFinding> {
    let site = Site::of(dir);
    let mut findings = dir.errors.clone();
    for rule in RULES {
        rule(&site, &mut findings);
    }
    match campaigns {
        Some(campaigns) => promises::check(&site, campaigns, &mut findings),
        None => promises::report_unchecked(&site, &mut findings),
    }
    findings.sort();
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests;

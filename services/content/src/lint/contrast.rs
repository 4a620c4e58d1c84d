//! Contrast of chosen colours.

use blocks::{ColourPair, GroundFound};

use super::colour::{Colour, Contrast};
use super::site::{LintFile, Section, Site};
use crate::seed_dir::LintFinding;

/// `toneOn` in `web/app/lib/format/colour.ts` chooses between these.
const TEXT_COLOURS: [&str; 2] = ["white", "ink"];

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        for section in &file.sections {
            let pairs = section.found.colours.iter();
            findings.extend(pairs.filter_map(|pair| check_pair(file, section, pair)));
            let grounds = section.found.grounds.iter();
            findings.extend(grounds.filter_map(|ground| check_ground(file, section, ground)));
        }
    }
}

fn check_pair(file: &LintFile<'_>, section: &Section, pair: &ColourPair) -> Option<LintFinding> {
    // An invalid colour is an error of its block.
    let (text, ground) = (pair.foreground.as_str(), pair.background.as_str());
    let (above, below) = (Colour::parse(text)?, Colour::parse(ground)?);
    let contrast = Contrast::of(above, below);
    (contrast < Contrast::ENOUGH).then(|| {
        let finding = file.error(&section.field(&pair.field), "CONTRAST");
        let message = format!(
            "{text} on {ground} has a contrast of {contrast}; {} is needed",
            Contrast::ENOUGH
        );
        finding
            .message(message)
            .fix("choose colours further apart, or take both out for the design's own.")
    })
}

/// The web app draws no ground on which neither of its text colours is readable.
fn check_ground(file: &LintFile<'_>, section: &Section, ground: &GroundFound) -> Option<LintFinding> {
    let colours: Vec<Colour> = ground
        .colours
        .iter()
        .map(|colour| Colour::parse(colour))
        .collect::<Option<_>>()?;
    let is_readable = |text: Colour| {
        colours
            .iter()
            .all(|&colour| Contrast::of(text, colour) >= Contrast::ENOUGH)
    };
    if TEXT_COLOURS
        .into_iter()
        .filter_map(Colour::parse)
        .any(is_readable)
    {
        return None;
    }
    let message = format!(
        "neither white nor ink is readable on {}; both need a contrast of {}",
        ground.colours.join(", "),
        Contrast::ENOUGH
    );
    let finding = file.error(&section.field(&ground.field), "CONTRAST");
    Some(
        finding
            .message(message)
            .fix("choose lighter or darker colours, or take them out for the design's own."),
    )
}

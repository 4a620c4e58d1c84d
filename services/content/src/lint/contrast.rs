//! Contrast of chosen colours.

use blocks::ColourPair;

use super::colour::{Colour, Contrast};
use super::site::{LintFile, Section, Site};
use crate::seed_dir::LintFinding;

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        for section in &file.sections {
            for pair in &section.found.colours {
                findings.extend(readable(file, section, pair));
            }
        }
    }
}

fn readable(file: &LintFile<'_>, section: &Section, pair: &ColourPair) -> Option<LintFinding> {
    // An invalid colour is a fault of its block.
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

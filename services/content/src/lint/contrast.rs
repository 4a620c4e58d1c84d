//! Chosen colours that somebody has to be able to read.

use super::colour::{Colour, Contrast};
use super::site::{Section, Sheet, Site};
use crate::seed_dir::Finding;

pub fn check(site: &Site<'_>, findings: &mut Vec<Finding>) {
    for sheet in &site.sheets {
        for section in &sheet.sections {
            for pair in &section.found.colours {
                let names = (pair.foreground.as_str(), pair.background.as_str());
                findings.extend(readable(sheet, section, &pair.field, names));
            }
        }
    }
}

fn readable(
    sheet: &Sheet<'_>,
    section: &Section,
    field: &str,
    (text, ground): (&str, &str),
) -> Option<Finding> {
    // What is no colour is a fault of its block.
    let (above, below) = (Colour::parse(text)?, Colour::parse(ground)?);
    let contrast = Contrast::of(above, below);
    (contrast < Contrast::ENOUGH).then(|| {
        let finding = sheet.error(&section.field(field), "CONTRAST");
        let message = format!(
            "{text} on {ground} has a contrast of {contrast}; {} is needed",
            Contrast::ENOUGH
        );
        finding
            .says(message)
            .fix("choose colours further apart, or take both out for the design's own.")
    })
}

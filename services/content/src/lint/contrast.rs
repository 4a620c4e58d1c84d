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
    let field = section.field(field);
    let unknown = |name: &str| {
        let finding = sheet.error(&field, "UNKNOWN_COLOUR");
        let finding = finding.says(format!("{name} is no colour of the design"));
        finding.fix(format!("write a hex colour, or one of {}.", Colour::tokens()))
    };
    let Some(above) = Colour::parse(text) else {
        return Some(unknown(text));
    };
    let Some(below) = Colour::parse(ground) else {
        return Some(unknown(ground));
    };
    let contrast = Contrast::of(above, below);
    (contrast < Contrast::ENOUGH).then(|| {
        let finding = sheet.error(&field, "CONTRAST");
        let message = format!(
            "{text} on {ground} has a contrast of {contrast}; {} is needed",
            Contrast::ENOUGH
        );
        finding
            .says(message)
            .fix("choose colours further apart, or take both out for the design's own.")
    })
}

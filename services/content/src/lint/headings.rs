//! The outline that people without sight move along: one title, and no step left out on the way down.

use blocks::{Model, Template, UserProfileUpdate};

use super::site::{Section, Sheet, Site};
use crate::domain::Locale;
use crate::seed_dir::Finding;

pub fn check(site: &Site<'_>, findings: &mut Vec<Finding>) {
    for (sheet, _) in site.pages() {
        let headings = outline(sheet);
        // A translation has the outline of the English page, and its faults are told there.
        let english = site
            .english(sheet.stem)
            .filter(|_| sheet.locale != Locale::default());
        if english.is_none_or(|english| levels(&outline(english)) != levels(&headings)) {
            titles(sheet, &headings, findings);
            steps(sheet, &headings, findings);
        }
    }
}

type Outline = Vec<(String, u8)>;

/// Where the profile form follows the page's own title, it is shown one level down.
fn lowered(sheet: &Sheet<'_>, section: &Section) -> u8 {
    let template = Template::SuccessPageTemplateWithUpdateProfile.name();
    let is_below = sheet.page().is_some_and(|page| page.template == template);
    u8::from(is_below && section.component == UserProfileUpdate::NAME)
}

fn outline(sheet: &Sheet<'_>) -> Outline {
    let sections = sheet.sections.iter();
    sections
        .flat_map(|section| {
            let headings = section.found.headings.iter();
            headings.map(|heading| {
                (
                    section.field(&heading.field),
                    heading.level + lowered(sheet, section),
                )
            })
        })
        .collect()
}

fn levels(outline: &Outline) -> Vec<u8> {
    outline.iter().map(|(_, level)| *level).collect()
}

fn titles(sheet: &Sheet<'_>, outline: &Outline, findings: &mut Vec<Finding>) {
    let mut titles = outline.iter().filter(|(_, level)| *level == 1);
    let Some((first, _)) = titles.next() else {
        let finding = sheet.error("sections", "NO_H1").says("the page has no h1");
        findings.push(
            finding.fix(
                "begin with a block that carries the title, such as Hero, or with a Heading of `tag: h1`.",
            ),
        );
        return;
    };
    for (second, _) in titles {
        let finding = sheet.error(second, "SECOND_H1");
        let finding = finding.says(format!("is a second h1; the first is {first}"));
        findings.push(
            finding.fix(
                "keep one title: make this an h2 (`tag: h2`, `##` in Markdown), or choose another block.",
            ),
        );
    }
}

fn steps(sheet: &Sheet<'_>, outline: &Outline, findings: &mut Vec<Finding>) {
    for pair in outline.windows(2) {
        let [(_, above), (field, level)] = pair else {
            continue;
        };
        if *level > above + 1 {
            let finding = sheet.error(field, "HEADING_SKIPPED");
            let finding = finding.says(format!("is an h{level} after an h{above}"));
            findings.push(finding.fix(format!("make it an h{}.", above + 1)));
        }
    }
}

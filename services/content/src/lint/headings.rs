//! Heading outline: one title, no skipped level.

use blocks::{Model, Template, UserProfileUpdate};

use super::site::{LintFile, Section, Site};
use crate::domain::Locale;
use crate::seed_dir::LintFinding;

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for (file, _) in site.pages() {
        let headings = outline(file);
        // A translation shares the English outline, which is checked once.
        let english = site
            .english(file.stem)
            .filter(|_| file.locale != Locale::default());
        if english.is_none_or(|english| levels(&outline(english)) != levels(&headings)) {
            titles(file, &headings, findings);
            steps(file, &headings, findings);
        }
    }
}

type Outline = Vec<(String, u8)>;

/// Where the profile form follows the page's own title, it is shown one level down.
fn lowered(file: &LintFile<'_>, section: &Section) -> u8 {
    let template = Template::SuccessPageTemplateWithUpdateProfile.name();
    let is_below = file.page().is_some_and(|page| page.template == template);
    u8::from(is_below && section.component == UserProfileUpdate::NAME)
}

fn outline(file: &LintFile<'_>) -> Outline {
    let sections = file.sections.iter();
    sections
        .flat_map(|section| {
            let headings = section.found.headings.iter();
            headings.map(|heading| {
                (
                    section.field(&heading.field),
                    heading.level + lowered(file, section),
                )
            })
        })
        .collect()
}

fn levels(outline: &Outline) -> Vec<u8> {
    outline.iter().map(|(_, level)| *level).collect()
}

fn titles(file: &LintFile<'_>, outline: &Outline, findings: &mut Vec<LintFinding>) {
    let mut titles = outline.iter().filter(|(_, level)| *level == 1);
    let Some((first, _)) = titles.next() else {
        let finding = file.error("sections", "NO_H1").message("the page has no h1");
        findings.push(
            finding.fix(
                "begin with a block that carries the title, such as Hero, or with a Heading of `tag: h1`.",
            ),
        );
        return;
    };
    for (second, _) in titles {
        let finding = file.error(second, "SECOND_H1");
        let finding = finding.message(format!("is a second h1; the first is {first}"));
        findings.push(
            finding.fix(
                "keep one title: make this an h2 (`tag: h2`, `##` in Markdown), or choose another block.",
            ),
        );
    }
}

fn steps(file: &LintFile<'_>, outline: &Outline, findings: &mut Vec<LintFinding>) {
    for pair in outline.windows(2) {
        let [(_, above), (field, level)] = pair else {
            continue;
        };
        if *level > above + 1 {
            let finding = file.error(field, "HEADING_SKIPPED");
            let finding = finding.message(format!("is an h{level} after an h{above}"));
            findings.push(finding.fix(format!("make it an h{}.", above + 1)));
        }
    }
}

//! Texts too long for their position.

use super::site::{LintFile, Site};
use crate::seed_dir::LintFinding;

const LONGEST_SEO_TITLE: usize = 65;
const LONGEST_SEO_DESCRIPTION: usize = 170;
/// Three lines on a phone.
const LONGEST_TITLE: usize = 70;

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for (file, page) in site.pages() {
        long(file, "seo.title", &page.seo.title, LONGEST_SEO_TITLE, findings);
        let description = &page.seo.description;
        long(
            file,
            "seo.description",
            description,
            LONGEST_SEO_DESCRIPTION,
            findings,
        );
        for section in &file.sections {
            let titles = section.found.headings.iter().filter(|heading| heading.level == 1);
            for title in titles {
                let field = section.field(&title.field);
                long(file, &field, &title.text, LONGEST_TITLE, findings);
            }
        }
    }
}

fn long(file: &LintFile<'_>, field: &str, text: &str, most: usize, findings: &mut Vec<LintFinding>) {
    let length = text.chars().count();
    if length > most {
        let finding = file.warning(field, "LONG");
        let finding = finding.message(format!("has {length} characters; there is room for {most}"));
        findings.push(finding.fix("shorten it."));
    }
}

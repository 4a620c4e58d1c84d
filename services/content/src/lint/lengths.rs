//! Texts too long for where they stand.

use super::site::{Sheet, Site};
use crate::seed_dir::Finding;

const LONGEST_SEO_TITLE: usize = 65;
const LONGEST_SEO_DESCRIPTION: usize = 170;
/// Three lines on a phone.
const LONGEST_TITLE: usize = 70;

pub fn check(site: &Site<'_>, findings: &mut Vec<Finding>) {
    for (sheet, page) in site.pages() {
        long(sheet, ("seo.title", &page.seo.title), LONGEST_SEO_TITLE, findings);
        let description = ("seo.description", page.seo.description.as_str());
        long(sheet, description, LONGEST_SEO_DESCRIPTION, findings);
        for section in &sheet.sections {
            let titles = section.found.headings.iter().filter(|heading| heading.level == 1);
            for title in titles {
                let field = section.field(&title.field);
                long(sheet, (&field, &title.text), LONGEST_TITLE, findings);
            }
        }
    }
}

fn long(sheet: &Sheet<'_>, (field, text): (&str, &str), most: usize, findings: &mut Vec<Finding>) {
    let length = text.chars().count();
    if length > most {
        let finding = sheet.warning(field, "LONG");
        let finding = finding.says(format!("has {length} characters; there is room for {most}"));
        findings.push(finding.fix("shorten it."));
    }
}

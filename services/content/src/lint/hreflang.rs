//! The versions of a page in other languages point at each other: what one of them says, all must.

use super::site::{Sheet, Site};
use crate::domain::{Locale, PageDraft};
use crate::seed_dir::Finding;

pub fn check(site: &Site<'_>, findings: &mut Vec<Finding>) {
    for (sheet, page) in site.pages() {
        canonical(site, sheet, page, findings);
        if sheet.locale == Locale::default() {
            continue;
        }
        let english = site.english(sheet.stem);
        if let Some(english) = english.and_then(Sheet::page) {
            one_way(sheet, page, english, findings);
        }
    }
}

fn one_way(sheet: &Sheet<'_>, page: &PageDraft, english: &PageDraft, findings: &mut Vec<Finding>) {
    if page.url_path != english.url_path {
        let finding = sheet.error("urlPath", "HREFLANG_PATH");
        let message = format!(
            "is {}, and {} in English: the two do not point at each other",
            page.url_path, english.url_path
        );
        findings.push(
            finding
                .says(message)
                .fix("use the English path; or rename the file, if it is another page."),
        );
    }
    if page.seo.noindex != english.seo.noindex {
        let finding = sheet.error("seo.noindex", "HREFLANG_NOINDEX");
        let message = format!("is {}, and {} in English", page.seo.noindex, english.seo.noindex);
        findings.push(
            finding
                .says(message)
                .fix("hide a page from search engines in all languages or in none."),
        );
    }
    if page.seo.canonical_path != english.seo.canonical_path {
        let finding = sheet.error("seo.canonicalPath", "HREFLANG_CANONICAL");
        let finding = finding.says("is not the canonical path of the English page");
        findings.push(finding.fix("use the English one, or none in both."));
    }
}

/// What stands for a page must be there, stand for itself and be open to search engines.
fn canonical(site: &Site<'_>, sheet: &Sheet<'_>, page: &PageDraft, findings: &mut Vec<Finding>) {
    let path = page.seo.canonical_path.as_str();
    if path.is_empty() || path == page.url_path {
        return;
    }
    let target = site.page(sheet.locale, path).and_then(Sheet::page);
    let message = match target {
        None if site.has(sheet.locale, path) => return,
        None => format!("{path} is not a page of this directory"),
        Some(target) if !["", path].contains(&target.seo.canonical_path.as_str()) => {
            format!("{path} names {} in turn", target.seo.canonical_path)
        }
        Some(target) if target.seo.noindex => format!("{path} is hidden from search engines"),
        Some(_) => return,
    };
    let finding = sheet.error("seo.canonicalPath", "CANONICAL").says(message);
    findings.push(finding.fix("name the page that stands for itself, or take the line out."));
}

//! Versions of a page in other languages link to each other.

use super::site::{LintFile, Site};
use crate::domain::{Locale, PageDraft};
use crate::seed_dir::LintFinding;

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for (file, page) in site.pages() {
        canonical(site, file, page, findings);
        if file.locale == Locale::default() {
            continue;
        }
        let english = site.english(file.stem);
        if let Some(english) = english.and_then(LintFile::page) {
            one_way(file, page, english, findings);
        }
    }
}

fn one_way(file: &LintFile<'_>, page: &PageDraft, english: &PageDraft, findings: &mut Vec<LintFinding>) {
    if page.url_path != english.url_path {
        let finding = file.error("urlPath", "HREFLANG_PATH");
        let message = format!(
            "is {}, and {} in English: the two do not point at each other",
            page.url_path, english.url_path
        );
        findings.push(
            finding
                .message(message)
                .fix("use the English path; or rename the file, if it is another page."),
        );
    }
    if page.seo.noindex != english.seo.noindex {
        let finding = file.error("seo.noindex", "HREFLANG_NOINDEX");
        let message = format!("is {}, and {} in English", page.seo.noindex, english.seo.noindex);
        findings.push(
            finding
                .message(message)
                .fix("hide a page from search engines in all languages or in none."),
        );
    }
    if page.seo.canonical_path != english.seo.canonical_path {
        let finding = file.error("seo.canonicalPath", "HREFLANG_CANONICAL");
        let finding = finding.message("is not the canonical path of the English page");
        findings.push(finding.fix("use the English one, or none in both."));
    }
}

/// What stands for a page must be there, stand for itself and be open to search engines.
fn canonical(site: &Site<'_>, file: &LintFile<'_>, page: &PageDraft, findings: &mut Vec<LintFinding>) {
    let path = page.seo.canonical_path.as_str();
    if path.is_empty() || path == page.url_path {
        return;
    }
    let target = site.page(file.locale, path).and_then(LintFile::page);
    let message = match target {
        None if site.has(file.locale, path) => return,
        None => format!("{path} is not a page of this directory"),
        Some(target) if !["", path].contains(&target.seo.canonical_path.as_str()) => {
            format!("{path} names {} in turn", target.seo.canonical_path)
        }
        Some(target) if target.seo.noindex => format!("{path} is hidden from search engines"),
        Some(_) => return,
    };
    let finding = file.error("seo.canonicalPath", "CANONICAL").message(message);
    findings.push(finding.fix("name the page that stands for itself, or take the line out."));
}

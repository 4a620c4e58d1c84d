//! Missing locales and untranslated texts.

use std::collections::BTreeMap;

use super::site::{LintFile, Site, TRANSLATED};
use crate::domain::Locale;
use crate::seed_dir::{LintFinding, LintLocation};

/// Shorter texts may well be the same in two languages.
const TELLING_WORDS: usize = 4;
const QUOTED_WORDS: usize = 6;

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    missing_chrome(site, findings);
    for file in &site.files {
        if file.locale == Locale::default() {
            missing_locales(site, file, findings);
        } else if let Some(english) = site.english(file.stem) {
            left_in_english(file, english, findings);
        }
    }
}

fn missing_chrome(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    let has_folder = |locale: &Locale| {
        let folder = format!("{locale}/");
        site.dir.names.iter().any(|name| name.starts_with(&folder))
    };
    for locale in Locale::ALL.into_iter().filter(|locale| !has_folder(locale)) {
        let file = format!("{locale}/navigation.yaml");
        let finding = LintFinding::error(LintLocation::top(&file.into()), "", "MISSING_CHROME");
        let finding = finding.message(format!("{locale} has no navigation and footer"));
        findings.push(
            finding
                .fix("write navigation.yaml and footer.yaml; they may be translations of the English ones."),
        );
    }
}

fn missing_locales(site: &Site<'_>, file: &LintFile<'_>, findings: &mut Vec<LintFinding>) {
    let missing: Vec<&str> = TRANSLATED
        .into_iter()
        .map(Locale::code)
        .filter(|locale| !site.dir.names.contains(&format!("{locale}/{}", file.stem)))
        .collect();
    // Missing chrome is reported as an error already.
    if !missing.is_empty() && (file.page().is_some() || file.stem.contains('/')) {
        let finding = file.warning("", "MISSING_LOCALES");
        let finding = finding.message(format!("is not written in {}", missing.join(", ")));
        findings.push(finding.fix(format!(
            "write {}.yaml in these folders; it may be a translation of this one.",
            file.stem
        )));
    }
}

/// Texts that are word for word the English ones, left out or copied.
fn left_in_english(file: &LintFile<'_>, english: &LintFile<'_>, findings: &mut Vec<LintFinding>) {
    let originals: BTreeMap<String, &str> = english
        .file
        .tree
        .texts()
        .into_iter()
        .map(|(field, text, _)| (field, text))
        .collect();
    for (field, text, _) in file.file.tree.texts() {
        let is_telling = text.split_whitespace().count() >= TELLING_WORDS;
        if is_telling && originals.get(&field) == Some(&text) {
            let finding = file.own_warning(&field, "LEFT_IN_ENGLISH");
            let finding = finding.message(format!("is the English text, “{}”", beginning(text)));
            findings.push(finding.fix("translate it."));
        }
    }
}

fn beginning(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let start = words[..words.len().min(QUOTED_WORDS)].join(" ");
    if words.len() > QUOTED_WORDS {
        format!("{start} …")
    } else {
        start
    }
}

//! The words we ship. That they are complete and fit is for `content lint`; here is what it cannot know.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");
/// What is translated in full.
const TRANSLATED: [&str; 10] = ["tr", "es", "de", "fr", "pt", "ru", "ja", "ar", "it", "ko"];
/// Shorter ones may be names, which stay as they are.
const SENTENCE_WORDS: usize = 5;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(file: &Path) -> Value {
    serde_yaml_ng::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.trim().to_owned()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn texts_of(file: &Path) -> Vec<String> {
    let mut found = Vec::new();
    texts(&read(file), &mut found);
    found
}

#[test]
fn nothing_shouts_and_nothing_is_a_placeholder() {
    for file in files(Path::new(SHIPPED)) {
        for text in texts_of(&file) {
            for wrong in ["!", "！", "—", "lorem", "Lorem", "TODO", "xxx"] {
                assert!(!text.contains(wrong), "{}: {text}", file.display());
            }
        }
    }
}

#[test]
fn no_sentence_is_left_in_english() {
    let english: BTreeSet<String> = files(&Path::new(SHIPPED).join("en"))
        .iter()
        .flat_map(|file| texts_of(file))
        .filter(|text| text.split_whitespace().count() >= SENTENCE_WORDS)
        .collect();
    let mut left = Vec::new();
    for locale in TRANSLATED {
        for file in files(&Path::new(SHIPPED).join(locale)) {
            let same = texts_of(&file).into_iter().filter(|text| english.contains(text));
            left.extend(same.map(|text| format!("{}: {text}", file.display())));
        }
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn the_annual_plan_comes_first() {
    let home = read(&Path::new(SHIPPED).join("en/home.yaml"));
    let sections = home["sections"].as_array().unwrap();
    let list = sections
        .iter()
        .find(|section| section["componentName"] == "PlanList");
    let plans = &list.unwrap()["plans"];
    assert_eq!(plans[0]["price"]["campaignName"], "web-annual");
    assert!(plans[0]["badge"].is_string());
    assert_eq!(plans[1]["price"]["campaignName"], "web-monthly");
}

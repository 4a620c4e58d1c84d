//! The words we ship: what every locale must have alike, and what none may say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");
const LOCALES: [&str; 3] = ["en", "tr", "ar"];
/// Read by machines or as names, so alike in every locale.
const NOT_TRANSLATED: [&str; 14] = [
    "componentName",
    "template",
    "pageType",
    "id",
    "icon",
    "artSeed",
    "campaignName",
    "campaign",
    "eventName",
    "eventSection",
    "status",
    "productId",
    "productCategory",
    "transactionType",
];

fn read(locale: &str, file: &str) -> Value {
    let text = fs::read_to_string(Path::new(SHIPPED).join(locale).join(file)).unwrap();
    serde_yaml_ng::from_str(&text).unwrap()
}

fn files(locale: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(Path::new(SHIPPED).join(locale)).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Every text with the path of its field.
fn texts(value: &Value, field: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((field.to_owned(), text.clone())),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                texts(item, &format!("{field}[{index}]"), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                texts(value, &format!("{field}.{name}"), found);
            }
        }
        _ => {}
    }
}

fn all_texts(locale: &str, file: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    texts(&read(locale, file), "", &mut found);
    found
}

#[test]
fn every_locale_has_the_same_pages_with_the_same_fields() {
    for locale in LOCALES {
        assert_eq!(files(locale), files("en"), "{locale}");
        for file in files("en") {
            let english = all_texts("en", &file);
            let own = all_texts(locale, &file);
            let fields =
                |texts: &[(String, String)]| texts.iter().map(|(field, _)| field.clone()).collect::<Vec<_>>();
            assert_eq!(fields(&own), fields(&english), "{locale}/{file}");
            for ((field, own), (_, english)) in own.iter().zip(&english) {
                let name = field.rsplit('.').next().unwrap();
                if NOT_TRANSLATED.contains(&name) {
                    assert_eq!(own, english, "{locale}/{file} {field}");
                }
            }
        }
    }
}

#[test]
fn nothing_shouts_and_nothing_is_a_placeholder() {
    for locale in LOCALES {
        for file in files(locale) {
            for (field, text) in all_texts(locale, &file) {
                for wrong in ["!", "！", "—", "lorem", "Lorem", "TODO", "xxx"] {
                    assert!(!text.contains(wrong), "{locale}/{file} {field}: {text}");
                }
            }
        }
    }
}

#[test]
fn no_text_is_left_in_english() {
    for locale in ["tr", "ar"] {
        for file in files(locale) {
            for ((field, own), (_, english)) in all_texts(locale, &file).iter().zip(all_texts("en", &file)) {
                let is_a_name = field.ends_with("personName");
                assert!(
                    !english.contains(' ') || is_a_name || *own != english,
                    "{locale}/{file} {field}: {own}"
                );
            }
        }
    }
}

#[test]
fn a_title_is_short_and_search_engines_get_a_description() {
    for locale in LOCALES {
        let home = read(locale, "home.yaml");
        let title = home["sections"][0]["title"].as_str().unwrap();
        assert!(title.split_whitespace().count() <= 9, "{title}");
        for file in files(locale)
            .iter()
            .filter(|file| !["navigation.yaml", "footer.yaml"].contains(&file.as_str()))
        {
            let description = read(locale, file)["seo"]["description"]
                .as_str()
                .unwrap()
                .chars()
                .count();
            assert!(
                (10..=160).contains(&description),
                "{locale}/{file}: {description} characters"
            );
        }
    }
}

#[test]
fn the_annual_plan_comes_first_and_the_page_has_what_it_promises() {
    for locale in LOCALES {
        let home = read(locale, "home.yaml");
        let block = |kind: &str| {
            let sections = home["sections"].as_array().unwrap();
            sections
                .iter()
                .find(|section| section["componentName"] == kind)
                .unwrap()
                .clone()
        };
        let plans = &block("PlanList")["plans"];
        assert_eq!(plans[0]["price"]["campaignName"], "web-annual");
        assert!(plans[0]["badge"].is_string());
        assert_eq!(plans[1]["price"]["campaignName"], "web-monthly");
        assert_eq!(block("Accordion")["items"].as_array().unwrap().len(), 6);
        assert_eq!(block("Testimonials")["testimonials"].as_array().unwrap().len(), 4);
        assert_eq!(block("FeatureCards")["items"].as_array().unwrap().len(), 3);
    }
}

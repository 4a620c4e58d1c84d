//! Checkout asks for a provider's capabilities, never for a provider.
//!
//! No identifier or string outside `providers/`, the configuration and the conversions contains a provider's name. Names of the
//! contract (RPCs, messages, fields, event subjects) may be used anywhere.

use std::collections::BTreeSet;

use super::allowed::{Counts, check_with};
use super::report;
use super::scan::{own_code, snake_case};
use super::tree::{read, root, shown, sources};

const NAMES: [&str; 4] = ["stripe", "paypal", "yookassa", "platron"];

/// Where a provider may be named, and why.
const NAMED_IN: [(&str, &str); 5] = [
    ("services/checkout/src/providers", "the implementations"),
    ("services/checkout/src/config", "their settings"),
    (
        "services/checkout/src/domain/provider.rs",
        "the stored ids and what each provider can do",
    ),
    (
        "services/checkout/src/rpc/convert.rs",
        "ids and fields of the contract",
    ),
    (
        "services/checkout/src/error/public.rs",
        "public codes and texts for buyers",
    ),
];

#[test]
fn checkout_names_no_provider() {
    let contract = contract();
    let mut found = Counts::new();
    let mut details = std::collections::BTreeMap::new();
    for file in sources(&root().join("services/checkout/src"), &["rs"]) {
        let place = shown(&file);
        let is_test = place.contains("tests") || place.ends_with("fixtures.rs");
        if is_test || NAMED_IN.iter().any(|(prefix, _)| place.starts_with(prefix)) {
            continue;
        }
        let text = own_code(&read(&file));
        let named: Vec<_> = words(&text)
            .filter(|word| names_a_provider(word) && !contract.contains(&snake_case(word)))
            .map(str::to_owned)
            .collect();
        if !named.is_empty() {
            found.insert(place.clone(), named.len());
            details.insert(place, named.join(", "));
        }
    }
    let describe = |place: &str| details.get(place).cloned().unwrap_or_default();
    check_with(
        "providers",
        "ask for a capability of the provider",
        &found,
        describe,
    );
}

/// A statement that binds no provider must fail, not store one.
#[test]
fn no_column_defaults_to_a_provider() {
    let mut errors = Vec::new();
    for file in sources(&root().join("services/checkout/migrations"), &["sql"]) {
        for (line, text) in (1..).zip(read(&file).lines()) {
            let is_default = NAMES
                .iter()
                .any(|name| text.contains(&format!("default '{name}'")));
            if is_default {
                errors.push(format!("{}:{line}: {}", shown(&file), text.trim()));
            }
        }
    }
    report("every insert binds its provider", &errors);
}

/// The names of the contract, and its event subjects, in snake case.
fn contract() -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for file in sources(&root().join("proto/stillpoint"), &["proto"]) {
        let text = read(&file);
        let subjects = text
            .lines()
            .filter_map(|line| line.strip_prefix("// stillpoint."));
        let subjects: Vec<_> = subjects.filter_map(|line| line.split(':').next()).collect();
        for part in [own_code(&text), subjects.join("\n")] {
            known.extend(words(&part).filter(|word| names_a_provider(word)).map(snake_case));
        }
    }
    known
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
}

fn names_a_provider(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    NAMES.iter().any(|name| word.contains(name))
}

#[test]
fn names_of_the_contract_are_no_findings() {
    let contract = contract();
    assert!(contract.contains(&snake_case("LinkPaypalSubscription")) && contract.contains("platron_payment"));
    assert!(!NAMES.iter().any(|name| contract.contains(*name)), "{contract:?}");
    assert!(names_a_provider("is_for_paypal") && !names_a_provider("provider"));
}

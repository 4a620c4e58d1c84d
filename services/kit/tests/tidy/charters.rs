//! A service's charter, at the top of its `lib.rs` and of its README, names exactly the RPCs of its contract, the events it emits
//! and consumes, and the metrics it records.

mod calls;

use std::collections::BTreeSet;
use std::path::Path;

use proto::events::v1::SUBJECTS;

use super::allowed::{Counts, check};
use super::report;
use super::scan::{documented_variables, own_code, starts_a_word, string_arguments};
use super::tree::{entries, manifests, name, read, root, services, shown, sources};

/// Every service reports with this event; its subject is described once.
const REPORT: &str = "member_data.erased";
/// kit consumes it for each service that reports.
const REQUEST: &str = "erasure.requested";

#[test]
fn a_charter_names_every_rpc_of_the_contract() {
    let mut errors = Vec::new();
    for service in services() {
        let contract = contract(&service);
        for (file, charter) in charters(&service) {
            for (server, rpc) in &contract {
                let is_named = [server, rpc]
                    .iter()
                    .any(|it| charter.contains(&format!("`{it}`")));
                if !is_named {
                    errors.push(format!("{file}: {rpc}"));
                }
            }
        }
    }
    report("these RPCs are missing in a charter", &errors);
}

#[test]
fn a_charter_names_no_rpc_that_is_not_in_the_contract() {
    let mut errors = Vec::new();
    for service in services() {
        let known: BTreeSet<String> = contract(&service)
            .into_iter()
            .flat_map(|(server, rpc)| [server, rpc])
            .collect();
        for (file, charter) in charters(&service) {
            let named = named_rpcs(&charter);
            assert!(!named.is_empty(), "{file}: no list of RPCs was found");
            let unknown = named.into_iter().filter(|rpc| !known.contains(rpc));
            errors.extend(unknown.map(|rpc| format!("{file}: {rpc}")));
        }
    }
    report("these RPCs are in a charter, and not in the contract", &errors);
}

#[test]
fn a_charter_names_every_event_that_is_emitted() {
    let mut errors = Vec::new();
    for service in services() {
        for (file, charter) in charters(&service) {
            let missing = emitted(&service)
                .into_iter()
                .filter(|event| !charter.contains(event));
            errors.extend(missing.map(|event| format!("{file}: {event}")));
        }
    }
    report("these events are missing in a charter", &errors);
}

#[test]
fn a_charter_names_no_event_that_is_not_emitted() {
    let mut errors = Vec::new();
    for service in services() {
        let emitted = emitted(&service);
        for (file, charter) in charters(&service) {
            let named = named_events(&charter, "Emits");
            let unknown = named.difference(&emitted);
            errors.extend(unknown.map(|event| format!("{file}: {event}")));
        }
    }
    report("these events are in a charter and never emitted", &errors);
}

#[test]
fn a_charter_names_exactly_the_consumed_events() {
    let mut errors = Vec::new();
    for service in services() {
        let consumed = consumed(&service);
        for (file, charter) in charters(&service) {
            let named = named_events(&charter, "Consumes");
            let missing = consumed.difference(&named);
            errors.extend(missing.map(|event| format!("{file} lacks {event}")));
            let unknown = named.difference(&consumed);
            errors.extend(unknown.map(|event| format!("{file} has {event}, which no consumer names")));
        }
    }
    report("charters and `src/consumers` differ", &errors);
}

#[test]
fn every_event_of_the_contract_is_emitted_and_the_reverse() {
    let mut errors = Vec::new();
    for service in services() {
        let prefix = format!("stillpoint.{}.", name(&service));
        let described: BTreeSet<String> = SUBJECTS
            .iter()
            .filter_map(|(_, subject)| subject.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect();
        let emitted = emitted(&service);
        let never = described.difference(&emitted);
        errors.extend(never.map(|event| format!("{prefix}{event} is never emitted")));
        // Every service reports with this one: its subject is described once.
        let unknown = emitted.difference(&described).filter(|event| *event != REPORT);
        errors.extend(unknown.map(|event| format!("{event} is not an event of {}", name(&service))));
    }
    report("contract and code differ", &errors);
}

#[test]
fn a_setting_is_documented_once() {
    let mut errors = Vec::new();
    for manifest in manifests() {
        let readme = manifest.with_file_name("README.md");
        let text = read(&readme);
        let mut seen = BTreeSet::new();
        for (line, variable) in documented_variables(&text) {
            if !seen.insert(variable) {
                errors.push(format!("{}:{line}: {variable}", shown(&readme)));
            }
        }
    }
    report("these settings are documented twice", &errors);
}

/// A README lists the metrics of its crate in backticks, with or without labels, and no others of its prefix.
#[test]
fn a_readme_lists_the_metrics_of_its_crate() {
    let mut found = Counts::new();
    for krate in services().into_iter().chain([root().join("gateway")]) {
        let prefix = format!("{}_", name(&krate).replace('-', "_"));
        let documented = quoted_metrics(&read(&krate.join("README.md")), &prefix);
        let recorded = recorded_metrics(&krate);
        let wrong = recorded.symmetric_difference(&documented);
        found.extend(wrong.map(|metric| (format!("{} {metric}", name(&krate)), 1)));
    }
    check(
        "metrics",
        "document each recorded metric in the README, and no others",
        &found,
    );
}

/// Metrics of kit have no common prefix, so its two pages name no other metrics.
#[test]
fn the_metrics_of_every_process_are_documented() {
    let pages = ["services/kit/README.md", "docs/kit/metrics.md"].map(|page| read(&root().join(page)));
    let documented = quoted_metrics(&pages.join("\n"), "");
    let recorded = recorded_metrics(&root().join("services/kit"));
    let wrong: Vec<String> = recorded.symmetric_difference(&documented).cloned().collect();
    report("kit's code and docs/kit/metrics.md differ", &wrong);
}

/// Names passed to the macros, and to a method `count` that passes its argument on.
fn recorded_metrics(krate: &Path) -> BTreeSet<String> {
    let code: String = sources(&krate.join("src"), &["rs"])
        .iter()
        .map(|file| own_code(&read(file)))
        .collect();
    let of_macros = string_arguments(&code, &["counter!(", "gauge!(", "histogram!("]);
    let of_methods = string_arguments(&code, &[".count("]).into_iter();
    let all = of_macros
        .into_iter()
        .chain(of_methods.filter(|(_, name)| is_metric(name)));
    all.map(|(_, name)| name.to_owned()).collect()
}

fn quoted_metrics(text: &str, prefix: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted
        .map(|quoted| quoted.split('{').next().unwrap_or(quoted))
        .filter(|name| name.starts_with(prefix) && is_metric(name))
        .map(str::to_owned)
        .collect()
}

fn is_metric(name: &str) -> bool {
    let ends = [
        "_total",
        "_rows",
        "_secs",
        "_seconds",
        "_bytes",
        "_waiting",
        "_in_flight",
        "_violations",
        "_lettered",
        "_size",
    ];
    ends.iter().any(|end| name.ends_with(end))
}

#[test]
fn the_readme_counts_the_walkthroughs() {
    const WORDS: [&str; 9] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    let architecture = read(&root().join("ARCHITECTURE.md"));
    let walkthroughs = architecture.matches("\n## Walkthrough: ").count();
    let expected = format!("{} walkthroughs", WORDS[walkthroughs]);
    for file in ["README.md", "ARCHITECTURE.md"] {
        assert!(read(&root().join(file)).contains(&expected), "{file}: {expected}");
    }
}

/// The charters of a service, with their files.
fn charters(service: &Path) -> [(String, String); 2] {
    let lib = service.join("src/lib.rs");
    let readme = service.join("README.md");
    let docs: Vec<String> = read(&lib)
        .lines()
        .filter_map(|line| line.strip_prefix("//!").map(str::to_owned))
        .collect();
    [(shown(&lib), docs.join("\n")), (shown(&readme), read(&readme))]
}

/// Each RPC after its gRPC service, which a charter may name instead.
pub fn contract(service: &Path) -> Vec<(String, String)> {
    let folder = root().join("proto/stillpoint").join(name(service)).join("v1");
    let mut found = Vec::new();
    for file in entries(&folder) {
        let text = read(&file);
        let mut server = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("service ") {
                rest.split(' ').next().unwrap_or_default().clone_into(&mut server);
            }
            if let Some((rpc, _)) = line.strip_prefix("rpc ").and_then(|rest| rest.split_once('(')) {
                found.push((server.clone(), rpc.to_owned()));
            }
        }
    }
    assert!(!found.is_empty(), "{} has no contract", name(service));
    found
}

/// `order.paid` for each `OrderPaid { … }` that `emit.rs` and its folder construct. kit emits the report of an erasure.
fn emitted(service: &Path) -> BTreeSet<String> {
    let own = format!("stillpoint.{}.", name(service));
    let mut found = BTreeSet::new();
    for file in sources(&service.join("src"), &["rs"]) {
        let text = own_code(&read(&file));
        if text.contains("Erasure::handler(") {
            found.insert(REPORT.to_owned());
        }
        if !shown(&file).contains("/src/emit") {
            continue;
        }
        let is_constructed = |message: &str| {
            ["events::", " ", "("]
                .iter()
                .any(|before| text.contains(&format!("{before}{message} {{")))
        };
        let constructed = SUBJECTS
            .iter()
            .filter(|(message, subject)| !subject.contains('{') && is_constructed(message));
        found.extend(constructed.map(|(_, subject)| subject.trim_start_matches(&own).to_owned()));
    }
    found
}

/// The events that the service's consumers name, by message or by filter, and the requests that kit consumes for it.
fn consumed(service: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if emitted(service).contains(REPORT) {
        found.insert(REQUEST.to_owned());
    }
    for file in sources(&service.join("src"), &["rs"]) {
        if !shown(&file).contains("/src/consumers") {
            continue;
        }
        let text = own_code(&read(&file));
        let is_named = |message: &str| {
            let named = format!("{message}::SUBJECT");
            let mut places = text.match_indices(&named);
            places.any(|(offset, _)| starts_a_word(&text, offset))
        };
        let messages = SUBJECTS.iter().filter(|(message, _)| is_named(message));
        found.extend(messages.map(|(_, subject)| event_name(subject).to_owned()));
        let filters = string_arguments(&text, &["&["]).into_iter();
        let filters = filters.filter(|(_, filter)| filter.starts_with("stillpoint."));
        found.extend(filters.map(|(_, filter)| event_name(filter).to_owned()));
    }
    found
}

/// `order.paid` of `stillpoint.checkout.order.paid`; a filter of all events is its own name.
fn event_name(subject: &str) -> &str {
    let rest = subject.strip_prefix("stillpoint.");
    rest.and_then(|rest| rest.split_once('.'))
        .map_or(subject, |(_, event)| event)
}

/// The events in backticks from `title` to the next title or paragraph. Placeholders are left out.
fn named_events(charter: &str, title: &str) -> BTreeSet<String> {
    const TITLES: [&str; 6] = ["RPCs:", "**Answers**", "Emits", "Consumes", "Calls", "Metrics"];
    let (_, rest) = charter.split_once(title).unwrap_or_default();
    let ends = TITLES.iter().chain(&["\n\n"]).filter_map(|end| rest.find(end));
    let part = &rest[..ends.min().unwrap_or(rest.len())];
    let quoted = part.split('`').skip(1).step_by(2);
    let events = quoted.map(|quoted| event_name(quoted.trim_start_matches("….")));
    let is_event = |name: &&str| {
        name.contains('.')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || b"_.>".contains(&byte))
    };
    events.filter(is_event).map(str::to_owned).collect()
}

#[test]
fn events_are_read_from_charters() {
    let charter = "Emits: `stillpoint.a.x.done`, `….y.done` (`stillpoint.a.…`).\nConsumes: `z.done`, `stillpoint.<b>.z.ended`\n\n`no.event`";
    let named = |title| named_events(charter, title).into_iter().collect::<Vec<_>>();
    assert_eq!(named("Emits"), ["x.done", "y.done"]);
    assert_eq!(named("Consumes"), ["z.done", "z.ended"]);
    assert_eq!(event_name("stillpoint.>"), "stillpoint.>");
}

/// The names in backticks in the table or the sentence of RPCs.
fn named_rpcs(charter: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut inside = false;
    for line in charter.lines() {
        let is_table = line.starts_with("| RPC |");
        let begins = ["RPCs:", "**Answers**"].iter().any(|word| line.contains(word));
        let continues = inside
            && !line.is_empty()
            && !line.contains("Emits")
            && !["Listens", "Consumes"].iter().any(|word| line.contains(word));
        inside = is_table || begins || continues;
        if !inside {
            continue;
        }
        // Of a table, the first cell only.
        let part = line
            .strip_prefix('|')
            .map_or(line, |row| row.split('|').next().unwrap_or(row));
        let names = part.split('`').skip(1).step_by(2);
        found.extend(names.filter(|word| is_camel_case(word)).map(str::to_owned));
    }
    found
}

fn is_camel_case(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.contains(|letter: char| letter.is_ascii_lowercase())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric())
}

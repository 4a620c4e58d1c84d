//! A service's charter, at the top of its `lib.rs` and of its README, names every RPC of its contract and every event it emits,
//! and no others.

use std::collections::BTreeSet;
use std::path::Path;

use super::report;
use super::scan::{documented_variables, own_code};
use super::tree::{entries, manifests, name, read, root, services, shown, sources};

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
fn every_event_of_the_contract_is_emitted_and_the_reverse() {
    let contract = read(&root().join("proto/stillpoint/events/v1/events.proto"));
    let mut errors = Vec::new();
    for service in services() {
        let prefix = format!("// stillpoint.{}.", name(&service));
        let described: BTreeSet<String> = contract
            .lines()
            .filter_map(|line| line.strip_prefix(&prefix))
            .map(|rest| rest.split(':').next().unwrap_or(rest).trim().to_owned())
            .collect();
        let emitted = emitted(&service);
        let never = described.difference(&emitted);
        errors.extend(never.map(|event| format!("{prefix}{event} is never emitted")));
        // Every service reports with this one: its subject is described once.
        let unknown = emitted
            .difference(&described)
            .filter(|event| *event != "member_data.erased");
        errors.extend(unknown.map(|event| format!("{prefix}{event} is not in events.proto")));
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
    report("these settings stand twice in a README", &errors);
}

#[test]
fn the_readme_counts_the_walkthroughs() {
    const WORDS: [&str; 9] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    let architecture = read(&root().join("ARCHITECTURE.md"));
    let walkthroughs = architecture.matches("\n## Walkthrough: ").count();
    let said = format!("{} walkthroughs", WORDS[walkthroughs]);
    for file in ["README.md", "ARCHITECTURE.md"] {
        assert!(read(&root().join(file)).contains(&said), "{file}: {said}");
    }
}

/// With the files they stand in.
fn charters(service: &Path) -> [(String, String); 2] {
    let lib = service.join("src/lib.rs");
    let readme = service.join("README.md");
    let docs: Vec<String> = read(&lib)
        .lines()
        .filter_map(|line| line.strip_prefix("//!").map(str::to_owned))
        .collect();
    [(shown(&lib), docs.join("\n")), (shown(&readme), read(&readme))]
}

/// Each RPC with the gRPC service it belongs to: a charter may name that instead.
fn contract(service: &Path) -> Vec<(String, String)> {
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

/// `order.paid` of `"stillpoint.checkout.order.paid"`, wherever the service's code has it.
fn emitted(service: &Path) -> BTreeSet<String> {
    let prefix = format!("\"stillpoint.{}.", name(service));
    let mut found = BTreeSet::new();
    for file in sources(&service.join("src"), &["rs"]) {
        let text = own_code(&read(&file));
        let literals = text.split(&prefix).skip(1);
        found.extend(
            literals
                .filter_map(|rest| rest.split('"').next())
                .map(str::to_owned),
        );
        // The only subject that others must know in code.
        if name(service) == "auth" && text.contains("erasure::REQUESTED") {
            found.insert("erasure.requested".to_owned());
        }
    }
    found.retain(|event| event.contains('.') && !event.contains('*'));
    found
}

/// What stands in backticks in the table of RPCs, or in the sentence that lists them.
fn named_rpcs(charter: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut inside = false;
    for line in charter.lines() {
        let is_table = line.starts_with("| RPC |");
        let begins = ["RPCs:", "**Answers**"].iter().any(|word| line.contains(word));
        let goes_on = inside && !line.is_empty() && !line.contains("Emits") && !line.contains("Listens");
        inside = is_table || begins || goes_on;
        if !inside {
            continue;
        }
        // Of a table, what the first cell names.
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
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric())
}

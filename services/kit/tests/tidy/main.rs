//! The rules of `ARCHITECTURE.md`, checked by reading the sources. Each rule is one test; a finding names file and line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod allowed;
mod charters;
mod cycles;
mod documents;
mod domain_types;
mod erasure;
mod layers;
mod providers;
mod scan;
mod sleeps;
mod structure;
mod subjects;
mod tree;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use layers::{GATEWAY, Rules, SERVICE, forbidden_imports, layer, stale_names};
use scan::{
    crate_imports, dependencies, documented_variables, is_variable, own_code, starts_a_word,
    string_arguments, transaction_begins,
};
use tree::{at, manifests, name, product_sources, read, root, services, shown, sources};

/// Not allowed in a domain: async code, I/O, RPC types, the clock, randomness.
const IMPURE: [&str; 12] = [
    "async ",
    ".await",
    "tokio::",
    "futures::",
    "sqlx::",
    "tonic::",
    "reqwest::",
    "proto::",
    "kit::clock",
    "Clock",
    "Utc::now",
    "rand::",
];

/// `AUTH_DATABASE_URL` and the like are derived from the schema's name; kit's README documents them.
const DATABASE_OF_ONE_SERVICE: &str = "_DATABASE_URL";

const LINES_AT_MOST: usize = 400;

/// The services with their rules, and the gateway with its own.
fn layered_crates() -> [(Vec<PathBuf>, Rules); 2] {
    [(services(), SERVICE), (vec![root().join("gateway")], GATEWAY)]
}

#[test]
fn a_crate_imports_only_downwards() {
    let mut errors = Vec::new();
    let all = layered_crates();
    let crates = all
        .iter()
        .flat_map(|(crates, rules)| crates.iter().map(move |krate| (krate, rules)));
    for (krate, rules) in crates {
        for file in sources(&krate.join("src"), &["rs"]) {
            let layer = layer(krate, &file);
            let Some(forbidden) = forbidden_imports(rules, &layer) else {
                errors.push(format!(
                    "{}: tidy/layers.rs has no rule for `{layer}`",
                    shown(&file)
                ));
                continue;
            };
            let text = own_code(&read(&file));
            for (offset, module) in crate_imports(&text) {
                if forbidden.contains(&module) {
                    errors.push(format!("{} imports crate::{module}", at(&file, &text, offset)));
                }
            }
        }
    }
    report("these imports point the wrong way", &errors);
}

#[test]
fn the_rules_of_layers_name_only_layers() {
    for (crates, rules) in layered_crates() {
        let stale = stale_names(rules, &crates);
        assert!(stale.is_empty(), "remove from tidy/layers.rs: {stale:?}");
    }
}

#[test]
fn the_gateway_has_no_database() {
    let mut errors = Vec::new();
    for file in sources(&root().join("gateway/src"), &["rs"]) {
        let text = own_code(&read(&file));
        for needle in ["sqlx::", "kit::database", "kit::outbox", "kit::inbox"] {
            let found = text.match_indices(needle);
            errors.extend(found.map(|(offset, _)| format!("{} has `{needle}`", at(&file, &text, offset))));
        }
    }
    report("the gateway has no database", &errors);
}

#[test]
fn a_domain_is_pure() {
    let mut errors = Vec::new();
    for service in services() {
        for file in sources(&service.join("src/domain"), &["rs"]) {
            let text = own_code(&read(&file));
            for needle in IMPURE {
                errors.extend(
                    text.match_indices(needle)
                        .filter(|(offset, _)| starts_a_word(&text, *offset))
                        .map(|(offset, _)| format!("{} has `{}`", at(&file, &text, offset), needle.trim())),
                );
            }
        }
    }
    report(
        "a domain takes what it needs as arguments and returns a decision",
        &errors,
    );
}

#[test]
fn only_flows_open_transactions() {
    let mut errors = Vec::new();
    let mut in_flows = 0;
    for service in services() {
        for file in sources(&service.join("src"), &["rs"]) {
            let text = own_code(&read(&file));
            let begins = transaction_begins(&text);
            if layer(&service, &file) == "flows" {
                in_flows += begins.len();
            } else {
                errors.extend(begins.iter().map(|offset| at(&file, &text, *offset)));
            }
        }
    }
    report("these transactions are opened outside a flow", &errors);
    assert!(
        in_flows > 0,
        "this test does not find the transactions of the flows"
    );
}

#[test]
fn only_kit_database_begins_at_the_pool() {
    let mut errors = Vec::new();
    for krate in services().into_iter().chain([root().join("services/kit")]) {
        for file in sources(&krate.join("src"), &["rs"]) {
            if shown(&file) == "services/kit/src/database.rs" {
                continue;
            }
            let text = own_code(&read(&file));
            let begins = [".begin()", ".begin_with("].map(|call| text.match_indices(call));
            errors.extend(
                begins
                    .into_iter()
                    .flatten()
                    .map(|(offset, _)| at(&file, &text, offset)),
            );
        }
    }
    report(
        "use kit::database::begin, which outlives a cancelled caller",
        &errors,
    );
}

#[test]
fn statements_name_their_columns() {
    let mut errors = Vec::new();
    let others = ["services/kit", "gateway"].map(|krate| root().join(krate));
    for krate in services().into_iter().chain(others) {
        for file in sources(&krate.join("src"), &["rs"]) {
            let text = own_code(&read(&file));
            let stars = text.match_indices('*').filter(|(offset, _)| {
                let (before, after) = (&text[..*offset], &text[offset + 1..]);
                let of_table = before
                    .strip_suffix('.')
                    .is_some_and(|name| name.ends_with(is_word));
                let of_all = before.ends_with("select ") || before.ends_with("returning ");
                of_all || (of_table && after.starts_with([' ', '\n', ',', '"']))
            });
            errors.extend(stars.map(|(offset, _)| at(&file, &text, offset)));
        }
    }
    report(
        "a running process fails at these once a migration adds a column",
        &errors,
    );
}

#[test]
fn a_crate_depends_only_on_allowed_crates() {
    let names: BTreeSet<_> = services().iter().map(|service| name(service)).collect();
    let shared = ["proto", "kit", "blocks"];
    let mut errors = Vec::new();
    for manifest in manifests() {
        let krate = name(manifest.parent().unwrap());
        if krate == "standalone" {
            continue;
        }
        let text = read(&manifest);
        for (line, dependency) in dependencies(&text) {
            let on_service = names.contains(&dependency) || dependency == "gateway";
            let upwards = shared.contains(&krate.as_str()) && dependency == "kit";
            let foreign_blocks = dependency == "blocks"
                && !matches!(krate.as_str(), "content" | "gateway" | "sandbox" | "local");
            if on_service || upwards || foreign_blocks {
                errors.push(format!(
                    "{}:{line}: {krate} depends on {dependency}",
                    shown(&manifest)
                ));
            }
        }
    }
    report("services meet over gRPC and events, not in Cargo.toml", &errors);
}

#[test]
fn every_setting_is_documented() {
    const READS: [&str; 14] = [
        ".text(",
        ".optional(",
        ".optional_secret(",
        ".secret(",
        ".own_secret(",
        ".rotating_secret(",
        ".own_rotating_secret(",
        ".secret_address(",
        ".require_https(",
        ".parse(",
        ".millis(",
        ".secs(",
        ".list(",
        ".get(",
    ];
    let common = documented(&root().join("services/kit"));
    let mut errors = Vec::new();
    for krate in configured_crates() {
        let own = documented(&krate);
        for file in product_sources(&krate) {
            let text = own_code(&read(&file));
            for (offset, argument) in string_arguments(&text, &READS) {
                let known = own.contains(argument) || common.contains(argument);
                if is_variable(argument) && !argument.ends_with(DATABASE_OF_ONE_SERVICE) && !known {
                    errors.push(format!("{} reads {argument}", at(&file, &text, offset)));
                }
            }
        }
    }
    report(
        "these variables are missing in the crate's `| variable | default | meaning |` table",
        &errors,
    );
}

#[test]
fn every_default_of_a_secret_is_listed_as_public() {
    let list = read(&root().join("services/kit/src/config/public_secrets.rs"));
    let mut errors = Vec::new();
    for krate in configured_crates()
        .into_iter()
        .filter(|krate| !krate.ends_with("sandbox"))
    {
        for file in product_sources(&krate) {
            let text = own_code(&read(&file));
            for read_by in [
                ".secret(\"",
                ".own_secret(\"",
                ".rotating_secret(\"",
                ".own_rotating_secret(\"",
            ] {
                for (offset, _) in text.match_indices(read_by) {
                    let value = text[offset..].split('"').nth(3).unwrap_or_default();
                    if !list.contains(&format!("\"{value}\"")) {
                        errors.push(format!("{} has the default {value:?}", at(&file, &text, offset)));
                    }
                }
            }
        }
    }
    report("PUBLIC_SECRETS in kit::config lacks these", &errors);
}

#[test]
fn every_documented_setting_is_read() {
    let mut errors = Vec::new();
    for krate in configured_crates() {
        let files = sources(&krate.join("src"), &["rs"]);
        // kit reads the services' addresses by this list.
        let addresses = read(&root().join("proto/src/services.rs"));
        let code: String = files.iter().map(|file| read(file)).chain([addresses]).collect();
        let readme = krate.join("README.md");
        for (line, variable) in documented_variables(&read(&readme)) {
            let read =
                code.contains(&format!("\"{variable}\"")) || variable.ends_with(DATABASE_OF_ONE_SERVICE);
            if !read {
                errors.push(format!("{}:{line}: {variable}", shown(&readme)));
            }
        }
    }
    report(
        "these variables are documented and read nowhere in the crate",
        &errors,
    );
}

#[test]
fn no_file_is_too_long() {
    let mut errors = Vec::new();
    for folder in ["proto", "services", "gateway", "deploy", "web"] {
        for file in sources(&root().join(folder), &["rs", "ts", "tsx"]) {
            let lines = read(&file).lines().count();
            if lines > LINES_AT_MOST {
                errors.push(format!(
                    "{}:{lines}: more than {LINES_AT_MOST} lines",
                    shown(&file)
                ));
            }
        }
    }
    report("a file has one job; split these", &errors);
}

/// Every `Cargo.toml` sets `doctest = false`, so code in documentation would never run.
#[test]
fn documentation_holds_no_code() {
    let mut errors = Vec::new();
    for folder in ["proto", "services", "gateway", "deploy"] {
        for file in sources(&root().join(folder), &["rs"]) {
            let text = read(&file);
            let is_documentation =
                |line: &str| line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
            let mut lines = text.lines().enumerate();
            if let Some((index, _)) = lines.find(|(_, line)| is_documentation(line) && line.contains("```")) {
                errors.push(format!("{}:{}", shown(&file), index + 1));
            }
        }
    }
    report("documentation holds no code; write a test", &errors);
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn report(rule: &str, errors: &[String]) {
    assert!(errors.is_empty(), "{rule}:\n  {}\n", errors.join("\n  "));
}

/// Crates that read their settings from an `Env`.
fn configured_crates() -> Vec<PathBuf> {
    let crates = manifests()
        .into_iter()
        .filter_map(|manifest| Some(manifest.parent()?.to_path_buf()));
    crates
        .filter(|krate| krate.join("src/config.rs").exists())
        .collect()
}

fn documented(krate: &Path) -> BTreeSet<String> {
    let readme = read(&krate.join("README.md"));
    documented_variables(&readme)
        .into_iter()
        .map(|(_, name)| name.to_owned())
        .collect()
}

//! Folders, module files and signatures.

use std::collections::BTreeMap;

use super::allowed::{Counts, check};
use super::charters::contract;
use super::scan::{first_word, own_code, snake_case};
use super::tree::{name, read, root, services, shown, sources};

const FILES_AT_MOST: usize = 15;

/// Folders of data, not of code.
const DATA: [&str; 6] = [
    "deploy/seed",
    "web/locales",
    "web/public",
    "web/e2e/pictures",
    "services/kit/tests/tidy/allowed",
    "services/blocks/src/samples",
];

#[test]
fn a_folder_has_at_most_15_files() {
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    let extensions = [
        "rs", "ts", "tsx", "css", "sql", "proto", "md", "yaml", "yml", "json", "js", "html", "txt",
    ];
    for file in sources(&root(), &extensions) {
        let folder = shown(file.parent().unwrap());
        if !DATA.iter().any(|data| folder.starts_with(data)) {
            *files.entry(folder).or_default() += 1;
        }
    }
    let found: Counts = files
        .into_iter()
        .filter(|(_, count)| *count > FILES_AT_MOST)
        .collect();
    check("folders", "divide the folder by concept", &found);
}

/// `x.rs` beside `x/`, the style of most crates, not `x/mod.rs`.
#[test]
fn modules_are_files_with_their_own_names() {
    let mut found = Counts::new();
    for file in rust_files() {
        let place = shown(&file);
        if name(&file) == "mod.rs" {
            found.insert(format!("{place} mod.rs"), 1);
        }
        let paths = read(&file)
            .lines()
            .filter(|line| line.trim().starts_with("#[path"))
            .count();
        if paths > 0 {
            found.insert(format!("{place} #[path]"), paths);
        }
    }
    check(
        "modules",
        "name the file after its module and put it into its parent's folder",
        &found,
    );
}

#[test]
fn an_rpc_has_a_flow_file_and_a_test_file_of_its_name() {
    let mut found = Counts::new();
    for service in services() {
        let has = |folder: &str, rpc: &str| {
            let wanted = format!("{}.rs", snake_case(rpc));
            sources(&service.join(folder), &["rs"])
                .iter()
                .any(|file| name(file) == wanted || shown(file).contains(&format!("/{}/", snake_case(rpc))))
        };
        for (_, rpc) in contract(&service) {
            for folder in ["src/flows", "tests"] {
                if !has(folder, &rpc) {
                    found.insert(format!("{} {folder} {rpc}", name(&service)), 1);
                }
            }
        }
    }
    check("rpcs", "name the flow and its test after the RPC", &found);
}

#[test]
fn parameters_are_neither_bools_nor_tuples() {
    let mut found = Counts::new();
    for file in rust_files() {
        if shown(&file).starts_with("services/kit/tests/tidy/") {
            continue;
        }
        let count = vague_parameters(&own_code(&read(&file)));
        if count > 0 {
            found.insert(shown(&file), count);
        }
    }
    check(
        "parameters",
        "take an enum instead of a bool, a struct instead of a tuple",
        &found,
    );
}

fn rust_files() -> Vec<std::path::PathBuf> {
    let folders = ["proto", "services", "gateway", "deploy"].map(|folder| root().join(folder));
    folders
        .iter()
        .flat_map(|folder| sources(folder, &["rs"]))
        .collect()
}

/// Parameters of named functions whose type is `bool` or a tuple.
fn vague_parameters(text: &str) -> usize {
    let mut count = 0;
    for (offset, keyword) in text.match_indices("fn ") {
        let rest = &text[offset + keyword.len()..];
        let is_item = text[..offset].ends_with([' ', '\n', '(']) || offset == 0;
        let after_name = &rest[first_word(rest).len()..];
        if !is_item || first_word(rest).is_empty() {
            continue;
        }
        let Some(parameters) = parameter_list(after_name) else {
            continue;
        };
        count += top_level(parameters)
            .into_iter()
            .filter_map(|parameter| parameter.split_once(": "))
            .filter(|(_, kind)| *kind == "bool" || (kind.starts_with('(') && *kind != "()"))
            .count();
    }
    count
}

/// What stands between the parentheses after the name and its generics.
fn parameter_list(text: &str) -> Option<&str> {
    let mut angles = 0_usize;
    let open = text.char_indices().find(|(at, character)| {
        match character {
            '<' => angles += 1,
            '>' if !text[..*at].ends_with('-') => angles = angles.saturating_sub(1),
            _ => {}
        }
        *character == '(' && angles == 0
    })?;
    let mut depth = 0_usize;
    for (at, character) in text[open.0..].char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[open.0 + 1..open.0 + at]);
        }
    }
    None
}

fn top_level(parameters: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let mut previous = ' ';
    let parts = parameters.split(|character| {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        previous = character;
        character == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

#[test]
fn the_scanners_find_signatures() {
    assert_eq!(
        vague_parameters("fn a(x: bool, y: Option<bool>, f: impl Fn(bool) -> bool) {}"),
        1
    );
    assert_eq!(
        vague_parameters("pub async fn a<F: Fn(u8) -> (u8, u8)>(f: F,\n pair: (u8, u8)) -> bool {"),
        1
    );
    assert_eq!(snake_case("WriteAiText"), "write_ai_text");
}

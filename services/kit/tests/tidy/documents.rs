//! The files that documents name, and the length of READMEs.

use std::path::Path;

use super::report;
use super::scan::starts_a_word;
use super::tree::{name, read, root, shown, sources};

const NAMED: [&str; 8] = ["rs", "ts", "tsx", "sql", "proto", "yaml", "json", "toml"];

/// A README is an overview; further matter is in `docs/<part>/<topic>.md`.
const README_LINES_MAX: usize = 80;

#[test]
fn a_readme_is_an_overview() {
    let documents = sources(&root(), &["md"]);
    let readmes = documents.iter().filter(|document| name(document) == "README.md");
    let too_long: Vec<String> = readmes
        .map(|readme| (readme, read(readme).lines().count()))
        .filter(|(_, lines)| *lines > README_LINES_MAX)
        .map(|(readme, lines)| format!("{}: {lines} lines", shown(readme)))
        .collect();
    report("move topics to docs/", &too_long);
}

/// A document may leave out the folders above, as in `domain/refund.rs`, so that some file's path must end with the named one.
#[test]
fn files_that_documents_name_exist() {
    let files: Vec<String> = sources(&root(), &NAMED)
        .iter()
        .map(|file| format!("/{}", shown(file)))
        .collect();
    let mut missing = Vec::new();
    for document in sources(&root(), &["md"]) {
        for path in named_files(&read(&document)) {
            if !files.iter().any(|file| file.ends_with(&format!("/{path}"))) {
                missing.push(format!("{}: {path}", shown(&document)));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "documents name files that do not exist:\n{}",
        missing.join("\n")
    );
}

/// Folders that the documents of security cite files from, by their whole paths.
const CITED: [&str; 6] = ["services/", "gateway/", "deploy/", "web/", "docs/", "proto/"];

/// A citation proves a requirement, so it names one file or folder, and with `path::name` a test in it. A source file may also be
/// named without its folder, as in `step_up.rs`.
#[test]
fn files_and_tests_that_documents_of_security_cite_exist() {
    let folder = root().join("docs/security");
    let mut missing = Vec::new();
    for document in sources(&folder, &["md"]) {
        for citation in cited(&read(&document)) {
            if !exists(&root(), citation) {
                missing.push(format!("{}: {citation}", shown(&document)));
            }
        }
    }
    report("documents of security cite what does not exist", &missing);
}

/// The spans between backticks that are paths in one of the folders, or names of source files.
fn cited(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    spans
        .filter(|span| CITED.iter().any(|folder| span.starts_with(folder)) || is_file_name(span))
        .filter(|span| !span.contains(['*', '<', '{', ' ']))
        .collect()
}

fn is_file_name(span: &str) -> bool {
    Path::new(span)
        .extension()
        .is_some_and(|extension| extension == "rs")
        && !span.contains('/')
}

fn exists(folder: &Path, citation: &str) -> bool {
    if is_file_name(citation) {
        return sources(folder, &["rs"]).iter().any(|file| name(file) == citation);
    }
    let (path, test) = citation
        .split_once("::")
        .map_or((citation, None), |(path, test)| (path, Some(test)));
    let file = folder.join(path);
    match test {
        None => file.exists(),
        Some(test) => names_test(&read(&file), test),
    }
}

fn names_test(code: &str, test: &str) -> bool {
    let head = format!("fn {test}(");
    code.match_indices(&head)
        .any(|(offset, _)| starts_a_word(code, offset))
}

#[test]
fn citations_are_read_from_code_spans() {
    let text = "`docs/a.md`, `services/kit/src/x.rs::y`, `z.rs`, `services/*/src` and `src/z.rs`.";
    assert_eq!(cited(text), ["docs/a.md", "services/kit/src/x.rs::y", "z.rs"]);
    assert!(exists(&root(), "documents.rs") && !exists(&root(), "no_such_file.rs"));
    assert!(names_test("async fn a_b() {", "a_b") && !names_test("fn a_b_c() {", "a_b"));
    assert!(!exists(
        &root(),
        "services/kit/tests/tidy/documents.rs::no_such_test_anywhere"
    ));
}

/// Paths of two segments or more between backticks; URLs, patterns and placeholders are left out.
fn named_files(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans
        .map(|span| span.trim_start_matches("../"))
        .filter(|span| span.contains('/') && !span.starts_with('/') && !span.contains("://"))
        .filter(|span| {
            NAMED
                .iter()
                .any(|extension| span.ends_with(&format!(".{extension}")))
        })
        .filter(|span| {
            span.chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn named_files_are_read_from_code_spans() {
    let text = "See `domain/refund.rs`, `/api/openapi.json`, `a/{b,c}.rs`, `Cargo.toml` and `../src/x.rs`.";
    assert_eq!(named_files(text), ["domain/refund.rs", "src/x.rs"]);
}

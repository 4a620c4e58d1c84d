//! The files that documents name.

use super::tree::{read, root, shown, sources};

const NAMED: [&str; 8] = ["rs", "ts", "tsx", "sql", "proto", "yaml", "json", "toml"];

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

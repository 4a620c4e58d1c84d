//! BLOCKS.md matches the types.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod support {
    pub mod schemas;
}

use std::fmt::Write as _;

use expect_test::expect_file;
use serde_json::Value;
use support::schemas::Schemas;

const HEAD: &str = "\
# Blocks

All blocks with the fields that an editor writes; then the records, which are content outside of pages; then the parts of both.
Fields in bold are required. `tests/catalogue.rs` generates this page from the types in `src/`: change those.
";

const OTHERS: &str = "
# Records and the head of a page

`B2bBookADemo` and `ScrollThrough` are records too.
";

#[test]
fn the_catalogue_is_the_one_in_the_code() {
    expect_file!["../BLOCKS.md"].assert_eq(&catalogue());
}

#[test]
fn catalogue_marks_required_list_and_read_only_fields() {
    let catalogue = catalogue();
    for line in [
        "| **`campaign`** | text | |",
        "| `buttonList` | list of [Button](#button) | |",
        "| `nextPage` | text | A path of this site; takes precedence over every other redirect. |",
        "| `infoHtml` | text | *Read only.* `info`, rendered and sanitised at publication. |",
        "| `status` | [LoginStatus](#loginstatus) | The tab that is open first. |",
        "`signIn`, `signUp`",
        "## HeroComponent\n",
        "## PageSeo\n",
    ] {
        assert!(catalogue.contains(line), "{line} is missing in\n{catalogue}");
    }
}

fn catalogue() -> String {
    let mut page = HEAD.to_owned();
    let schemas = Schemas::read();
    for (name, schema) in &schemas.blocks {
        describe(&mut page, name, schema);
    }
    page.push_str(OTHERS);
    for (name, schema) in &schemas.others {
        describe(&mut page, name, schema);
    }
    page.push_str("\n# Parts\n");
    for (name, schema) in &schemas.parts {
        describe(&mut page, name, schema);
    }
    page
}

fn describe(page: &mut String, name: &str, schema: &Value) {
    write!(page, "\n## {name}\n\n").expect("a text can be written to");
    if let Some(about) = schema["description"].as_str() {
        writeln!(page, "{}\n", one_line(about)).expect("a text can be written to");
    }
    match support::schemas::fields(schema) {
        Some(fields) if !fields.is_empty() => {
            page.push_str("| field | takes | |\n| --- | --- | --- |\n");
            let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
            for (field, schema) in fields {
                let is_required = required.iter().any(|name| name == field);
                let field = if is_required {
                    format!("**`{field}`**")
                } else {
                    format!("`{field}`")
                };
                let row = format!("| {field} | {} | {}", takes(schema), note(schema));
                writeln!(page, "{} |", row.trim_end()).expect("a text can be written to");
            }
        }
        Some(_) => page.push_str("It has no fields.\n"),
        None if schema["type"] == "object" => page.push_str("It has no fields.\n"),
        None => writeln!(page, "{}", values(schema)).expect("a text can be written to"),
    }
}

fn note(schema: &Value) -> String {
    let about = schema["description"].as_str().map(one_line).unwrap_or_default();
    if schema["readOnly"] == true {
        format!("*Read only.* {about}")
    } else {
        about
    }
}

/// What a field is written as, in an editor's words.
fn takes(schema: &Value) -> String {
    if let Some(part) = schema["$ref"]
        .as_str()
        .and_then(|path| path.strip_prefix("#/$defs/"))
    {
        return format!("[{part}](#{})", part.to_lowercase());
    }
    if let Some(either) = schema["anyOf"].as_array() {
        let given = either.iter().find(|one| one["type"] != "null");
        return given.map(takes).unwrap_or_default();
    }
    if schema["enum"] == serde_json::json!(blocks::COMPONENTS) {
        return "the name of a block above".to_owned();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("array") => format!("list of {}", takes(&schema["items"]).replace("text", "texts")),
        Some("boolean") => "yes or no".to_owned(),
        Some("integer") => "number".to_owned(),
        Some("string") if schema["enum"].is_array() => values(schema),
        Some("string") => "text".to_owned(),
        other => panic!("BLOCKS.md has no word for {other:?}: {schema}"),
    }
}

/// The values of an enumeration, with what is said about them.
fn values(schema: &Value) -> String {
    let found: Vec<String> = support::schemas::values(schema)
        .into_iter()
        .map(|(value, about)| match about {
            Some(about) => format!("`{value}` ({})", one_line(about).trim_end_matches('.')),
            None => format!("`{value}`"),
        })
        .collect();
    assert!(!found.is_empty(), "no values in {schema}");
    found.join(", ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

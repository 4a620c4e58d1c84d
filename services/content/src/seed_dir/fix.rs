//! Turns validation errors into findings with line and fix.

use kit::error::ErrorCode;

use super::finding::LintFinding;
use super::nearest::nearest;
use super::tree::{Data, Node};
use crate::domain::ValidationError;

/// An error of a file's content as a finding in that file.
pub fn explain(error: &ValidationError, tree: &Node) -> LintFinding {
    let spot = tree.locate(&error.field).clone();
    let message = match error.code {
        // The list of all that are known is longer than the line can be.
        ErrorCode::UnknownComponent => error.message.split(';').next().unwrap_or_default(),
        _ => error.message.trim_end_matches('.'),
    };
    LintFinding::error(spot, &error.field, error.code.as_str_name())
        .message(message)
        .fix(fix(error, tree))
}

fn fix(error: &ValidationError, tree: &Node) -> String {
    let name = last_name(&error.field);
    match error.code {
        ErrorCode::Required => format!("write `{name}`."),
        ErrorCode::Malformed => for_wrong_type(&error.message),
        ErrorCode::UnknownField => for_unknown_field(&error.field, tree),
        ErrorCode::UnknownComponent => for_unknown_component(&error.field, tree),
        ErrorCode::Duplicate => format!("give it a `{name}` of its own."),
        ErrorCode::TooLong => "shorten it.".to_owned(),
        _ => format!("change `{name}`, or take it out to have none."),
    }
}

fn for_wrong_type(message: &str) -> String {
    let fix = if message.contains("expected a string") {
        "put the value in quotes."
    } else if message.contains("expected a boolean") {
        "write true or false, without quotes."
    } else if message.contains("expected i32") || message.contains("expected i64") {
        "write a whole number, without quotes."
    } else if message.contains("expected a sequence") {
        "write a list: each item on its own line after `- `."
    } else if message.contains("missing field") {
        return message.split('`').nth(1).map_or_else(
            || "write the missing field.".to_owned(),
            |name| format!("write `{name}:` and its value."),
        );
    } else if message.contains("unknown field") {
        "correct the name, or take it out."
    } else {
        "write a value of the type that `content schema` shows."
    };
    fix.to_owned()
}

fn for_unknown_field(field: &str, tree: &Node) -> String {
    let suggestion = block_of(field, tree).and_then(blocks::schema).and_then(|schema| {
        let fields = schema.as_object()?.get("properties")?.as_object()?.clone();
        nearest(last_name(field), fields.keys().map(String::as_str)).map(str::to_owned)
    });
    match suggestion {
        Some(known) => format!("write `{known}` if that is meant, or take it out."),
        None => "correct the name, or take it out.".to_owned(),
    }
}

fn for_unknown_component(field: &str, tree: &Node) -> String {
    let meant = block_of(&format!("{field}.componentName"), tree)
        .and_then(|name| nearest(name, blocks::COMPONENTS.iter().copied()));
    match meant {
        Some(known) => format!("write `componentName: {known}` if that is meant."),
        None => "choose one of the known block types.".to_owned(),
    }
}

/// The kind of block whose own field this is; of a field further in, nothing.
fn block_of<'a>(field: &str, tree: &'a Node) -> Option<&'a str> {
    let (section, _) = field.strip_prefix("sections[")?.split_once("].")?;
    let section = tree
        .get("sections")?
        .items()
        .get(section.parse::<usize>().ok()?)?;
    let own = field.matches('.').count() == 1;
    section.get("componentName").filter(|_| own)?.text()
}

/// `sections[2].buttons[0].url` → `url`; `sections[2]` → `sections`.
fn last_name(field: &str) -> &str {
    let last = field.rsplit('.').next().unwrap_or(field);
    last.split('[').next().unwrap_or(last)
}

/// Whether a file has anything to look into.
pub fn is_group(tree: &Node) -> Result<(), LintFinding> {
    if matches!(tree.data, Data::Map(_)) {
        return Ok(());
    }
    let message = format!("is {}", tree.kind());
    let error = LintFinding::error(tree.at.clone(), "", "MALFORMED").message(message);
    Err(error.fix("write fields: a name, a colon and a value on each line."))
}

//! Differences of two documents, for editors.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

const LONGEST_TEXT: usize = 500;
/// What follows from other fields, or is no content.
const SILENT: [&str; 2] = ["__typename", "contentLocale"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Removed,
    Moved,
    Changed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub kind: ChangeKind,
    /// Blocks and items with an id are named by it: `sections[hero].buttons[0].text`.
    pub field: String,
    pub before: String,
    pub after: String,
}

/// Every change, in the order of the document.
pub fn changes(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare("", before, after, &mut found);
    found
}

fn compare(field: &str, before: &Value, after: &Value, found: &mut Vec<Change>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) => compare_fields(field, before, after, found),
        (Value::Array(before), Value::Array(after)) => match (ids(before), ids(after)) {
            (Some(old), Some(new)) => compare_named(field, (before, &old), (after, &new), found),
            _ => compare_items(field, before, after, found),
        },
        (before, after) => found.extend(change(field, before, after)),
    }
}

/// `None` where nothing was said before and nothing is now.
fn change(field: &str, before: &Value, after: &Value) -> Option<Change> {
    let kind = match (is_nothing(before), is_nothing(after)) {
        (true, true) => return None,
        (true, false) => ChangeKind::Added,
        (false, true) => ChangeKind::Removed,
        (false, false) => ChangeKind::Changed,
    };
    Some(Change {
        kind,
        field: field.to_owned(),
        before: text(before),
        after: text(after),
    })
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn compare_fields(
    field: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    found: &mut Vec<Change>,
) {
    let new = after.keys().filter(|name| !before.contains_key(*name));
    for name in before.keys().chain(new) {
        if SILENT.contains(&name.as_str()) || is_rendered(name, before) || is_rendered(name, after) {
            continue;
        }
        let place = if field.is_empty() {
            name.clone()
        } else {
            format!("{field}.{name}")
        };
        let of = |fields: &Map<String, Value>| fields.get(name).cloned().unwrap_or_default();
        compare(&place, &of(before), &of(after), found);
    }
}

/// HTML that the service made of the text beside it.
fn is_rendered(name: &str, beside: &Map<String, Value>) -> bool {
    match name.strip_suffix("Html") {
        Some(source) => beside.contains_key(source),
        None => name == "html" && beside.contains_key("markdown"),
    }
}

/// The ids of a list in which every item has one of its own.
fn ids(items: &[Value]) -> Option<Vec<&str>> {
    let ids: Option<Vec<&str>> = items.iter().map(|item| item.get("id")?.as_str()).collect();
    let ids = ids?;
    let distinct: BTreeSet<&str> = ids.iter().copied().filter(|id| !id.is_empty()).collect();
    (distinct.len() == ids.len()).then_some(ids)
}

type Named<'a> = (&'a [Value], &'a [&'a str]);

fn compare_named(field: &str, before: Named<'_>, after: Named<'_>, found: &mut Vec<Change>) {
    let (old, old_ids) = before;
    let (new, new_ids) = after;
    for (item, id) in old.iter().zip(old_ids) {
        if !new_ids.contains(id) {
            found.extend(change(&format!("{field}[{id}]"), item, &Value::Null));
        }
    }
    // Which of those that stayed have kept their order: all others were moved past them.
    let order: Vec<usize> = new_ids
        .iter()
        .filter_map(|id| old_ids.iter().position(|old| old == id))
        .collect();
    let kept = longest_rising(&order);
    for (position, (item, id)) in new.iter().zip(new_ids).enumerate() {
        let place = format!("{field}[{id}]");
        let Some(was) = old_ids.iter().position(|old| old == id) else {
            found.extend(change(&place, &Value::Null, item));
            continue;
        };
        if !kept.contains(&was) {
            found.push(Change {
                kind: ChangeKind::Moved,
                field: place.clone(),
                before: (was + 1).to_string(),
                after: (position + 1).to_string(),
            });
        }
        compare(&place, &old[was], item, found);
    }
}

/// The longest subsequence that only rises.
fn longest_rising(numbers: &[usize]) -> BTreeSet<usize> {
    // For each position: how long a run ends there, and what stands before it in that run.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        let before = (0..index).filter(|&other| numbers[other] < *number);
        let best = before.max_by_key(|&other| runs[other].0);
        let length = best.map_or(1, |best| runs[best].0 + 1);
        runs.push((length, best));
    }
    let mut at = (0..runs.len()).max_by_key(|&index| runs[index].0);
    let mut kept = BTreeSet::new();
    while let Some(index) = at {
        kept.insert(numbers[index]);
        at = runs[index].1;
    }
    kept
}

/// Without ids: what is alike at both ends stays, what is between is compared one by one.
fn compare_items(field: &str, before: &[Value], after: &[Value], found: &mut Vec<Change>) {
    let front = before
        .iter()
        .zip(after)
        .take_while(|(old, new)| old == new)
        .count();
    let (old, new) = (&before[front..], &after[front..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let back = pairs.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - back], &new[..new.len() - back]);
    for index in 0..old.len().max(new.len()) {
        let place = format!("{field}[{}]", front + index);
        let of = |items: &[Value]| items.get(index).cloned().unwrap_or_default();
        compare(&place, &of(old), &of(new), found);
    }
}

fn text(value: &Value) -> String {
    let whole = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(fields) => block_text(fields).unwrap_or_else(|| value.to_string()),
        other => other.to_string(),
    };
    shortened(&whole, LONGEST_TEXT)
}

/// A block in a word or two: `Hero: Breathe`.
fn block_text(fields: &Map<String, Value>) -> Option<String> {
    let name = fields.get("componentName")?.as_str()?;
    let says = ["title", "heading", "text", "markdown"]
        .iter()
        .find_map(|field| fields.get(*field)?.as_str());
    Some(match says {
        Some(says) => format!("{name}: {says}"),
        None => name.to_owned(),
    })
}

pub fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(before: &Value, after: &Value) -> Vec<String> {
        let line = |change: &Change| {
            format!(
                "{:?} {}: {} -> {}",
                change.kind, change.field, change.before, change.after
            )
        };
        changes(before, after).iter().map(line).collect()
    }

    fn heading(id: &str, text: &str) -> Value {
        json!({"__typename": "Heading", "id": id, "componentName": "Heading", "text": text})
    }

    #[test]
    fn nothing_changed_is_no_change() {
        let page = json!({"sections": [heading("a", "A")]});
        assert_eq!(listed(&page, &page), [""; 0]);
        assert_eq!(
            listed(&json!({"sub": ""}), &json!({"sub": null, "items": []})),
            [""; 0]
        );
    }

    #[test]
    fn text_is_listed_with_its_field_and_both_values() {
        let before = json!({"seo": {"title": "Plans"}, "sections": [heading("a", "A"), heading("b", "B")]});
        let after = json!({"seo": {"title": "Prices"}, "sections": [heading("a", "A"), heading("b", "C")]});
        assert_eq!(
            listed(&before, &after),
            [
                "Changed seo.title: Plans -> Prices",
                "Changed sections[b].text: B -> C"
            ]
        );
    }

    #[test]
    fn added_removed_and_moved_blocks_are_distinguished() {
        let before =
            json!({"sections": [heading("a", "A"), heading("b", "B"), heading("c", "C"), heading("d", "D")]});
        let after =
            json!({"sections": [heading("c", "C"), heading("a", "A"), heading("b", "B"), heading("e", "E")]});
        assert_eq!(
            listed(&before, &after),
            [
                "Removed sections[d]: Heading: D -> ",
                "Moved sections[c]: 3 -> 1",
                "Added sections[e]:  -> Heading: E",
            ]
        );
    }

    #[test]
    fn an_item_put_in_front_is_one_change() {
        let before = json!({"steps": ["in", "out"], "items": [{"q": "1"}, {"q": "2"}]});
        let after = json!({"steps": ["rest", "in", "out"], "items": [{"q": "0"}, {"q": "1"}, {"q": "3"}]});
        assert_eq!(
            listed(&before, &after),
            [
                "Added steps[0]:  -> rest",
                "Changed items[0].q: 1 -> 0",
                "Changed items[1].q: 2 -> 1",
                r#"Added items[2]:  -> {"q":"3"}"#,
            ]
        );
    }

    #[test]
    fn rendered_fields_are_not_listed_again() {
        let before = json!({"markdown": "a", "html": "<p>a</p>", "info": "x", "infoHtml": "<p>x</p>"});
        let after = json!({"markdown": "b", "html": "<p>b</p>", "info": "x", "infoHtml": "<p>y</p>"});
        assert_eq!(listed(&before, &after), ["Changed markdown: a -> b"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let change = &changes(&json!({"a": "x"}), &json!({"a": "ş".repeat(1000)}))[0];
        assert_eq!(change.after.chars().count(), LONGEST_TEXT);
        assert!(change.after.ends_with('…'));
    }
}

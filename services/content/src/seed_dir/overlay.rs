//! Merges a translation into the English file.

use super::finding::{LintFinding, LintLocation};
use super::nearest::nearest;
use super::tree::{Data, Entry, Node, join};

/// Names what it is a translation of.
pub const TRANSLATION_OF: &str = "translationOf";
/// Alike in every locale, and what translations go by.
const FIXED: [&str; 2] = ["id", "componentName"];

/// The English tree with the translation's values in place, each with its own line.
pub fn merge_translation(base: &Node, over: &Node) -> Result<Node, Vec<LintFinding>> {
    let mut errors = Vec::new();
    let merged = merge(base, over, "", &mut errors);
    if errors.is_empty() {
        Ok(merged)
    } else {
        Err(errors)
    }
}

fn merge(base: &Node, over: &Node, field: &str, errors: &mut Vec<LintFinding>) -> Node {
    match (&base.data, &over.data) {
        (Data::Map(base_entries), Data::Map(over_entries)) => Node {
            at: over.at.clone(),
            data: Data::Map(merge_fields(base_entries, over_entries, field, errors)),
        },
        (Data::List(items), Data::Map(by_id)) => Node {
            at: over.at.clone(),
            data: Data::List(merge_by_id(items, by_id, field, errors)),
        },
        (Data::List(items), Data::List(others)) if items.iter().any(is_group) => Node {
            at: over.at.clone(),
            data: Data::List(merge_by_position(items, others, field, errors)),
        },
        (Data::List(items), Data::List(others)) if !others.iter().any(is_group) => {
            if items.is_empty() && !others.is_empty() {
                errors.push(unmatched(&over.at, field, "the English list is empty"));
            }
            over.clone()
        }
        (_, Data::Null) => {
            let error = LintFinding::error(over.at.clone(), field, "OVERLAY_EMPTY").message("has no value");
            errors.push(error.fix("write the translation, or leave the line out to keep the English text."));
            base.clone()
        }
        (Data::List(_) | Data::Map(_), _) | (_, Data::List(_) | Data::Map(_)) => {
            let message = format!("is {}, and the English file has {}", over.kind(), base.kind());
            let error = LintFinding::error(over.at.clone(), field, "OVERLAY_SHAPE").message(message);
            errors.push(error.fix("give it the shape it has in the English file."));
            base.clone()
        }
        _ => over.clone(),
    }
}

fn merge_fields(base: &[Entry], over: &[Entry], field: &str, errors: &mut Vec<LintFinding>) -> Vec<Entry> {
    let mut merged = base.to_vec();
    for entry in over {
        let place = join(field, &entry.name);
        match merged.iter_mut().find(|other| other.name == entry.name) {
            Some(own) if FIXED.contains(&entry.name.as_str()) => {
                if own.value.data != entry.value.data {
                    let error = LintFinding::error(entry.at.clone(), place, "OVERLAY_FIXED");
                    let error = error.message("is not translated");
                    errors.push(error.fix("take the line out: it stays as it is in the English file."));
                }
            }
            Some(own) => {
                own.value = merge(&own.value, &entry.value, &place, errors);
                own.at = entry.at.clone();
            }
            None => {
                let known = base.iter().map(|entry| entry.name.as_str());
                let hint = nearest(&entry.name, known).map_or_else(
                    || "the English file has no such field here".to_owned(),
                    |near| format!("the English file has no such field here, but `{near}`"),
                );
                errors.push(unmatched(&entry.at, &place, &hint));
            }
        }
    }
    merged
}

fn merge_by_id(base: &[Node], over: &[Entry], field: &str, errors: &mut Vec<LintFinding>) -> Vec<Node> {
    let mut merged = base.to_vec();
    for entry in over {
        let position = base.iter().position(|item| id(item) == Some(&entry.name));
        if let Some(index) = position {
            let place = format!("{field}[{index}]");
            merged[index] = merge(&base[index], &entry.value, &place, errors);
            merged[index].at = entry.at.clone();
        } else {
            let ids: Vec<&str> = base.iter().filter_map(id).collect();
            let hint = if ids.is_empty() {
                "the items of the English list have no ids: give them `id:` there, or write a list".to_owned()
            } else {
                format!("the ids of the English list are {}", ids.join(", "))
            };
            errors.push(unmatched(&entry.at, &join(field, &entry.name), &hint));
        }
    }
    merged
}

fn merge_by_position(base: &[Node], over: &[Node], field: &str, errors: &mut Vec<LintFinding>) -> Vec<Node> {
    let mut merged = base.to_vec();
    for (index, item) in over.iter().enumerate() {
        let place = format!("{field}[{index}]");
        if let Some(own) = merged.get_mut(index) {
            *own = merge(own, item, &place, errors);
        } else {
            let hint = format!("the English list has only {}", base.len());
            errors.push(unmatched(&item.at, &place, &hint));
        }
    }
    merged
}

fn unmatched(at: &LintLocation, field: &str, why: &str) -> LintFinding {
    LintFinding::error(at.clone(), field, "OVERLAY_UNMATCHED")
        .message(format!("translates nothing: {why}"))
        .fix("correct the name, or take it out. What only one language has belongs into a page in full, without `translationOf`.")
}

fn is_group(node: &Node) -> bool {
    matches!(node.data, Data::Map(_) | Data::List(_))
}

fn id(item: &Node) -> Option<&str> {
    item.get("id").and_then(Node::text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::yaml;
    use super::*;

    const BASE: &str = "\
urlPath: /a
seo: { title: A, noindex: false }
sections:
  - { componentName: Hero, id: hero, title: Hello, buttons: [ { text: Go, url: /go }, { text: Stay, url: / } ] }
  - { componentName: Tabs, id: tabs, tabs: [ { id: one, label: One, details: [a, b] }, { id: two, label: Two } ] }
  - { componentName: Heading, text: Loose }
";

    fn lay(over: &str) -> Result<Node, Vec<String>> {
        let base = yaml::parse(&"en/a.yaml".into(), BASE).unwrap();
        let over = yaml::parse(&"tr/a.yaml".into(), over).unwrap();
        merge_translation(&base, &over).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    fn json_of(over: &str) -> Value {
        lay(over).unwrap().to_json()
    }

    #[test]
    fn texts_replace_and_everything_else_stays() {
        let page = json_of("seo: { title: B }\nsections:\n  hero: { title: Merhaba }\n");
        assert_eq!(page["urlPath"], "/a");
        assert_eq!(page["seo"], json!({"title": "B", "noindex": false}));
        assert_eq!(page["sections"][0]["title"], "Merhaba");
        assert_eq!(
            page["sections"][0]["buttons"][0],
            json!({"text": "Go", "url": "/go"})
        );
    }

    #[test]
    fn items_go_by_position_or_by_id_and_plain_lists_are_replaced() {
        let page = json_of(
            "sections:\n  hero: { buttons: [ { text: Git } ] }\n  tabs: { tabs: { two: { label: Iki }, one: { details: [x] } } }\n",
        );
        assert_eq!(
            page["sections"][0]["buttons"][0],
            json!({"text": "Git", "url": "/go"})
        );
        assert_eq!(page["sections"][0]["buttons"][1]["text"], "Stay");
        assert_eq!(
            page["sections"][1]["tabs"][0],
            json!({"id": "one", "label": "One", "details": ["x"]})
        );
        assert_eq!(page["sections"][1]["tabs"][1]["label"], "Iki");
    }

    #[test]
    fn every_value_has_the_file_and_line_it_came_from() {
        let page = lay("sections:\n  hero:\n    title: Merhaba\n").unwrap();
        assert_eq!(page.locate("sections[0].title").to_string(), "tr/a.yaml:3");
        assert_eq!(
            page.locate("sections[0].buttons[0].text").to_string(),
            "en/a.yaml:4"
        );
    }

    #[test]
    fn what_the_english_file_lacks_is_an_error_with_its_line() {
        for (over, expected) in [
            (
                "seo: { titel: B }",
                "tr/a.yaml:1: seo.titel: translates nothing: the English file has no such field here, but `title`.",
            ),
            (
                "sections:\n  hreo: { title: A }",
                "tr/a.yaml:2: sections.hreo: translates nothing: the ids of the English list are hero, tabs.",
            ),
            (
                "sections:\n  hero: { buttons: { go: { text: A } } }",
                "tr/a.yaml:2: sections[0].buttons.go: translates nothing: the items of the English list have no ids",
            ),
            (
                "sections:\n  hero:\n    buttons: [{}, {}, {}]",
                "tr/a.yaml:3: sections[0].buttons[2]: translates nothing: the English list has only 2.",
            ),
            (
                "sections:\n  hero: { title: [A] }",
                "tr/a.yaml:2: sections[0].title: is a list, and the English file has a text.",
            ),
            (
                "sections:\n  hero: { buttons: A }",
                "tr/a.yaml:2: sections[0].buttons: is a text, and the English file has a list.",
            ),
            (
                "sections:\n  tabs: { tabs: { one: { details: [ { a: b } ] } } }",
                "tr/a.yaml:2: sections[1].tabs[0].details: is a list, and",
            ),
            ("seo: { title: }", "tr/a.yaml:1: seo.title: has no value."),
            (
                "sections:\n  hero: { id: held }",
                "tr/a.yaml:2: sections[0].id: is not translated.",
            ),
        ] {
            let errors = lay(over).unwrap_err();
            assert!(
                errors.len() == 1 && errors[0].starts_with(expected),
                "{errors:#?} for {expected}"
            );
        }
    }

    #[test]
    fn all_errors_are_returned_at_once() {
        assert_eq!(lay("a: 1\nb: 2\nseo: 3").unwrap_err().len(), 3);
    }
}

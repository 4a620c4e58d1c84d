//! Sections that inherit fields from a record: `record: demo`.

use super::finding::LintFinding;
use super::tree::{Data, Entry, Node};
use super::{RECORD, RECORDS, Trees};

const KIND: &str = "componentName";
/// Holds a block of any kind under this name.
const HOLDER: (&str, &str) = ("HeroComponent", "section");

/// Fills the sections of all pages of a locale.
pub fn fill(trees: &mut Trees, english: &Trees) -> Vec<LintFinding> {
    let inside =
        |(stem, tree): (&String, &Node)| Some((stem.strip_prefix(RECORDS)?.to_owned(), tree.clone()));
    // Own records come last, so that they stand over the English ones.
    let records: Trees = english.iter().chain(&*trees).filter_map(inside).collect();
    let mut errors = Vec::new();
    for tree in trees.values_mut() {
        let Some(Data::List(sections)) = tree.data_of("sections") else {
            continue;
        };
        for (index, section) in sections.iter_mut().enumerate() {
            if let Some(entry) = section.remove(RECORD) {
                let filled = fill_section(section, &entry, &records);
                errors.extend(filled.err().map(|(message, fix)| {
                    let field = format!("sections[{index}].{RECORD}");
                    let error = LintFinding::error(entry.at, field, "UNKNOWN_RECORD").message(message);
                    error.fix(fix)
                }));
            }
        }
    }
    errors
}

fn fill_section(section: &mut Node, named: &Entry, records: &Trees) -> Result<(), (String, &'static str)> {
    let id = named.value.text().unwrap_or_default();
    let record = records.get(&format!("/{id}"));
    let record = record.ok_or_else(|| {
        let message = format!("there is no record {id}");
        (message, "name a file in `records`, without its ending.")
    })?;
    let source = match record.get(KIND).and_then(Node::text) {
        Some(kind) if kind == HOLDER.0 => record.get(HOLDER.1).unwrap_or(record),
        _ => record,
    };
    if source.get(KIND).and_then(Node::text) != section.get(KIND).and_then(Node::text) {
        let message = format!("the record {id} is of another kind");
        return Err((message, "give both the same `componentName`."));
    }
    if let (Data::Map(own), Data::Map(given)) = (&mut section.data, &source.data) {
        let missing = given
            .iter()
            .filter(|entry| own.iter().all(|other| other.name != entry.name));
        let missing: Vec<Entry> = missing.cloned().collect();
        own.extend(missing);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::yaml;
    use super::*;

    const PAGE: &str = "sections:\n  - { componentName: ScrollThrough, id: week, record: first-week }\n  - { componentName: Hero, id: top, record: hero, title: Own }\n";
    const WEEK: &str = "componentName: ScrollThrough\ntitle: A week\n";
    const HERO: &str = "componentName: HeroComponent\nsection: { componentName: Hero, id: home, title: Calm, eyebrow: Still }\n";

    fn trees(files: &[(&str, &str)]) -> Trees {
        let parsed = files
            .iter()
            .map(|(stem, text)| ((*stem).to_owned(), yaml::parse(&(*stem).into(), text).unwrap()));
        parsed.collect()
    }

    #[test]
    fn section_takes_what_it_lacks_from_its_record() {
        let mut english = trees(&[
            ("home", PAGE),
            ("records/first-week", WEEK),
            ("records/hero", HERO),
        ]);
        assert_eq!(fill(&mut english, &Trees::new()), []);
        let sections = &english["home"].to_json()["sections"];
        assert_eq!(
            sections[0],
            json!({"componentName": "ScrollThrough", "id": "week", "title": "A week"})
        );
        assert_eq!(
            sections[1],
            json!({"componentName": "Hero", "id": "top", "title": "Own", "eyebrow": "Still"})
        );
    }

    #[test]
    fn translated_record_stands_over_the_english_one() {
        let english = trees(&[("records/first-week", WEEK), ("records/hero", HERO)]);
        let week = WEEK.replace("A week", "Bir hafta");
        let mut turkish = trees(&[("home", PAGE), ("records/first-week", &week)]);
        assert_eq!(fill(&mut turkish, &english), []);
        let sections = &turkish["home"].to_json()["sections"];
        assert_eq!(sections[0]["title"], "Bir hafta");
        assert_eq!(sections[1]["eyebrow"], "Still");
    }

    #[test]
    fn record_that_is_not_there_or_of_another_kind_is_an_error_with_its_line() {
        let other = PAGE.replace("record: hero", "record: first-week");
        let mut english = trees(&[("home", &other), ("records/week", WEEK)]);
        let said: Vec<String> = fill(&mut english, &Trees::new())
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            said.len() == 2
                && said[0].starts_with("home:2: sections[0].record: there is no record first-week"),
            "{said:#?}"
        );
        let mut english = trees(&[("home", &other), ("records/first-week", WEEK)]);
        let said = fill(&mut english, &Trees::new());
        assert_eq!(said.len(), 1);
        assert!(
            said[0]
                .to_string()
                .contains("sections[1].record: the record first-week is of another kind")
        );
    }
}

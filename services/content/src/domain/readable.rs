//! Validates stored documents with the present block types: fills new fields, leaves invalid blocks out.

use blocks::{HeroComponent, MeditationSamples, Model};
use serde_json::{Map, Value};

use crate::domain::document::{SectionDraft, block_value, count_blocks, tagged, to_section, without_nulls};
use crate::domain::record::record_key::RecordKind;
use crate::domain::seo::Seo;

const MEMBERS: [&str; 8] = [
    "urlPath",
    "contentLocale",
    "template",
    "pageType",
    "className",
    "favicon",
    "seo",
    "sections",
];

/// What is stored cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Unreadable(#[from] serde_json::Error);

pub struct ReadablePage {
    pub document: String,
    /// What could not be read, and why.
    pub left_out: Vec<String>,
}

pub fn readable_page(document: &str) -> Result<ReadablePage, Unreadable> {
    let mut page: Map<String, Value> = serde_json::from_str(document)?;
    let mut left_out = Vec::new();
    if let Some(seo) = page.get_mut("seo") {
        complete_seo(seo);
    }
    if let Some(Value::Array(sections)) = page.get_mut("sections") {
        sections.retain_mut(|block| match today(block) {
            Ok(fresh) => {
                let lost = count_blocks(block).saturating_sub(count_blocks(&fresh));
                let id = block.get("id").map(Value::to_string).unwrap_or_default();
                left_out.extend((0..lost).map(|_| format!("a block inside {id}")));
                *block = fresh;
                true
            }
            Err(error) => {
                left_out.push(error);
                false
            }
        });
    }
    Ok(ReadablePage {
        document: Value::Object(in_order(page)).to_string(),
        left_out,
    })
}

/// What cannot be read stays as it is: a newer writer may have stored it.
fn complete_seo(seo: &mut Value) {
    let read = serde_json::from_value::<Seo>(seo.clone()).ok();
    if let Some(complete) = read.and_then(|read| serde_json::to_value(read).ok()) {
        *seo = complete;
    }
}

fn in_order(mut page: Map<String, Value>) -> Map<String, Value> {
    let known = MEMBERS
        .iter()
        .filter_map(|name| page.shift_remove_entry(*name))
        .collect::<Vec<_>>();
    known.into_iter().chain(page).collect()
}

/// A record, or why it cannot be read.
pub fn readable_block(document: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(document).map_err(|error| error.to_string())?;
    today(&value).map(|block| block.to_string())
}

/// A block as it would be stored now.
pub fn today(block: &Value) -> Result<Value, String> {
    let section = to_section(block);
    let props = match section.component_name.parse() {
        Ok(RecordKind::HeroComponent) => read::<HeroComponent>(&section),
        Ok(RecordKind::MeditationSamples) => read::<MeditationSamples>(&section),
        _ => blocks::parse(&section.component_name, &section.props)
            .map_err(|error| error.to_string())
            .and_then(|block| block.to_props().map_err(|error| error.to_string())),
    };
    match props.map(without_nulls)? {
        Value::Object(props) => Ok(tagged(block_value(&section, props))),
        _ => Err("is no object".to_owned()),
    }
}

fn read<M: Model>(section: &SectionDraft) -> Result<Value, String> {
    let record: M = blocks::parse_record(&section.props).map_err(|error| error.to_string())?;
    serde_json::to_value(record).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_broken_blocks_are_left_out_and_the_others_stay_in_order() {
        let block = |id: &str, name: &str, props: &str| {
            format!(r#"{{"__typename":"{name}","id":"{id}","componentName":"{name}",{props}}}"#)
        };
        let sections = [
            block("a", "Heading", r#""text":"A""#),
            block("b", "Hologram", r#""x":1"#),
            block("c", "Heading", r#""text":7"#),
            block("d", "Heading", r#""text":"D","newer":true"#),
        ];
        let document = format!(r#"{{"template":"Page","sections":[{}]}}"#, sections.join(","));
        let readable = readable_page(&document).unwrap();
        let value: Value = serde_json::from_str(&readable.document).unwrap();
        let ids: Vec<&str> = value["sections"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|block| block["id"].as_str())
            .collect();
        assert_eq!((ids.as_slice(), readable.left_out.len()), (&["a", "d"][..], 2));
        assert_eq!(
            value["sections"][0]["tag"], "h2",
            "fields that came later have their usual value"
        );
    }

    #[test]
    fn a_broken_block_inside_a_block_leaves_its_neighbours() {
        let inner = r#"[{"componentName":"Hologram"},{"componentName":"Heading","text":"A"}]"#;
        let hero = format!(r#"{{"id":"h","componentName":"Hero","title":"T","sections":{inner}}}"#);
        let readable = readable_page(&format!(r#"{{"sections":[{hero}]}}"#)).unwrap();
        assert_eq!(readable.left_out, [r#"a block inside "h""#]);
        assert!(
            readable.document.contains(r#""__typename":"Heading""#),
            "{}",
            readable.document
        );
    }

    #[test]
    fn an_old_head_gets_what_came_later_in_its_place() {
        let readable = readable_page(r#"{"sections":[],"seo":{"title":"T"},"urlPath":"/a"}"#).unwrap();
        let start = r#"{"urlPath":"/a","seo":{"title":"T","description":"","#;
        assert!(readable.document.starts_with(start), "{}", readable.document);
        let newer = r#"{"seo":{"title":"T","newer":1},"sections":[]}"#;
        assert_eq!(readable_page(newer).unwrap().document, newer);
    }

    #[test]
    fn a_record_that_cannot_be_read_says_why() {
        assert!(readable_block(r#"{"id":"a","componentName":"HeroComponent"}"#).is_err());
        assert!(readable_block("{").is_err());
    }
}

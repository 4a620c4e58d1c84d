//! The stored form of publications: JSON in the shape of GraphQL, returned verbatim.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::domain::seo::Seo;

const TYPENAME: &str = "__typename";
const COMPONENT_NAME: &str = "componentName";
const ID: &str = "id";

/// A block as it was handed in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SectionDraft {
    /// Empty: derived from the kind of block and how many of its kind stand before it.
    pub id: String,
    pub component_name: String,
    pub props: String,
}

/// A page as it is stored, and as a draft of it is kept (there its blocks have no `__typename`).
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageDocument {
    pub url_path: String,
    pub content_locale: String,
    pub template: String,
    pub page_type: String,
    pub class_name: String,
    pub favicon: String,
    pub seo: Seo,
    pub sections: Vec<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChromeDocument {
    pub navigation: Box<RawValue>,
    pub footer: Box<RawValue>,
}

/// SHA-256 of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    pub fn of(document: &str) -> Self {
        Self(Sha256::digest(document.as_bytes()).into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Which types a document was written with: it needs no second look as long as they are the same.
pub fn block_types() -> &'static [u8] {
    static TYPES: LazyLock<[u8; 32]> = LazyLock::new(|| {
        let mut digest = Sha256::new();
        digest.update(serde_json::to_string(&Seo::default()).unwrap_or_default());
        for name in blocks::COMPONENTS {
            let schema = blocks::schema(name).map(|schema| schema.as_value().to_string());
            digest.update(name);
            digest.update(schema.unwrap_or_default());
        }
        digest.finalize().into()
    });
    &*TYPES
}

/// A block as it is stored: its type precedes its fields.
pub fn block_value(section: &SectionDraft, props: Map<String, Value>) -> Value {
    let mut block = Map::with_capacity(props.len() + 3);
    block.insert(ID.to_owned(), Value::String(section.id.clone()));
    let name = Value::String(section.component_name.clone());
    block.insert(COMPONENT_NAME.to_owned(), name);
    block.extend(props);
    Value::Object(block)
}

/// The reverse of [`block_value`].
pub fn to_section(block: &Value) -> SectionDraft {
    let mut block = untagged(block.clone());
    let mut text = |field: &str| match block
        .as_object_mut()
        .and_then(|fields| fields.shift_remove(field))
    {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (id, component_name) = (text(ID), text(COMPONENT_NAME));
    SectionDraft {
        id,
        component_name,
        props: block.to_string(),
    }
}

/// Names the GraphQL type of the block and of every block inside it, and puts that, its id and its name in front.
pub fn tagged(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            let Some(name @ Value::String(_)) = fields.shift_remove(COMPONENT_NAME) else {
                return Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name, tagged(value)))
                        .collect(),
                );
            };
            let id = fields.shift_remove(ID);
            let mut block = Map::with_capacity(fields.len() + 3);
            block.insert(TYPENAME.to_owned(), name.clone());
            block.extend(id.map(|id| (ID.to_owned(), id)));
            block.insert(COMPONENT_NAME.to_owned(), name);
            block.extend(fields.into_iter().map(|(name, value)| (name, tagged(value))));
            Value::Object(block)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(tagged).collect()),
        other => other,
    }
}

/// Takes the types off again.
pub fn untagged(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            fields.shift_remove(TYPENAME);
            Value::Object(
                fields
                    .into_iter()
                    .map(|(name, value)| (name, untagged(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(untagged).collect()),
        other => other,
    }
}

/// How many blocks there are, at any depth.
pub fn count_blocks(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let inside: usize = fields.values().map(count_blocks).sum();
            inside + usize::from(fields.get(COMPONENT_NAME).is_some_and(Value::is_string))
        }
        Value::Array(items) => items.iter().map(count_blocks).sum(),
        _ => 0,
    }
}

/// What is absent is not written: a document holds only what was said.
pub fn without_nulls(mut value: Value) -> Value {
    drop_nulls(&mut value);
    value
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_absent_is_not_written() {
        let value = without_nulls(json!({"title": "A", "sub": null, "items": [{"url": null, "text": ""}]}));
        assert_eq!(value.to_string(), r#"{"title":"A","items":[{"text":""}]}"#);
    }

    #[test]
    fn other_documents_have_other_hashes() {
        assert_eq!(ContentHash::of("a"), ContentHash::of("a"));
        assert_ne!(ContentHash::of("a"), ContentHash::of("b"));
    }

    #[test]
    fn a_block_says_first_what_it_is_at_every_depth() {
        let inner = json!({"text": "A", "componentName": "Heading"});
        let hero =
            json!({"id": "top", "componentName": "Hero", "sections": [inner], "image": {"url": "/a.svg"}});
        let stored = tagged(hero.clone());
        assert_eq!(
            stored.to_string(),
            concat!(
                r#"{"__typename":"Hero","id":"top","componentName":"Hero","sections":[{"__typename":"Heading","#,
                r#""componentName":"Heading","text":"A"}],"image":{"url":"/a.svg"}}"#
            )
        );
        assert_eq!(count_blocks(&stored), 2);
        assert_eq!(untagged(stored), hero);
    }

    #[test]
    fn a_stored_block_becomes_what_an_editor_handed_in() {
        let section = to_section(&tagged(
            json!({"id": "top", "componentName": "Heading", "text": "A"}),
        ));
        assert_eq!(
            (
                section.id.as_str(),
                section.component_name.as_str(),
                section.props.as_str()
            ),
            ("top", "Heading", r#"{"text":"A"}"#)
        );
    }

    #[test]
    fn the_block_types_are_the_same_every_time() {
        assert_eq!(block_types(), block_types());
        assert_eq!(block_types().len(), 32);
    }
}

//! The JSON Schemas, taken apart.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub struct Schemas {
    pub blocks: BTreeMap<String, Value>,
    /// Of records that are no blocks, and of a page's head.
    pub others: BTreeMap<String, Value>,
    /// Of what all of these are made of.
    pub parts: BTreeMap<String, Value>,
}

impl Schemas {
    pub fn read() -> Self {
        let mut parts = BTreeMap::new();
        let whole = blocks::json_schemas().into_iter().map(|(name, schema)| {
            let mut schema = serde_json::to_value(schema).expect("a schema is JSON");
            if let Some(Value::Object(definitions)) = schema.get_mut("$defs").map(Value::take) {
                parts.extend(definitions);
            }
            (name.to_owned(), schema)
        });
        let (blocks, others) = whole.partition(|(name, _)| blocks::COMPONENTS.contains(&name.as_str()));
        Self {
            blocks,
            others,
            parts,
        }
    }
}

pub fn fields(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

/// The values of an enumeration, each with what is said about it; none of what is no enumeration.
pub fn values(schema: &Value) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let alone = std::slice::from_ref(schema);
    for one in schema["oneOf"].as_array().map_or(alone, Vec::as_slice) {
        let together = one["enum"].as_array().map_or(&[][..], Vec::as_slice);
        found.extend(
            together
                .iter()
                .filter_map(Value::as_str)
                .map(|value| (value, None)),
        );
        found.extend(
            one["const"]
                .as_str()
                .map(|value| (value, one["description"].as_str())),
        );
    }
    found
}

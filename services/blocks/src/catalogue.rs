//! All blocks and records together, for tools.

use std::collections::BTreeMap;

use schemars::Schema;

use crate::block::{COMPONENTS, schema};
use crate::model::{Model, record_schema};
use crate::record::{RECORDS, Record};
use crate::site::page_seo::PageSeo;

/// The JSON Schemas of all blocks and records and of the page's head, by name.
pub fn json_schemas() -> BTreeMap<&'static str, Schema> {
    let blocks = COMPONENTS.iter().filter_map(|name| Some((*name, schema(name)?)));
    let records = RECORDS
        .iter()
        .filter_map(|name| Some((*name, Record::schema(name)?)));
    let head = (PageSeo::NAME, record_schema::<PageSeo>());
    blocks.chain(records).chain([head]).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::Value;

    use crate::block;
    use crate::error::BlockError;
    use crate::model::check_record;

    use super::*;

    fn directory() -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "src/samples"].iter().collect()
    }

    fn sample(name: &str) -> Value {
        let text = std::fs::read_to_string(directory().join(format!("{name}.json")));
        serde_json::from_str(&text.unwrap_or_else(|_| panic!("{name} has no sample"))).unwrap()
    }

    /// The stored form of a block or record, or its errors.
    fn check(name: &str, props: &Value) -> Result<Value, Vec<BlockError>> {
        let json = props.to_string();
        let stored = if COMPONENTS.contains(&name) {
            block::check(name, &json)?.to_props()
        } else if name == PageSeo::NAME {
            serde_json::to_value(check_record::<PageSeo>(&json)?)
        } else {
            Record::check(name, &json)?.to_props()
        };
        Ok(stored.unwrap())
    }

    /// Resolves a schema that is a reference or nullable.
    fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
        if let Some(reference) = schema["$ref"].as_str() {
            return resolved(root.pointer(reference.trim_start_matches('#')).unwrap(), root);
        }
        match schema["anyOf"].as_array().and_then(|either| either.first()) {
            Some(first) => resolved(first, root),
            None => schema,
        }
    }

    /// The JSON pointers of all required fields that a sample has.
    fn required_fields(given: &Value, schema: &Value, root: &Value, place: &str) -> Vec<String> {
        let schema = resolved(schema, root);
        let mut fields = Vec::new();
        for (name, value) in given.as_object().into_iter().flatten() {
            let field = format!("{place}/{name}");
            let inner = &schema["properties"][name];
            fields.append(&mut required_fields(value, inner, root, &field));
            if schema["required"]
                .as_array()
                .is_some_and(|all| all.iter().any(|it| it == name))
            {
                fields.push(field);
            }
        }
        for (index, item) in given.as_array().into_iter().flatten().enumerate() {
            let field = format!("{place}/{index}");
            fields.append(&mut required_fields(item, &schema["items"], root, &field));
        }
        fields
    }

    fn without(given: &Value, pointer: &str) -> Value {
        let mut given = given.clone();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        let parent = given.pointer_mut(parent).unwrap();
        parent.as_object_mut().unwrap().shift_remove(field);
        given
    }

    #[test]
    fn every_block_and_record_has_a_sample_and_nothing_else_has() {
        let files = std::fs::read_dir(directory()).unwrap();
        let mut samples: Vec<String> = files
            .map(|file| {
                file.unwrap()
                    .file_name()
                    .into_string()
                    .unwrap()
                    .replace(".json", "")
            })
            .collect();
        samples.sort_unstable();
        let known: Vec<&str> = json_schemas().into_keys().collect();
        assert_eq!(samples, known);
    }

    #[test]
    fn every_sample_holds_every_rule_and_reads_back_the_same() {
        for name in json_schemas().into_keys() {
            let stored =
                check(name, &sample(name)).unwrap_or_else(|errors| panic!("{name}: {}", shown(&errors)));
            assert_eq!(check(name, &stored).as_ref(), Ok(&stored), "{name}");
        }
    }

    #[test]
    fn every_sample_uses_every_field() {
        for (name, schema) in json_schemas() {
            let schema = serde_json::to_value(schema).unwrap();
            let given = sample(name);
            for (field, about) in schema["properties"].as_object().into_iter().flatten() {
                let filled_by_us = about["readOnly"] == true;
                assert_eq!(given.get(field).is_some(), !filled_by_us, "{name}.{field}");
            }
        }
    }

    #[test]
    fn a_sample_without_something_required_is_refused_and_the_field_named() {
        for (name, schema) in json_schemas() {
            let schema = serde_json::to_value(schema).unwrap();
            let given = sample(name);
            for pointer in required_fields(&given, &schema, &schema, "") {
                let errors = check(name, &without(&given, &pointer)).unwrap_err();
                let field = pointer.rsplit('/').next().unwrap();
                let named = |error: &BlockError| error.field.contains(field) || error.message.contains(field);
                assert!(
                    errors.iter().any(named),
                    "{name} without {pointer}: {}",
                    shown(&errors)
                );
            }
        }
    }

    #[test]
    fn every_sample_is_refused_with_an_unknown_field() {
        for name in json_schemas().into_keys() {
            let mut given = sample(name);
            given["colourOfTheWind"] = Value::from("blue");
            let errors = check(name, &given).unwrap_err();
            assert_eq!(errors[0].field, "colourOfTheWind", "{name}");
        }
    }

    #[test]
    fn every_schema_says_what_it_is_of() {
        for (name, schema) in json_schemas() {
            assert_eq!(schema.get("title").and_then(Value::as_str), Some(name));
            assert!(schema.get("description").is_some(), "{name} has no description");
        }
    }

    fn shown(errors: &[BlockError]) -> String {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        lines.join("; ")
    }
}

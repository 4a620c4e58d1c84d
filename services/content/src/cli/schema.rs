//! `content schema`: JSON Schemas, so that an editor completes and checks while one writes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use blocks::{Footer, HeroComponent, MeditationSamples, Model, Navigation, Template, record_schema};
use clap::Args;
use serde_json::{Value, json};

use super::report::counted;
use super::{CommandContext, Outcome};
use crate::domain::{RecordKind, Seo};

#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Where to write them; made if it is not there.
    dir: PathBuf,
}

pub fn run(args: &SchemaArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let schemas = schemas();
    for (name, schema) in &schemas {
        write(&args.dir.join(name), schema)?;
    }
    writeln!(context.out, "{} written", counted(schemas.len(), "schema"))?;
    Ok(Outcome::Good)
}

fn write(path: &Path, schema: &Value) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(path, format!("{schema:#}\n")).with_context(|| path.display().to_string())
}

fn schemas() -> Vec<(String, Value)> {
    let mut schemas = vec![
        ("page.json".to_owned(), page()),
        ("navigation.json".to_owned(), chrome::<Navigation>()),
        ("footer.json".to_owned(), chrome::<Footer>()),
        ("record.json".to_owned(), record()),
        ("seo.json".to_owned(), seo()),
        (block_file(HeroComponent::NAME), in_a_file::<HeroComponent>()),
        (
            block_file(MeditationSamples::NAME),
            in_a_file::<MeditationSamples>(),
        ),
    ];
    let of_blocks = blocks::COMPONENTS.iter().filter_map(|name| {
        let schema = blocks::schema(name)?;
        Some((block_file(name), closed(schema.to_value(), name)))
    });
    schemas.extend(of_blocks);
    schemas
}

fn block_file(name: &str) -> String {
    format!("blocks/{name}.json")
}

/// A page in full, or a translation of the English one.
fn page() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Page",
        "if": {"required": ["translationOf"]},
        "then": {
            "description": "Only the texts that differ from the English file of the same name.",
            "properties": {
                "translationOf": {"const": "en"},
                "seo": {"type": "object"},
                "sections": {"type": ["object", "array"], "description": "By the ids of the English sections."},
            },
        },
        "else": {
            "required": ["urlPath", "template", "seo", "sections"],
            "additionalProperties": false,
            "properties": {
                "urlPath": {"type": "string", "pattern": "^/", "description": "Without the locale: /pricing."},
                "template": {"enum": Template::ALL.map(Template::name)},
                "pageType": {"type": "string", "pattern": "^[A-Za-z0-9_-]*$"},
                "className": {"type": "string"},
                "favicon": {"type": "string"},
                "seo": {"$ref": "seo.json"},
                "sections": {"type": "array", "minItems": 1, "items": one_of(blocks::COMPONENTS)},
            },
        },
    })
}

/// Which schema holds follows from the `componentName`.
fn one_of(names: &[&str]) -> Value {
    let by_name = names.iter().map(|name| {
        json!({
            "if": {"properties": {"componentName": {"const": name}}},
            "then": {"$ref": block_file(name)},
        })
    });
    json!({
        "type": "object",
        "required": ["componentName"],
        "properties": {"componentName": {"enum": names}},
        "if": {"required": ["record"]},
        "then": {
            "properties": {
                "record": {"type": "string", "description": "The name of a file in records, without its ending: gives every field that is not written here."},
            },
        },
        "else": {"allOf": by_name.collect::<Vec<_>>()},
    })
}

fn record() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Record",
        "if": {"required": ["translationOf"]},
        "then": {"properties": {"translationOf": {"const": "en"}}},
        "else": one_of(&RecordKind::ALL.map(RecordKind::name)),
    })
}

fn chrome<M: Model>() -> Value {
    let schema = record_schema::<M>().to_value();
    let required = schema.get("required").cloned().unwrap_or_else(|| json!([]));
    let mut schema = schema;
    if let Value::Object(fields) = &mut schema {
        fields.shift_remove("required");
        fields.insert("if".to_owned(), json!({"not": {"required": ["translationOf"]}}));
        fields.insert("then".to_owned(), json!({"required": required}));
    }
    schema
}

fn seo() -> Value {
    schemars::schema_for!(Seo).to_value()
}

fn in_a_file<M: Model>() -> Value {
    closed(record_schema::<M>().to_value(), M::NAME)
}

/// What stands beside a block's fields in a file; anything else is a slip.
fn closed(mut schema: Value, name: &str) -> Value {
    let Value::Object(parts) = &mut schema else {
        return schema;
    };
    parts.insert("additionalProperties".to_owned(), json!(false));
    let fields = parts.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(fields) = fields {
        fields.insert("componentName".to_owned(), json!({"const": name}));
        let id =
            json!({"type": "string", "description": "Unique in the page; translations and #links go by it."});
        fields.entry("id").or_insert(id);
    }
    schema
}

#[cfg(test)]
mod tests {
    use kit::error::ErrorCode;

    use super::*;

    #[test]
    fn every_block_has_a_schema_that_the_page_refers_to() {
        let schemas = schemas();
        let page = schemas[0].1.to_string();
        for name in blocks::COMPONENTS {
            let file = block_file(name);
            assert!(page.contains(&file), "{name}");
            let (_, schema) = schemas.iter().find(|(known, _)| *known == file).unwrap();
            assert_eq!(schema["properties"]["componentName"]["const"], *name);
        }
    }

    #[test]
    fn the_head_of_a_page_is_described() {
        let seo = seo();
        for field in ["title", "description", "noindex", "canonicalPath", "breadcrumbs"] {
            assert!(seo["properties"][field].is_object(), "{field}");
        }
    }

    /// What the rules refuse without, the schema requires: an editor sees it while writing.
    #[test]
    fn the_head_of_a_page_requires_what_its_rules_do() {
        let empty = json!({"howTo": {}, "video": {}, "job": {}, "article": {}, "breadcrumbs": [{}]});
        let mut errors = Vec::new();
        serde_json::from_value::<Seo>(empty).unwrap().check(&mut errors);
        let missing = errors.iter().filter(|error| error.code == ErrorCode::Required);
        let mut missing: Vec<&str> = missing.map(|error| error.field.as_str()).collect();
        missing.sort_unstable();
        let schema = seo();
        let parts = [
            ("Breadcrumb", "seo.breadcrumbs[0]"),
            ("HowTo", "seo.howTo"),
            ("Job", "seo.job"),
            ("Video", "seo.video"),
        ];
        let fields = |schema: &Value, of: &str| -> Vec<String> {
            let required = schema["required"].as_array().unwrap().iter();
            required
                .map(|field| format!("{of}.{}", field.as_str().unwrap()))
                .collect()
        };
        let mut required = fields(&schema, "seo");
        required.extend(
            parts
                .iter()
                .flat_map(|(name, of)| fields(&schema["$defs"][name], of)),
        );
        required.sort_unstable();
        assert_eq!(required, missing);
        assert_eq!(schema["$defs"]["Article"].get("required"), None);
    }
}

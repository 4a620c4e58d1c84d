//! The common parts of blocks and records: name, JSON form, rules, rendered texts, offers and nested blocks.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::block::Block;
use crate::block::nested;
use crate::error::{BlockError, BlockErrorCode};
use crate::inspection::Inspection;
use crate::locale::Locale;
use crate::offer::Quote;
use crate::renderer::Renderer;

/// A block, a record, or a part of one.
pub trait Model: Serialize + DeserializeOwned + JsonSchema {
    /// The GraphQL type name, also the `componentName` of a block.
    const NAME: &'static str;

    /// The fields with nested blocks.
    const NESTED: &'static [&'static str] = &[];

    /// Adds the errors of the values and the findings for the lint.
    fn inspect(&self, at: &mut Inspection);

    /// Fills the `…Html` fields from their source texts. Values written by editors are overwritten.
    fn render(&mut self, _with: &Renderer<'_>) {}

    /// Sets the locale of the offers to that of the page.
    fn quote(&mut self, _locale: Locale) {}

    /// The offers it shows.
    fn quotes(&self) -> Vec<&Quote> {
        Vec::new()
    }

    /// The nested blocks.
    fn nested(&self) -> Vec<&Block> {
        Vec::new()
    }

    fn nested_mut(&mut self) -> Vec<&mut Block> {
        Vec::new()
    }
}

/// Reads a stored record. Unknown fields are ignored, because a newer version may have written them.
pub fn parse_record<M: Model>(json: &str) -> Result<M, BlockError> {
    from_value(&to_value(M::NAME, json)?)
}

/// Validates a record before publication: rejects unknown fields, applies every rule, returns all errors at once.
pub fn check_record<M: Model>(json: &str) -> Result<M, Vec<BlockError>> {
    check_value(&to_value(M::NAME, json).map_err(|error| vec![error])?)
}

pub fn check_value<M: Model>(given: &Value) -> Result<M, Vec<BlockError>> {
    let mut inside = nested::errors::<M>(given);
    let model: M = match from_value(given) {
        Ok(model) => model,
        Err(error) => {
            inside.push(error);
            return Err(inside);
        }
    };
    let mut errors = unknown_fields(&model, given);
    let rules = Inspection::of(&model).errors().into_iter();
    // Unreadable blocks are missing in the model, so the positions of the others would be wrong.
    errors.extend(rules.filter(|error| inside.is_empty() || !nested::is_inside::<M>(&error.field)));
    errors.append(&mut inside);
    if errors.is_empty() { Ok(model) } else { Err(errors) }
}

/// The JSON Schema of a block or record, for editors.
pub fn record_schema<M: Model>() -> Schema {
    schemars::schema_for!(M)
}

/// The fields of the type with this name.
pub fn to_value(name: &str, json: &str) -> Result<Value, BlockError> {
    match serde_json::from_str(json) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(malformed(name, String::new(), "must be an object".to_owned())),
        Err(error) => Err(malformed(name, String::new(), format!("is not JSON: {error}"))),
    }
}

pub fn from_value<M: Model>(value: &Value) -> Result<M, BlockError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let field = match error.path().to_string() {
            root if root == "." => String::new(),
            path => path,
        };
        malformed(M::NAME, field, error.inner().to_string())
    })
}

fn malformed(name: &str, field: String, message: String) -> BlockError {
    BlockError {
        component: name.to_owned(),
        field,
        code: BlockErrorCode::Malformed,
        message,
    }
}

/// A model serialises all of its fields, so any other given field is unknown.
fn unknown_fields<M: Model>(model: &M, given: &Value) -> Vec<BlockError> {
    let known = serde_json::to_value(model).unwrap_or(Value::Null);
    let mut fields = Vec::new();
    beyond(
        &nested::without_nested::<M>(given.clone()),
        &known,
        "",
        &mut fields,
    );
    let error = |field| BlockError {
        component: M::NAME.to_owned(),
        field,
        code: BlockErrorCode::UnknownField,
        message: "is not a field of this block".to_owned(),
    };
    fields.into_iter().map(error).collect()
}

fn beyond(given: &Value, known: &Value, place: &str, fields: &mut Vec<String>) {
    match (given, known) {
        (Value::Object(given), Value::Object(known)) => {
            for (name, value) in given {
                let field = if place.is_empty() {
                    name.clone()
                } else {
                    format!("{place}.{name}")
                };
                match known.get(name) {
                    Some(known) => beyond(value, known, &field, fields),
                    None => fields.push(field),
                }
            }
        }
        (Value::Array(given), Value::Array(known)) => {
            for (index, (given, known)) in given.iter().zip(known).enumerate() {
                beyond(given, known, &format!("{place}[{index}]"), fields);
            }
        }
        _ => {}
    }
}

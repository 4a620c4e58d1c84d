//! What every block and record has in common: a name, a JSON form, rules, and perhaps Markdown to render.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::fault::{BlockFault, FaultCode};
use crate::inspection::Inspection;

/// A block, a record, or a part of one.
pub trait Model: Serialize + DeserializeOwned + JsonSchema {
    /// The GraphQL type name; of a block also its `componentName`.
    const NAME: &'static str;

    /// Reports everything that is wrong with the values.
    fn inspect(&self, at: &mut Inspection);

    /// Fills the `…Html` fields from the Markdown beside them. What an editor wrote into them is overwritten.
    fn render(&mut self, _to_html: &dyn Fn(&str) -> String) {}
}

/// Reads a stored record. Fields this version does not know are passed over: a newer writer may have stored them.
pub fn parse_record<M: Model>(json: &str) -> Result<M, BlockFault> {
    from_value(&to_value::<M>(json)?)
}

/// Reads a record somebody wants to publish: nothing unknown, every rule held, all faults at once.
pub fn check_record<M: Model>(json: &str) -> Result<M, Vec<BlockFault>> {
    let given = to_value::<M>(json).map_err(|fault| vec![fault])?;
    let model: M = from_value(&given).map_err(|fault| vec![fault])?;
    let mut faults = unknown_fields(&model, &given);
    faults.append(&mut Inspection::of(&model).faults());
    if faults.is_empty() { Ok(model) } else { Err(faults) }
}

/// The JSON Schema of a block or record, for editors.
pub fn record_schema<M: Model>() -> Schema {
    schemars::schema_for!(M)
}

fn to_value<M: Model>(json: &str) -> Result<Value, BlockFault> {
    match serde_json::from_str(json) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(malformed::<M>(String::new(), "must be an object".to_owned())),
        Err(error) => Err(malformed::<M>(String::new(), format!("is not JSON: {error}"))),
    }
}

fn from_value<M: Model>(value: &Value) -> Result<M, BlockFault> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let field = match error.path().to_string() {
            root if root == "." => String::new(),
            path => path,
        };
        malformed::<M>(field, error.inner().to_string())
    })
}

fn malformed<M: Model>(field: String, message: String) -> BlockFault {
    BlockFault {
        component: M::NAME.to_owned(),
        field,
        code: FaultCode::Malformed,
        message,
    }
}

/// A model writes every field it has, so what was given beyond that is unknown.
fn unknown_fields<M: Model>(model: &M, given: &Value) -> Vec<BlockFault> {
    let known = serde_json::to_value(model).unwrap_or(Value::Null);
    let mut fields = Vec::new();
    beyond(given, &known, "", &mut fields);
    let fault = |field| BlockFault {
        component: M::NAME.to_owned(),
        field,
        code: FaultCode::UnknownField,
        message: "is not a field of this block".to_owned(),
    };
    fields.into_iter().map(fault).collect()
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

//! The parameters of each call at the pinned API version. A call that Stripe would reject is rejected before its handler,
//! so that every request of the product in a test is valid at Stripe.
//!
//! The table comes from Stripe's own declarations: see `node/parameters.js`.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    error::ApiError,
    form::{Fields, Node},
};

const TABLE: &str = include_str!("parameters.json");

static CALLS: LazyLock<Calls> = LazyLock::new(Calls::read);

/// Rejects unknown and malformed parameters. Calls outside the table are not checked.
pub fn check(method: &str, path: &[&str], fields: &Fields) -> Result<(), ApiError> {
    match CALLS.find(method, path) {
        None => Ok(()),
        Some(names) => names.check(fields, ""),
    }
}

#[derive(Deserialize)]
struct Table {
    calls: Map<String, Value>,
}

/// By method and number of segments.
struct Calls(HashMap<(String, usize), Vec<Call>>);

struct Call {
    /// Empty for an id.
    segments: Vec<String>,
    names: Names,
}

impl Calls {
    #[expect(
        clippy::expect_used,
        reason = "the table is a part of the program, and a test reads it"
    )]
    fn read() -> Self {
        let table: Table = serde_json::from_str(TABLE).expect("a table");
        let mut by_length: HashMap<_, Vec<Call>> = HashMap::new();
        for (call, params) in &table.calls {
            let (method, address) = call.split_once(" /v1/").expect("a method and an address");
            let segments: Vec<String> = address
                .split('/')
                .map(|segment| if segment == "{id}" { "" } else { segment }.to_owned())
                .collect();
            let call = Call {
                names: Names::read(params),
                segments,
            };
            let place = by_length.entry((method.to_owned(), call.segments.len()));
            place.or_default().push(call);
        }
        // `invoices/create_preview` is not the invoice of that id.
        for calls in by_length.values_mut() {
            calls.sort_by_key(|call| call.segments.iter().filter(|segment| segment.is_empty()).count());
        }
        Self(by_length)
    }

    fn find(&self, method: &str, path: &[&str]) -> Option<&Names> {
        let calls = self.0.get(&(method.to_owned(), path.len()))?;
        let fits = |call: &&Call| {
            let mut pairs = call.segments.iter().zip(path);
            pairs.all(|(known, given)| known.is_empty() || known == given)
        };
        calls.iter().find(fits).map(|call| &call.names)
    }
}

/// The type of a parameter.
enum Shape {
    Text,
    Number,
    Flag,
    Words(Vec<String>),
    /// Arbitrary names, such as metadata.
    Map,
    /// Not checked.
    Any,
    List(Box<Shape>),
    Either(Vec<Shape>),
    Names(Names),
}

struct Names(HashMap<String, Parameter>);

struct Parameter {
    shape: Shape,
    required: bool,
}

impl Names {
    fn read(value: &Value) -> Self {
        let named = value.as_object().into_iter().flatten().map(|(name, shape)| {
            let parameter = Parameter {
                shape: Shape::read(shape),
                required: name.ends_with('!'),
            };
            (name.trim_end_matches('!').to_owned(), parameter)
        });
        Self(named.collect())
    }

    fn check(&self, fields: &Fields, prefix: &str) -> Result<(), ApiError> {
        for (name, node) in fields {
            let path = within(prefix, name);
            match self.0.get(name) {
                None => return Err(ApiError::unknown_parameter(&leaf(path, node))),
                Some(known) => known.check(node, &path)?,
            }
        }
        let given = |name: &String| fields.iter().any(|(known, _)| known == name);
        let mut missing = self
            .0
            .iter()
            .filter(|(name, known)| known.required && !given(name));
        match missing.next() {
            None => Ok(()),
            Some((name, _)) => Err(ApiError::missing_parameter(&within(prefix, name))),
        }
    }
}

impl Parameter {
    fn check(&self, node: &Node, path: &str) -> Result<(), ApiError> {
        match node {
            // An empty value unsets a field; handlers reject it where not allowed.
            Node::Text(text) if text.is_empty() => Ok(()),
            node => self.shape.check(node, path),
        }
    }
}

impl Shape {
    fn read(value: &Value) -> Self {
        match value {
            Value::String(word) => match word.as_str() {
                "number" => Self::Number,
                "flag" => Self::Flag,
                "map" => Self::Map,
                "any" => Self::Any,
                _ => Self::Text,
            },
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                Self::Words(words.map(ToOwned::to_owned).collect())
            }
            Value::Object(inner) => match (inner.get("*"), inner.get("|")) {
                (Some(item), _) => Self::List(Box::new(Self::read(item))),
                (_, Some(several)) => {
                    let several = several.as_array().into_iter().flatten();
                    Self::Either(several.map(Self::read).collect())
                }
                _ => Self::Names(Names::read(value)),
            },
            _ => Self::Any,
        }
    }

    fn check(&self, node: &Node, path: &str) -> Result<(), ApiError> {
        match (self, node) {
            (Self::Any, _) | (Self::Text, Node::Text(_)) => Ok(()),
            (Self::Number, Node::Text(text)) => check_number(text, path),
            (Self::Flag, Node::Text(text)) => check_flag(text, path),
            (Self::Words(words), Node::Text(text)) => check_word(words, text, path),
            (Self::Map, Node::Branch(fields)) => check_map(fields, path),
            (Self::List(item), Node::Branch(items)) => items
                .iter()
                .try_for_each(|(at, node)| item.check(node, &format!("{path}[{at}]"))),
            (Self::Names(names), Node::Branch(fields)) => names.check(fields, path),
            (Self::Either(several), node) => check_either(several, node, path),
            (Self::List(_), _) => Err(mistyped("array", path)),
            (Self::Map | Self::Names(_), _) => Err(mistyped("object", path)),
            (_, Node::Branch(_)) => Err(mistyped("string", path)),
        }
    }
}

fn check_number(text: &str, path: &str) -> Result<(), ApiError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if all_digits(whole) && all_digits(part) {
        return Ok(());
    }
    Err(ApiError::malformed(format!("Invalid integer: {text}"))
        .code("parameter_invalid_integer")
        .param(path))
}

fn check_flag(text: &str, path: &str) -> Result<(), ApiError> {
    if ["true", "false", "1", "0"].contains(&text) {
        return Ok(());
    }
    Err(ApiError::malformed(format!("Invalid boolean: {text}")).param(path))
}

fn check_word(words: &[String], text: &str, path: &str) -> Result<(), ApiError> {
    if words.iter().any(|word| word == text) {
        return Ok(());
    }
    let message = format!("Invalid {path}: must be one of {}", words.join(", "));
    Err(ApiError::malformed(message).param(path))
}

fn check_map(fields: &Fields, path: &str) -> Result<(), ApiError> {
    match fields.iter().find(|(_, node)| matches!(node, Node::Branch(_))) {
        // Values of a map may be objects, except in metadata.
        Some((name, _)) if path == "metadata" => Err(mistyped("string", &within(path, name))),
        _ => Ok(()),
    }
}

/// Accepts any matching shape; else returns the error of the shape of the same form.
fn check_either(several: &[Shape], node: &Node, path: &str) -> Result<(), ApiError> {
    let branches = |shape: &&Shape| matches!(shape, Shape::Names(_) | Shape::List(_) | Shape::Map);
    let has_form = |shape: &&Shape| branches(shape) == matches!(node, Node::Branch(_));
    let mut failure = None;
    for shape in several.iter().filter(has_form) {
        match shape.check(node, path) {
            Ok(()) => return Ok(()),
            Err(error) => failure = Some(error),
        }
    }
    Err(failure.unwrap_or_else(|| mistyped("object", path)))
}

fn mistyped(what: &str, path: &str) -> ApiError {
    ApiError::malformed(format!("Invalid {what}")).param(path)
}

fn within(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}[{name}]")
    }
}

/// The full path of an unknown parameter, as in Stripe's errors.
pub fn leaf(path: String, node: &Node) -> String {
    match node {
        Node::Branch(fields) => match fields.first() {
            Some((name, inner)) => leaf(format!("{path}[{name}]"), inner),
            None => path,
        },
        Node::Text(_) => path,
    }
}

#[cfg(test)]
mod tests;

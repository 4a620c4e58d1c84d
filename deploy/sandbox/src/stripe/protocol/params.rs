//! A request's parameters. Each handler takes the ones it supports; the rest is unknown.

use serde_json::{Map, Value};

use super::{
    error::ApiError,
    form::{self, Fields, Node},
    parameters::leaf,
};

const METADATA_KEYS_MAX: usize = 50;

#[derive(Clone, Debug, Default)]
pub struct Params {
    prefix: String,
    fields: Fields,
}

type Read<T> = Result<T, ApiError>;

impl Params {
    pub const fn new(fields: Fields) -> Self {
        Self {
            prefix: String::new(),
            fields,
        }
    }

    pub fn text(&mut self, name: &str) -> Read<Option<String>> {
        match self.clearable(name)? {
            Some(None) => Err(ApiError::empty_parameter(&self.path(name))),
            Some(Some(text)) => Ok(Some(text)),
            None => Ok(None),
        }
    }

    /// `Some(None)` is an empty string: Stripe's way to unset a field.
    #[expect(
        clippy::option_option,
        reason = "absent, unset and set are three different cases"
    )]
    pub fn clearable(&mut self, name: &str) -> Read<Option<Option<String>>> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Text(text)) => Ok(Some(Some(text).filter(|text| !text.is_empty()))),
            Some(Node::Branch(_)) => Err(self.invalid(name, "Invalid string")),
        }
    }

    pub fn required(&mut self, name: &str) -> Read<String> {
        self.text(name)?
            .ok_or_else(|| ApiError::missing_parameter(&self.path(name)))
    }

    pub fn integer(&mut self, name: &str) -> Read<Option<i64>> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(self
                .invalid(name, &format!("Invalid integer: {text}"))
                .code("parameter_invalid_integer")),
        }
    }

    pub fn integer_within(&mut self, name: &str, range: std::ops::RangeInclusive<i64>) -> Read<Option<i64>> {
        let Some(number) = self.integer(name)? else {
            return Ok(None);
        };
        let complaint = match number {
            n if n < *range.start() => {
                format!("This value must be greater than or equal to {}.", range.start())
            }
            n if n > *range.end() => format!("This value must be less than or equal to {}.", range.end()),
            _ => return Ok(Some(number)),
        };
        Err(self.invalid(name, &complaint).code("parameter_invalid_integer"))
    }

    pub fn flag(&mut self, name: &str) -> Read<Option<bool>> {
        match self.text(name)?.as_deref() {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(other) => Err(self.invalid(name, &format!("Invalid boolean: {other}"))),
        }
    }

    pub fn one_of(&mut self, name: &str, choices: &[&str]) -> Read<Option<String>> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        if choices.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        let complaint = format!(
            "Invalid {}: must be one of {}",
            self.path(name),
            choices.join(", ")
        );
        Err(self.invalid(name, &complaint))
    }

    pub fn texts(&mut self, name: &str) -> Read<Vec<String>> {
        let Some(node) = self.take(name) else {
            return Ok(Vec::new());
        };
        let Node::Branch(items) = node else {
            return Err(self.invalid(name, "Invalid array"));
        };
        let texts = items.into_iter().map(|(_, node)| match node {
            Node::Text(text) => Some(text),
            Node::Branch(_) => None,
        });
        texts
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| self.invalid(name, "Invalid array"))
    }

    pub fn nested(&mut self, name: &str) -> Read<Option<Self>> {
        match self.take(name) {
            None => Ok(None),
            Some(Node::Branch(fields)) => Ok(Some(Self {
                prefix: self.path(name),
                fields,
            })),
            Some(Node::Text(text)) if text.is_empty() => Ok(None),
            Some(Node::Text(_)) => Err(self.invalid(name, "Invalid object")),
        }
    }

    pub fn list(&mut self, name: &str) -> Read<Vec<Self>> {
        let Some(outer) = self.nested(name)? else {
            return Ok(Vec::new());
        };
        let Self { prefix, fields } = outer;
        let items = fields.into_iter().map(|(index, node)| match node {
            Node::Branch(fields) => Some(Self {
                prefix: format!("{prefix}[{index}]"),
                fields,
            }),
            Node::Text(_) => None,
        });
        items
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| self.invalid(name, "Invalid array"))
    }

    /// `None` without metadata in the request; an empty value removes a key.
    pub fn metadata(&mut self) -> Read<Option<Map<String, Value>>> {
        let Some(node) = self.take("metadata") else {
            return Ok(None);
        };
        let Node::Branch(fields) = node else {
            return Ok(Some(Map::new()));
        };
        if fields.len() > METADATA_KEYS_MAX {
            return Err(self.invalid("metadata", "You can specify up to 50 metadata keys."));
        }
        let entries = fields.into_iter().map(|(key, node)| match node {
            Node::Text(text) => Some((key, Value::from(text))),
            Node::Branch(_) => None,
        });
        let entries = entries.collect::<Option<Map<_, _>>>();
        entries
            .map(Some)
            .ok_or_else(|| self.invalid("metadata", "Metadata values must be strings."))
    }

    /// An object that is stored and returned unchanged, such as an address.
    pub fn stored(&mut self, name: &str) -> Read<Option<Value>> {
        Ok(self.nested(name)?.map(|inner| form::to_json(&inner.fields)))
    }

    /// Drops parameters without a visible effect in the simulator.
    pub fn ignore(&mut self, names: &[&str]) {
        self.fields.retain(|(name, _)| !names.contains(&name.as_str()));
    }

    /// Rejects parameters whose effect is not simulated.
    pub fn refuse(&self, names: &[&str]) -> Read<()> {
        match self
            .fields
            .iter()
            .find(|(name, _)| names.contains(&name.as_str()))
        {
            None => Ok(()),
            Some((name, _)) => Err(self.invalid(name, &format!("The sandbox does not simulate {name}."))),
        }
    }

    pub fn finish(self) -> Read<()> {
        match self.fields.first() {
            None => Ok(()),
            Some((name, node)) => Err(ApiError::unknown_parameter(&leaf(self.path(name), node))),
        }
    }

    pub fn invalid(&self, name: &str, complaint: &str) -> ApiError {
        ApiError::malformed(complaint).param(&self.path(name))
    }

    fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.fields.iter().position(|(known, _)| known == name)?;
        Some(self.fields.remove(at).1)
    }

    pub fn path(&self, name: &str) -> String {
        if self.prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{}[{name}]", self.prefix)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stripe::protocol::form;

    fn params(encoded: &str) -> Params {
        Params::new(form::parse(encoded.as_bytes()).unwrap())
    }

    fn complaint(error: &ApiError) -> (String, String) {
        let body = error.body();
        (
            body["error"]["code"].as_str().unwrap_or("").into(),
            body["error"]["param"].as_str().unwrap_or("").into(),
        )
    }

    #[test]
    fn an_unread_parameter_is_unknown_by_its_full_name() {
        let mut given = params("items[0][price]=p&items[0][colour]=red");
        let mut items = given.list("items").unwrap();
        assert_eq!(items[0].required("price").unwrap(), "p");
        let error = items.remove(0).finish().unwrap_err();
        assert_eq!(
            complaint(&error),
            ("parameter_unknown".into(), "items[0][colour]".into())
        );
    }

    #[test]
    fn missing_empty_and_mistyped_name_the_parameter() {
        let cases = [
            (params("").required("currency").unwrap_err(), "parameter_missing"),
            (
                params("currency=").required("currency").unwrap_err(),
                "parameter_invalid_empty",
            ),
            (
                params("currency=x").integer("currency").unwrap_err(),
                "parameter_invalid_integer",
            ),
        ];
        for (error, code) in cases {
            assert_eq!(complaint(&error), (code.into(), "currency".into()));
        }
    }
}

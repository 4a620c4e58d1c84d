//! The parameters of a GraphQL request, from a body or a query string.
use serde_json::{Map, Value};

#[derive(Debug, Default, PartialEq)]
pub struct Parameters {
    /// Empty where only its hash was sent.
    pub query: String,
    pub operation_name: Option<String>,
    pub variables: Map<String, Value>,
    pub extensions: Map<String, Value>,
}

impl Parameters {
    pub fn from_body(body: &[u8]) -> Result<Self, String> {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            return Err("The body is not JSON.".to_owned());
        };
        let Value::Object(mut fields) = value else {
            return Err("The body must be one JSON object.".to_owned());
        };
        let mut text = |name: &str| match fields.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` must be a string.")),
        };
        let (query, operation_name) = (text("query")?, text("operationName")?);
        let (variables, extensions) = (
            fields.shift_remove("variables"),
            fields.shift_remove("extensions"),
        );
        Self {
            query: query.unwrap_or_default(),
            operation_name,
            variables: object(variables, "variables")?,
            extensions: object(extensions, "extensions")?,
        }
        .checked()
    }

    pub fn from_query(query: &str) -> Result<Self, String> {
        let mut parameters = Self::default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "query" => parameters.query = value.into_owned(),
                "operationName" if !value.is_empty() => parameters.operation_name = Some(value.into_owned()),
                "variables" => parameters.variables = object(Some(json(&value, &name)?), &name)?,
                "extensions" => parameters.extensions = object(Some(json(&value, &name)?), &name)?,
                _ => {}
            }
        }
        parameters.checked()
    }

    fn checked(self) -> Result<Self, String> {
        if self.query.trim().is_empty() && !self.extensions.contains_key("persistedQuery") {
            return Err("`query` is missing.".to_owned());
        }
        Ok(self)
    }
}

fn json(text: &str, name: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|_| format!("`{name}` must be JSON."))
}

fn object(value: Option<Value>, name: &str) -> Result<Map<String, Value>, String> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(_) => Err(format!("`{name}` must be an object.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_wrong_type_are_refused() {
        for body in [
            "",
            "[]",
            "1",
            "{",
            "{}",
            r#"{"query": 1}"#,
            r#"{"query": ""}"#,
            r#"{"query": "{a}", "variables": []}"#,
            r#"{"query": "{a}", "operationName": 1}"#,
            r#"{"query": "{a}", "extensions": "x"}"#,
            r#"[{"query": "{a}"}]"#,
        ] {
            assert!(Parameters::from_body(body.as_bytes()).is_err(), "{body}");
        }
        let body = r#"{"query": "{a}", "variables": null, "operationName": null, "extensions": null}"#;
        assert!(Parameters::from_body(body.as_bytes()).is_ok());
    }

    #[test]
    fn query_string_is_read_like_a_body() {
        let query = "query=query+A%7Ba%7D&operationName=A&variables=%7B%22x%22%3A1%7D&other=1";
        let body = r#"{"query": "query A{a}", "operationName": "A", "variables": {"x": 1}, "other": 1}"#;
        assert_eq!(
            Parameters::from_query(query),
            Parameters::from_body(body.as_bytes())
        );
        for wrong in [
            "",
            "query=%7Ba%7D&variables=x",
            "query=%7Ba%7D&variables=[]",
            "query=+",
        ] {
            assert!(Parameters::from_query(wrong).is_err(), "{wrong}");
        }
    }
}

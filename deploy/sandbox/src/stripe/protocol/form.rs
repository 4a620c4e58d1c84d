//! Stripe's request encoding: `items[0][price]=…`, `expand[]=…`, as a tree.

use serde_json::{Map, Value};

use super::error::ApiError;

const DEPTH_MAX: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Text(String),
    Branch(Vec<(String, Node)>),
}

pub type Fields = Vec<(String, Node)>;

pub fn parse(encoded: &[u8]) -> Result<Fields, ApiError> {
    let mut fields = Fields::new();
    for (key, value) in url::form_urlencoded::parse(encoded) {
        let path =
            split(&key).ok_or_else(|| ApiError::malformed(format!("Invalid parameter name: {key}")))?;
        if path.len() > DEPTH_MAX {
            return Err(ApiError::malformed(format!("Parameter nested too deeply: {key}")));
        }
        place(&mut fields, &path, value.into_owned())
            .ok_or_else(|| ApiError::malformed(format!("Invalid parameter: {key}")))?;
    }
    Ok(fields)
}

/// `items[0][price]` → `items`, `0`, `price`; `expand[]` → `expand` and an empty name.
fn split(key: &str) -> Option<Vec<&str>> {
    let Some((head, rest)) = key.split_once('[') else {
        return (!key.is_empty()).then(|| vec![key]);
    };
    let inner = rest.strip_suffix(']')?;
    let mut path = vec![head];
    path.extend(inner.split("]["));
    (!head.is_empty()).then_some(path)
}

fn place(fields: &mut Fields, path: &[&str], value: String) -> Option<()> {
    let (name, rest) = path.split_first()?;
    let name = if name.is_empty() {
        fields.len().to_string()
    } else {
        (*name).to_owned()
    };
    let at = fields.iter().position(|(known, _)| *known == name);
    if rest.is_empty() {
        let node = Node::Text(value);
        match at {
            Some(at) => fields[at].1 = node,
            None => fields.push((name, node)),
        }
        return Some(());
    }

    let at = at.unwrap_or_else(|| {
        fields.push((name, Node::Branch(Fields::new())));
        fields.len() - 1
    });
    match &mut fields[at].1 {
        Node::Branch(inner) => place(inner, rest, value),
        Node::Text(_) => None,
    }
}

/// The tree as JSON, for the request log.
pub fn to_json(fields: &Fields) -> Value {
    let entries = fields.iter().map(|(name, node)| {
        let value = match node {
            Node::Text(text) => Value::from(text.as_str()),
            Node::Branch(inner) => to_json(inner),
        };
        (name.clone(), value)
    });
    Value::Object(entries.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn brackets_become_a_tree() {
        let fields = parse(b"items[0][price]=price_1&expand[]=a&expand[]=b.c&metadata[x y]=1%202").unwrap();
        let expected = json!({
            "items": {"0": {"price": "price_1"}},
            "expand": {"0": "a", "1": "b.c"},
            "metadata": {"x y": "1 2"},
        });
        assert_eq!(to_json(&fields), expected);
    }

    #[test]
    fn a_name_cannot_be_both_text_and_tree() {
        assert!(parse(b"a=1&a[b]=2").is_err());
        assert!(parse(b"[b]=2").is_err());
    }
}

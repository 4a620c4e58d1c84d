//! The stored form of a page and of a locale's chrome: JSON that is handed on as it stands.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::page::Seo;

/// A page as it is stored. The blocks' properties are not looked into when it is read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageDocument {
    pub template: String,
    pub page_type: String,
    pub class_name: String,
    pub favicon: String,
    pub seo: Seo,
    pub sections: Vec<StoredBlock>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredBlock {
    pub id: String,
    pub component_name: String,
    pub props: Box<RawValue>,
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

/// What is absent is not written: a document holds only what was said.
pub fn to_raw(mut props: Value) -> Result<Box<RawValue>, serde_json::Error> {
    drop_nulls(&mut props);
    serde_json::value::to_raw_value(&props)
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
        let raw = to_raw(json!({"title": "A", "sub": null, "items": [{"url": null, "text": ""}]})).unwrap();
        assert_eq!(raw.get(), r#"{"title":"A","items":[{"text":""}]}"#);
    }

    #[test]
    fn other_documents_have_other_hashes() {
        assert_eq!(ContentHash::of("a"), ContentHash::of("a"));
        assert_ne!(ContentHash::of("a"), ContentHash::of("b"));
    }
}

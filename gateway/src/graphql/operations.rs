//! Operations that were asked before: parsed once, and planned once they were answered without an error.
use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use moka::sync::Cache;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::graphql::parameters::Parameters;
use crate::graphql::plan;
use crate::graphql::plan::{Operation, Plan, Types};

/// Bytes of query text kept; what is made of it takes some ten times as much.
const TEXT_BYTES_MAX: u64 = 4 * 1024 * 1024;

pub struct Operations {
    types: Types,
    known: Cache<String, Arc<KnownOperation>>,
    by_hash: Cache<String, Arc<str>>,
}

pub struct KnownOperation {
    pub document: ExecutableDocument,
    pub plan: Option<Plan>,
}

/// Why a query cannot be found by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashError {
    Malformed,
    Mismatch,
    NotFound,
}

impl Operations {
    pub fn new(types: Types) -> Self {
        Self {
            types,
            known: Cache::builder()
                .max_capacity(TEXT_BYTES_MAX)
                .weigher(|key: &String, _: &Arc<KnownOperation>| length(key))
                .build(),
            by_hash: Cache::builder()
                .max_capacity(TEXT_BYTES_MAX)
                .weigher(|_: &String, query: &Arc<str>| length(query))
                .build(),
        }
    }

    pub fn get(&self, parameters: &Parameters) -> Option<Arc<KnownOperation>> {
        self.known.get(&key(parameters))
    }

    /// Only after it was answered without an error: a plan does not judge.
    pub fn store(&self, parameters: &Parameters, document: ExecutableDocument) -> Arc<KnownOperation> {
        let name = parameters.operation_name.as_deref();
        let operation = Operation::chosen(&document, name, &parameters.variables);
        let plan = operation.and_then(|operation| plan::compile(&self.types, &operation));
        let known = Arc::new(KnownOperation { document, plan });
        self.known.insert(key(parameters), Arc::clone(&known));
        if let Ok(Some(hash)) = sent_hash(parameters) {
            self.by_hash
                .insert(hash.to_owned(), parameters.query.as_str().into());
        }
        known
    }

    /// Automatic persisted queries: puts in the query that only its hash was sent of, and checks a hash that came along.
    pub fn resolve_hash(&self, parameters: &mut Parameters) -> Result<(), HashError> {
        let Some(hash) = sent_hash(parameters)?.map(str::to_owned) else {
            return Ok(());
        };
        if parameters.query.is_empty() {
            let query = self.by_hash.get(&hash).ok_or(HashError::NotFound)?;
            query.as_ref().clone_into(&mut parameters.query);
            return Ok(());
        }
        if hex::encode(Sha256::digest(&parameters.query)) == hash {
            Ok(())
        } else {
            Err(HashError::Mismatch)
        }
    }
}

/// In lower case, as the clients write it.
fn sent_hash(parameters: &Parameters) -> Result<Option<&str>, HashError> {
    let Some(extension) = parameters.extensions.get("persistedQuery") else {
        return Ok(None);
    };
    let hash = extension.get("sha256Hash").and_then(Value::as_str);
    let is_known_version = extension.get("version").and_then(Value::as_u64) == Some(1);
    let hash = hash.filter(|hash| is_known_version && hash.len() == 64);
    hash.map(Some).ok_or(HashError::Malformed)
}

/// What decides on the plan: the text, the operation in it, and the variables that leave parts out.
fn key(parameters: &Parameters) -> String {
    let mut key = parameters.operation_name.clone().unwrap_or_default();
    for (name, value) in &parameters.variables {
        if let Value::Bool(value) = value {
            key.push(if *value { '+' } else { '-' });
            key.push_str(name);
        }
    }
    key.push('\n');
    key.push_str(&parameters.query);
    key
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;

    fn sent(query: &str, extension: Option<Value>) -> Parameters {
        let mut parameters = Parameters {
            query: query.to_owned(),
            ..Parameters::default()
        };
        if let Some(extension) = extension {
            parameters.extensions.insert("persistedQuery".into(), extension);
        }
        parameters
    }

    fn hashed(query: &str) -> Value {
        json!({"version": 1, "sha256Hash": hex::encode(Sha256::digest(query))})
    }

    #[test]
    fn query_is_found_by_its_hash_once_it_was_answered() {
        let operations = Operations::new(Types::of(""));
        let mut by_hash = sent("", Some(hashed("{ a }")));
        assert_eq!(operations.resolve_hash(&mut by_hash), Err(HashError::NotFound));
        let full = sent("{ a }", Some(hashed("{ a }")));
        operations.store(&full, parse_query("{ a }").unwrap());
        assert_eq!(operations.resolve_hash(&mut by_hash), Ok(()));
        assert_eq!(by_hash.query, "{ a }");
    }

    #[test]
    fn hash_must_fit_and_be_one() {
        let operations = Operations::new(Types::of(""));
        let mut other = sent("{ b }", Some(hashed("{ a }")));
        assert_eq!(operations.resolve_hash(&mut other), Err(HashError::Mismatch));
        for extension in [
            json!(null),
            json!([]),
            json!({"version": 1}),
            json!({"version": 1, "sha256Hash": "00"}),
            json!({"version": 1, "sha256Hash": 7}),
            json!({"version": 2, "sha256Hash": "0".repeat(64)}),
        ] {
            let mut wrong = sent("{ a }", Some(extension));
            assert_eq!(operations.resolve_hash(&mut wrong), Err(HashError::Malformed));
        }
        assert_eq!(operations.resolve_hash(&mut sent("{ a }", None)), Ok(()));
    }

    #[test]
    fn conditions_of_a_query_have_plans_of_their_own() {
        let with = |value: Value| Parameters {
            query: "{ a }".into(),
            variables: json!({"if": value, "path": "/"}).as_object().unwrap().clone(),
            ..Parameters::default()
        };
        assert_ne!(key(&with(json!(true))), key(&with(json!(false))));
        assert_eq!(key(&with(json!("x"))), key(&with(json!("y"))));
    }
}

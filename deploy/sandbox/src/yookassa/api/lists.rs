//! Lists: filters and pages.

use serde_json::{Value, json};

use super::error::{ApiError, ApiResult};
use crate::engine::http::call::{Call, Reply};

/// One page, newest first. The cursor is the id of the first object of the next page.
pub fn page(call: &Call, all: Vec<Value>) -> ApiResult {
    const LIMIT_MAX: usize = 100;
    let limit = match call.query_param("limit") {
        None => 10,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=LIMIT_MAX).contains(limit))
            .ok_or_else(|| ApiError::invalid("limit", "Must be a number from 1 to 100"))?,
    };
    let cursor = call.query_param("cursor");
    let filters = call.query_params();
    let mut selected = all
        .into_iter()
        .skip_while(|object| cursor.as_deref().is_some_and(|cursor| object["id"] != cursor))
        .filter(|object| {
            filters
                .iter()
                .all(|(name, value)| matches_filter(object, name, value))
        });
    let items: Vec<Value> = selected.by_ref().take(limit).collect();
    let mut body = json!({ "type": "list", "items": items });
    if let Some(next) = selected.next() {
        body["next_cursor"] = next["id"].clone();
    }
    Ok(Reply::json(200, &body))
}

fn matches_filter(object: &Value, name: &str, value: &str) -> bool {
    match name.split_once('.') {
        Some((field, bound)) => {
            let at = object[field].as_str().unwrap_or_default();
            match bound {
                "gte" => at >= value,
                "gt" => at > value,
                "lte" => at <= value,
                "lt" => at < value,
                _ => true,
            }
        }
        None if matches!(name, "status" | "payment_id") => object[name] == value,
        None => true,
    }
}

//! What handlers and billing do with the state: find and change objects, and emit events.

use serde_json::{Map, Value, json};

use super::{
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::{API_VERSION, ApiKey, Context},
    state::id_of,
    webhooks::events,
};

/// The place of an id in the request. An unknown id is a 404 in the URL, and a 400 in a parameter.
#[derive(Clone, Copy)]
pub enum Named<'a> {
    Url,
    Param(&'a str),
}

impl Context<'_> {
    pub fn find(&self, kind: Kind, id: &str, named: Named<'_>) -> ApiResult {
        self.state.get(kind, id).cloned().ok_or_else(|| match named {
            Named::Url => ApiError::no_such(kind.spoken(), id, kind.url_param()).status(404),
            Named::Param(param) => ApiError::no_such(kind.spoken(), id, param),
        })
    }

    /// A customer that has not been deleted.
    pub fn find_customer(&self, id: &str, named: Named<'_>) -> ApiResult {
        let customer = self.find(Kind::Customer, id, named)?;
        if customer["deleted"] != true {
            return Ok(customer);
        }
        // A deleted customer is reported as unknown.
        Err(match named {
            Named::Url => ApiError::no_such("customer", id, Kind::Customer.url_param()).status(404),
            Named::Param(param) => ApiError::no_such("customer", id, param),
        })
    }

    /// An intent that the caller may read: a browser must send its client secret.
    pub fn intent(&self, kind: Kind, id: &str, params: &mut Params) -> ApiResult {
        let secret = params.text("client_secret")?;
        let intent = self.find(kind, id, Named::Url)?;
        match secret {
            Some(secret) if intent["client_secret"] == secret => Ok(intent),
            None if self.trigger.key == ApiKey::Secret => Ok(intent),
            None => Err(ApiError::missing_parameter("client_secret")),
            Some(_) => {
                let message = format!(
                    "The client_secret provided does not match the client_secret associated with this {}.",
                    if kind == Kind::SetupIntent {
                        "SetupIntent"
                    } else {
                        "PaymentIntent"
                    }
                );
                Err(ApiError::invalid(message).param("client_secret"))
            }
        }
    }

    pub fn read(&self, kind: Kind, id: &str) -> &Value {
        self.state.get(kind, id).unwrap_or(&Value::Null)
    }

    pub fn public_json(&self, kind: Kind, id: &str) -> Value {
        without_private_fields(self.read(kind, id))
    }

    /// Stores a new object and returns its id.
    pub fn insert(&mut self, kind: Kind, value: Value) -> String {
        let id = id_of(&value).to_owned();
        self.state.put(kind, value);
        id
    }

    /// Changes an object and returns the previous values of the changed fields.
    pub fn change(&mut self, kind: Kind, id: &str, edit: impl FnOnce(&mut Value)) -> Value {
        let before = self.read(kind, id).clone();
        if before.is_null() {
            return Value::Null;
        }
        let mut after = before.clone();
        edit(&mut after);
        let previous = difference(&before, &after);
        self.state.put(kind, after);
        previous
    }

    pub fn change_and_emit(&mut self, kind: Kind, id: &str, event_type: &str, edit: impl FnOnce(&mut Value)) {
        let previous = self.change(kind, id, edit);
        self.emit_change(kind, id, event_type, &previous);
    }

    pub fn emit(&mut self, kind: Kind, id: &str, event_type: &str) {
        let object = self.public_json(kind, id);
        self.record(event_type, &json!({ "object": object }));
    }

    /// A change without changed fields emits no event.
    pub fn emit_change(&mut self, kind: Kind, id: &str, event_type: &str, previous: &Value) {
        if previous.as_object().is_none_or(Map::is_empty) {
            return;
        }
        let object = self.public_json(kind, id);
        self.record(
            event_type,
            &json!({ "object": object, "previous_attributes": previous }),
        );
    }

    fn record(&mut self, event_type: &str, data: &Value) {
        let id = Kind::Event.new_id();
        let event = json!({
            "id": id,
            "object": "event",
            "api_version": API_VERSION,
            "created": self.now,
            "data": data,
            "livemode": false,
            "pending_webhooks": 0,
            "request": { "id": self.trigger.request, "idempotency_key": self.trigger.idempotency_key },
            "type": event_type,
        });
        self.insert(Kind::Event, events::compact(&event));
        for endpoint in self.endpoints_for(event_type) {
            self.enqueue_webhook(&id, event_type, &endpoint);
        }
    }

    fn endpoints_for(&self, event_type: &str) -> Vec<String> {
        let endpoints = self.state.newest_first(Kind::WebhookEndpoint, None);
        let receiving = endpoints.filter(|endpoint| {
            let enabled = endpoint["enabled_events"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            endpoint["status"] == "enabled" && enabled.iter().any(|name| name == "*" || name == event_type)
        });
        receiving.map(|endpoint| id_of(endpoint).to_owned()).collect()
    }
}

/// The object without the simulator's own fields (`_…`).
pub fn without_private_fields(object: &Value) -> Value {
    let Value::Object(fields) = object else {
        return object.clone();
    };
    let public = fields.iter().filter(|(name, _)| !name.starts_with('_'));
    Value::Object(
        public
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

fn difference(before: &Value, after: &Value) -> Value {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return Value::Null;
    };
    let changed = after.iter().filter(|(name, value)| {
        !name.starts_with('_') && before.get(name.as_str()).unwrap_or(&Value::Null) != *value
    });
    let previous = changed.map(|(name, _)| (name.clone(), before.get(name).cloned().unwrap_or_default()));
    Value::Object(previous.collect())
}

/// Merges metadata; an empty value removes its key.
pub fn merge_metadata(known: &mut Value, given: Option<Map<String, Value>>) {
    let Some(given) = given else { return };
    if !known.is_object() {
        *known = json!({});
    }
    let Value::Object(known) = known else { return };
    if given.is_empty() {
        known.clear();
    }
    for (key, value) in given {
        if value == "" {
            known.remove(&key);
        } else {
            known.insert(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_fields_are_neither_shown_nor_reported_as_changed() {
        let before = json!({"id": "a", "status": "x", "_card": 1});
        let after = json!({"id": "a", "status": "y", "_card": 2});
        assert_eq!(without_private_fields(&before), json!({"id": "a", "status": "x"}));
        assert_eq!(difference(&before, &after), json!({"status": "x"}));
    }

    #[test]
    fn metadata_is_merged_key_by_key() {
        let mut known = json!({"a": "1", "b": "2"});
        let given = json!({"b": "", "c": "3"}).as_object().cloned();
        merge_metadata(&mut known, given);
        assert_eq!(known, json!({"a": "1", "c": "3"}));
    }
}

//! One piece of work on the books: at one moment, for one cause, telling its events.

use serde_json::{Map, Value, json};

use super::{
    API_VERSION, House,
    books::{Books, id_of},
    error::{Answer, ApiError},
    kinds::Kind,
    params::Params,
    verbs::events,
};
use crate::outbox::Letter;

pub struct Ctx<'a> {
    pub books: &'a mut Books,
    pub now: i64,
    pub cause: Cause,
    pub house: &'a House,
}

/// The request an event comes from; the billing engine's own events come from none.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    pub request: Option<String>,
    pub idempotency_key: Option<String>,
    pub key: Key,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Key {
    #[default]
    Secret,
    Publishable,
}

/// Where an id stood in the request: in the URL an unknown one is a 404, in a parameter a 400.
#[derive(Clone, Copy)]
pub enum Named<'a> {
    Url,
    Param(&'a str),
}

impl Ctx<'_> {
    pub fn find(&self, kind: Kind, id: &str, named: Named<'_>) -> Answer {
        self.books.get(kind, id).cloned().ok_or_else(|| match named {
            Named::Url => ApiError::no_such(kind.spoken(), id, kind.url_param()).status(404),
            Named::Param(param) => ApiError::no_such(kind.spoken(), id, param),
        })
    }

    /// An intent as the caller may see it: the browser must show its client secret.
    pub fn intent(&self, kind: Kind, id: &str, params: &mut Params) -> Answer {
        let secret = params.text("client_secret")?;
        let intent = self.find(kind, id, Named::Url)?;
        match secret {
            Some(secret) if intent["client_secret"] == secret => Ok(intent),
            None if self.cause.key == Key::Secret => Ok(intent),
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
        self.books.get(kind, id).unwrap_or(&Value::Null)
    }

    pub fn show(&self, kind: Kind, id: &str) -> Value {
        shown(self.read(kind, id))
    }

    /// Stores a new object and gives its id.
    pub fn insert(&mut self, kind: Kind, value: Value) -> String {
        let id = id_of(&value).to_owned();
        self.books.put(kind, value);
        id
    }

    /// Edits an object and gives what the changed attributes were before.
    pub fn change(&mut self, kind: Kind, id: &str, edit: impl FnOnce(&mut Value)) -> Value {
        let before = self.read(kind, id).clone();
        if before.is_null() {
            return Value::Null;
        }
        let mut after = before.clone();
        edit(&mut after);
        let previous = difference(&before, &after);
        self.books.put(kind, after);
        previous
    }

    pub fn change_and_tell(&mut self, kind: Kind, id: &str, event_type: &str, edit: impl FnOnce(&mut Value)) {
        let previous = self.change(kind, id, edit);
        self.tell_change(kind, id, event_type, &previous);
    }

    pub fn tell(&mut self, kind: Kind, id: &str, event_type: &str) {
        let object = self.show(kind, id);
        self.record(event_type, &json!({ "object": object }));
    }

    /// Nothing is told of a change that changed nothing.
    pub fn tell_change(&mut self, kind: Kind, id: &str, event_type: &str, previous: &Value) {
        if previous.as_object().is_none_or(Map::is_empty) {
            return;
        }
        let object = self.show(kind, id);
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
            "request": { "id": self.cause.request, "idempotency_key": self.cause.idempotency_key },
            "type": event_type,
        });
        self.insert(Kind::Event, events::folded(&event));
        for endpoint in self.listeners(event_type) {
            self.post(&id, event_type, &endpoint);
        }
    }

    fn listeners(&self, event_type: &str) -> Vec<String> {
        let endpoints = self.books.newest_first(Kind::WebhookEndpoint, None);
        let listening = endpoints.filter(|endpoint| {
            let wanted = endpoint["enabled_events"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            endpoint["status"] == "enabled" && wanted.iter().any(|name| name == "*" || name == event_type)
        });
        listening.map(|endpoint| id_of(endpoint).to_owned()).collect()
    }

    fn post(&mut self, event: &str, event_type: &str, endpoint: &str) {
        let letter = Letter {
            event,
            event_type,
            endpoint,
            now: self.now,
        };
        self.books.outbox.post(&letter, &self.house.faults);
    }
}

/// An object without what the twin keeps for itself (`_…`).
pub fn shown(object: &Value) -> Value {
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

/// Puts given metadata over known metadata; an empty value unsets its key.
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
    fn private_fields_are_not_shown_and_not_told() {
        let before = json!({"id": "a", "status": "x", "_card": 1});
        let after = json!({"id": "a", "status": "y", "_card": 2});
        assert_eq!(shown(&before), json!({"id": "a", "status": "x"}));
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

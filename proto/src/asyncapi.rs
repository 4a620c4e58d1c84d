//! `AsyncAPI` 3 document of the event stream, generated from the messages of `stillpoint.events.v1`, their subjects and comments.

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet, MessageOptions,
};
use serde_json::{Map, Value, json};

use crate::events::v1::SUBJECTS;

const EVENTS: &str = "stillpoint.events.v1";
const COMMON: &str = "stillpoint.common.v1";
/// Field numbers of `message_type` and `field` in `FileDescriptorProto`, which form the paths of comments.
const MESSAGES: i32 = 4;
const FIELDS: i32 = 2;

/// The descriptors compiled into this crate are invalid.
#[derive(Debug, thiserror::Error)]
pub enum Undescribed {
    #[error("the descriptors are broken: {0}")]
    Broken(#[from] prost::DecodeError),
    #[error("{0} has no subject")]
    NoSubject(String),
    #[error("{0} has a type that has no JSON schema here")]
    UnknownType(String),
}

/// The whole document.
///
/// # Errors
/// Only if the crate was built from invalid contracts, which its tests detect.
pub fn document() -> Result<Value, Undescribed> {
    let files = FileDescriptorSet::decode(crate::DESCRIPTORS)?.file;
    let (mut channels, mut operations) = (Map::new(), Map::new());
    let (mut messages, mut schemas) = (Map::new(), Map::new());
    for file in files
        .iter()
        .filter(|file| [EVENTS, COMMON].contains(&file.package()))
    {
        for (place, message) in (0..).zip(&file.message_type) {
            let path = [MESSAGES, place];
            schemas.insert(message.name().to_owned(), schema(file, message, &path)?);
            if file.package() != EVENTS {
                continue;
            }
            let event = Event::read(file, message, &path)?;
            channels.insert(event.key(), event.channel());
            operations.insert(format!("send-{}", event.key()), event.operation());
            messages.insert(event.name.clone(), event.message());
        }
    }
    schemas.insert("CloudEvent".to_owned(), envelope());
    Ok(json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Stillpoint events",
            "version": "1.0.0",
            "description": "Events as CloudEvents 1.0 in JSON on the JetStream stream `STILLPOINT`. Read it with a durable consumer of \
                            your own; delivery is at least once, and a repeat has the same `id`. Fields are only added: ignore what you do \
                            not know. A field that is not there has its zero value.",
        },
        "defaultContentType": "application/cloudevents+json",
        "channels": channels,
        "operations": operations,
        "components": { "messages": messages, "schemas": schemas },
    }))
}

/// A message of the stream with the description in its comment.
struct Event {
    name: String,
    subject: &'static str,
    description: Option<String>,
}

impl Event {
    fn read(
        file: &FileDescriptorProto,
        message: &DescriptorProto,
        path: &[i32],
    ) -> Result<Self, Undescribed> {
        let name = message.name().to_owned();
        let Some((_, subject)) = SUBJECTS.iter().find(|(message, _)| *message == name) else {
            return Err(Undescribed::NoSubject(name));
        };
        Ok(Self {
            name,
            subject,
            description: comment(file, path),
        })
    }

    /// Name of the channel: the subject without its common prefix.
    fn key(&self) -> String {
        self.subject
            .trim_start_matches("stillpoint.")
            .replace(['{', '}'], "")
    }

    fn channel(&self) -> Value {
        let mut channel = json!({
            "address": self.subject,
            "messages": { &self.name: { "$ref": format!("#/components/messages/{}", self.name) } },
        });
        if let Some(description) = &self.description {
            channel["description"] = json!(description);
        }
        if let Some((_, parameter)) = self.subject.split_once('{') {
            channel["parameters"] = json!({ parameter.split('}').next().unwrap_or_default(): {} });
        }
        channel
    }

    fn operation(&self) -> Value {
        json!({ "action": "send", "channel": { "$ref": format!("#/channels/{}", self.key()) } })
    }

    fn message(&self) -> Value {
        let kind = if self.subject.contains('{') {
            json!({ "type": "string" })
        } else {
            json!({ "const": self.subject })
        };
        json!({
            "name": self.name,
            "contentType": "application/cloudevents+json",
            "payload": {
                "allOf": [
                    { "$ref": "#/components/schemas/CloudEvent" },
                    { "properties": { "type": kind, "data": { "$ref": reference(&self.name) } } },
                ],
            },
        })
    }
}

fn envelope() -> Value {
    json!({
        "type": "object",
        "required": ["specversion", "id", "source", "type", "time", "data"],
        "properties": {
            "specversion": { "const": "1.0" },
            "id": { "type": "string", "description": "Also the message's Nats-Msg-Id." },
            "source": { "type": "string", "description": "The emitting service, such as /stillpoint/checkout." },
            "type": { "type": "string", "description": "The subject it is published on." },
            "subject": { "type": "string", "description": "The id of the entity." },
            "time": { "type": "string", "format": "date-time" },
            "datacontenttype": { "const": "application/json" },
            "lang": { "type": "string", "description": "Language of the person who caused the event or is its subject." },
            "country": { "type": "string", "description": "Country of that person, ISO 3166 alpha-2." },
            "traceparent": { "type": "string", "description": "The W3C trace of the emitting request." },
            "data": { "type": "object" },
        },
    })
}

fn schema(file: &FileDescriptorProto, message: &DescriptorProto, path: &[i32]) -> Result<Value, Undescribed> {
    let mut properties = Map::new();
    for (place, field) in (0..).zip(&message.field) {
        let mut property = property(message, field)?;
        if let Some(comment) = comment(file, &[path, &[FIELDS, place]].concat()) {
            property["description"] = json!(comment);
        }
        properties.insert(field.json_name().to_owned(), property);
    }
    Ok(json!({ "type": "object", "properties": properties }))
}

fn property(message: &DescriptorProto, field: &FieldDescriptorProto) -> Result<Value, Undescribed> {
    let map = message
        .nested_type
        .iter()
        .filter(|nested| nested.options.as_ref().is_some_and(MessageOptions::map_entry))
        .find(|nested| {
            field
                .type_name()
                .ends_with(&format!(".{}.{}", message.name(), nested.name()))
        });
    if let Some(value) = map.and_then(|entry| entry.field.get(1)) {
        return Ok(json!({ "type": "object", "additionalProperties": single(value)? }));
    }
    if field.label() == Label::Repeated {
        return Ok(json!({ "type": "array", "items": single(field)? }));
    }
    single(field)
}

/// The name in the proto3 JSON mapping.
fn single(field: &FieldDescriptorProto) -> Result<Value, Undescribed> {
    Ok(match (field.r#type(), field.type_name()) {
        (Type::String, _) => json!({ "type": "string" }),
        (Type::Bool, _) => json!({ "type": "boolean" }),
        (Type::Int32 | Type::Uint32, _) => json!({ "type": "integer", "format": "int32" }),
        (Type::Int64 | Type::Uint64, _) => json!({ "type": "string", "format": "int64" }),
        (Type::Message, ".google.protobuf.Timestamp") => json!({ "type": "string", "format": "date-time" }),
        (Type::Message, name) => json!({ "$ref": reference(name.rsplit('.').next().unwrap_or(name)) }),
        _ => return Err(Undescribed::UnknownType(field.name().to_owned())),
    })
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// The leading comment of a message or a field, in one line.
fn comment(file: &FileDescriptorProto, path: &[i32]) -> Option<String> {
    let location = file
        .source_code_info
        .as_ref()?
        .location
        .iter()
        .find(|location| location.path == path)?;
    let words: Vec<&str> = location.leading_comments().split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

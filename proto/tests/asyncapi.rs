//! The generated `AsyncAPI` document and the guide for analysts match the event contracts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use expect_test::expect_file;
use proto::asyncapi::document;
use proto::common::v1::Money;
use proto::events::Event;
use proto::events::v1::{MemberDataErased, SUBJECTS, SubscriptionActivated, WebEventRecorded};
use serde_json::{Value, json};

#[test]
fn exported_document_is_the_one_in_the_code() {
    let current = serde_json::to_string_pretty(&document().unwrap()).unwrap() + "\n";
    expect_file!["../asyncapi.json"].assert_eq(&current);
}

#[test]
fn every_reference_has_a_target() {
    let document = document().unwrap();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference} has no target");
    }
}

#[test]
fn event_has_its_own_channel() {
    let document = document().unwrap();
    let channel = &document["channels"]["checkout.subscription.activated"];
    assert_eq!(channel["address"], "stillpoint.checkout.subscription.activated");
    assert!(channel["messages"]["SubscriptionActivated"]["$ref"].is_string());
    let web = &document["channels"]["web.event_name"];
    assert_eq!(web["address"], "stillpoint.web.{event_name}");
    assert_eq!(web["parameters"], json!({ "event_name": {} }));
}

#[test]
fn each_message_has_a_subject_of_its_own() {
    let subjects: BTreeSet<&str> = SUBJECTS.iter().map(|(_, subject)| *subject).collect();
    assert_eq!(subjects.len(), SUBJECTS.len());
    assert!(subjects.contains(SubscriptionActivated::SUBJECT));
    let report = MemberDataErased::subject("checkout");
    assert_eq!(report, "stillpoint.checkout.member_data.erased");
    assert_eq!(MemberDataErased::SUBJECTS, "stillpoint.*.member_data.erased");
}

const GUIDE: &str = include_str!("../../services/analytics/EVENTS.md");

#[test]
fn guide_to_events_has_a_row_for_each_subject() {
    let rows: Vec<&str> = GUIDE
        .lines()
        .filter_map(|line| line.split('|').nth(2)?.split('`').nth(1))
        .collect();
    let missing: Vec<&str> = SUBJECTS
        .iter()
        .map(|(_, subject)| *subject)
        .filter(|subject| !rows.contains(subject))
        .collect();
    assert!(
        missing.is_empty(),
        "services/analytics/EVENTS.md has no row for {missing:?}"
    );
}

/// The page for analysts names events and fields that exist.
#[test]
fn guide_to_events_names_existing_fields_only() {
    let document = document().unwrap();
    let rows = GUIDE.lines().filter(|line| line.contains("| `stillpoint."));
    let mut seen = 0;
    for row in rows {
        let [_, _, event, fields, ..] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let subject = event.split('`').nth(1).unwrap();
        let channel = subject.strip_prefix("stillpoint.").unwrap();
        let channel = channel.replace(['{', '}'], "");
        let messages = document["channels"][&channel]["messages"].as_object();
        let message = messages.unwrap_or_else(|| panic!("{subject} does not exist"));
        let schema = &document["components"]["schemas"][message.keys().next().unwrap()];
        // Text in brackets explains a field.
        let named = fields
            .split(['(', ')'])
            .step_by(2)
            .flat_map(|part| part.split('`').skip(1).step_by(2));
        for field in named {
            assert!(schema["properties"][field].is_object(), "{subject}: {field}");
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn data_is_as_its_schema_says() {
    let activated = serde_json::to_value(SubscriptionActivated {
        subscription_id: "sub_1".to_owned(),
        trial_days: 7,
        price: Some(Money {
            amount_minor: 5999,
            currency: "TRY".to_owned(),
        }),
        current_period_end: Some(proto::Timestamp {
            seconds: 1_795_000_000,
            nanos: 0,
        }),
        ..SubscriptionActivated::default()
    });
    fits("SubscriptionActivated", &activated.unwrap());
    let recorded = serde_json::to_value(WebEventRecorded {
        name: "page_load".to_owned(),
        fields: [("page_type".to_owned(), "Home".to_owned())].into(),
    });
    fits("WebEventRecorded", &recorded.unwrap());
}

fn fits(schema: &str, data: &Value) {
    let document = document().unwrap();
    let properties = &document["components"]["schemas"][schema]["properties"];
    for (name, value) in data.as_object().unwrap() {
        let property = &properties[name];
        if let Some(reference) = property["$ref"].as_str() {
            fits(reference.rsplit('/').next().unwrap(), value);
            continue;
        }
        let kind = match value {
            Value::String(_) => "string",
            Value::Number(_) => "integer",
            Value::Bool(_) => "boolean",
            Value::Array(_) => "array",
            Value::Object(_) | Value::Null => "object",
        };
        assert_eq!(property["type"], kind, "{schema}.{name}");
    }
}

fn collect<'a>(value: &'a Value, references: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| collect(field, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}

//! Validation of browser events. Browsers are not trusted: everything they send has a limit.
use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use kit::error::{ErrorCode, FieldError};
use uuid::Uuid;

use super::privacy;

pub const MAX_EVENTS: usize = 100;
const NAME_MAX_CHARS: usize = 64;
const MAX_FIELDS: usize = 50;
const FIELD_NAME_MAX_CHARS: usize = 64;
const FIELD_VALUE_MAX_CHARS: usize = 1024;
/// Background tabs and phones without network send late.
const MAX_AGE: TimeDelta = TimeDelta::days(7);

/// An event as a page submitted it, not validated.
#[derive(Clone, Debug, Default)]
pub struct SubmittedEvent {
    pub event_id: String,
    pub name: String,
    pub fields: BTreeMap<String, String>,
    pub occurred_at: Option<DateTime<Utc>>,
}

/// A validated and redacted event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebEvent {
    pub id: Uuid,
    pub name: String,
    pub fields: BTreeMap<String, String>,
    pub occurred_at: DateTime<Utc>,
}

/// Language and country of the visitor, the same for the whole batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitor {
    pub lang: Option<String>,
    pub country: Option<String>,
}

impl Visitor {
    /// Drops malformed values instead of rejecting the batch.
    pub fn new(lang: &str, country: &str) -> Self {
        let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let lang = Some(lang).filter(|tag| (2..=16).contains(&tag.len()) && tag.chars().all(is_tag));
        let country =
            Some(country).filter(|code| code.len() == 2 && code.chars().all(|c| c.is_ascii_alphabetic()));
        Self {
            lang: lang.map(str::to_owned),
            country: country.map(str::to_ascii_uppercase),
        }
    }
}

/// Accepts the batch as a whole or returns the errors of all events.
pub fn validate_batch(
    batch: Vec<SubmittedEvent>,
    now: DateTime<Utc>,
) -> Result<Vec<WebEvent>, Vec<FieldError>> {
    if batch.len() > MAX_EVENTS {
        return Err(vec![FieldError::new(
            "events",
            ErrorCode::TooMany,
            format!("At most {MAX_EVENTS} events at a time."),
        )]);
    }
    let mut errors = Vec::new();
    let events = batch
        .into_iter()
        .enumerate()
        .filter_map(|(index, submitted)| {
            validate_event(&format!("events[{index}]"), submitted, now, &mut errors)
        })
        .collect();
    if errors.is_empty() {
        Ok(events)
    } else {
        Err(errors)
    }
}

fn validate_event(
    at: &str,
    submitted: SubmittedEvent,
    now: DateTime<Utc>,
    errors: &mut Vec<FieldError>,
) -> Option<WebEvent> {
    let found_before = errors.len();
    let id = Uuid::try_parse(&submitted.event_id);
    if id.is_err() {
        errors.push(FieldError::new(
            format!("{at}.id"),
            ErrorCode::Invalid,
            "Not a UUID.",
        ));
    }
    if !is_name(&submitted.name) {
        let rule = format!("Lower case letters, digits, _ and -; at most {NAME_MAX_CHARS}.");
        errors.push(FieldError::new(format!("{at}.name"), ErrorCode::Invalid, rule));
    }
    check_fields(at, &submitted.fields, errors);
    privacy::check_hashes(at, &submitted.name, &submitted.fields, errors);
    let occurred_at = submitted.occurred_at.unwrap_or(now);
    if occurred_at < now - MAX_AGE {
        errors.push(FieldError::new(
            format!("{at}.occurred_at"),
            ErrorCode::TooOld,
            "More than a week ago.",
        ));
    }
    if errors.len() > found_before {
        return None;
    }
    // A device whose clock is ahead must not count into a future day.
    Some(WebEvent {
        id: id.ok()?,
        name: submitted.name,
        fields: submitted
            .fields
            .into_iter()
            .map(|(name, value)| {
                let value = privacy::redact(&name, value);
                (name, value)
            })
            .collect(),
        occurred_at: occurred_at.min(now),
    })
}

fn check_fields(at: &str, fields: &BTreeMap<String, String>, errors: &mut Vec<FieldError>) {
    if fields.len() > MAX_FIELDS {
        errors.push(FieldError::new(
            format!("{at}.fields"),
            ErrorCode::TooMany,
            format!("At most {MAX_FIELDS} fields."),
        ));
        return;
    }
    for (position, (name, value)) in fields.iter().enumerate() {
        // Identified by position: an invalid name is not echoed.
        let location = || format!("{at}.fields[{position}]");
        if name.is_empty()
            || name.chars().count() > FIELD_NAME_MAX_CHARS
            || name.chars().any(char::is_control)
        {
            let rule = format!("A field's name has 1 to {FIELD_NAME_MAX_CHARS} printable characters.");
            errors.push(FieldError::new(location(), ErrorCode::InvalidName, rule));
        }
        if value.chars().count() > FIELD_VALUE_MAX_CHARS {
            let rule = format!("A field's value has at most {FIELD_VALUE_MAX_CHARS} characters.");
            errors.push(FieldError::new(location(), ErrorCode::TooLong, rule));
        }
        // Postgres cannot store zero characters.
        if value.contains('\0') {
            errors.push(FieldError::new(
                location(),
                ErrorCode::Invalid,
                "A field's value has no zero characters.",
            ));
        }
    }
}

/// Safe as the last token of a NATS subject: no dot, no space, no wildcard.
fn is_name(name: &str) -> bool {
    (1..=NAME_MAX_CHARS).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn submitted() -> SubmittedEvent {
        SubmittedEvent {
            event_id: "0193a1b2-0000-7000-8000-000000000001".to_owned(),
            name: "page_load".to_owned(),
            fields: BTreeMap::from([("page_type".to_owned(), "Home".to_owned())]),
            occurred_at: Some(now() - TimeDelta::minutes(1)),
        }
    }

    fn errors(batch: Vec<SubmittedEvent>) -> Vec<(String, String)> {
        validate_batch(batch, now())
            .unwrap_err()
            .into_iter()
            .map(|field_error| (field_error.field, field_error.code))
            .collect()
    }

    fn single_error(submitted: SubmittedEvent) -> (String, String) {
        let mut found = errors(vec![submitted]);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn valid_event_is_accepted_unchanged() {
        let events = validate_batch(vec![submitted()], now()).unwrap();
        assert_eq!(events[0].name, "page_load");
        assert_eq!(events[0].occurred_at, now() - TimeDelta::minutes(1));
    }

    #[test]
    fn errors_of_all_events_are_returned() {
        let bad = SubmittedEvent {
            event_id: "1".to_owned(),
            name: "Page Load".to_owned(),
            fields: BTreeMap::from([(String::new(), "x".repeat(1025))]),
            occurred_at: Some(now() - TimeDelta::days(8)),
        };
        let named: Vec<_> = errors(vec![bad.clone(), submitted(), bad])
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        let of = |n: usize| {
            ["id", "name", "fields[0]", "fields[0]", "occurred_at"]
                .map(|field| format!("events[{n}].{field}"))
        };
        assert_eq!(named, [of(0), of(2)].concat());
    }

    #[test]
    fn names_unsafe_in_a_subject_are_rejected() {
        for name in ["", "a.b", "*", ">", "a b", "é", &"a".repeat(65)] {
            let found = single_error(SubmittedEvent {
                name: name.to_owned(),
                ..submitted()
            });
            assert_eq!(found, ("events[0].name".to_owned(), "INVALID".to_owned()));
        }
        assert!(
            validate_batch(
                vec![SubmittedEvent {
                    name: "b2b_bookademo-2".to_owned(),
                    ..submitted()
                }],
                now()
            )
            .is_ok()
        );
    }

    #[test]
    fn sizes_are_limited() {
        let many = (0..51).map(|n| (n.to_string(), String::new())).collect();
        assert_eq!(
            single_error(SubmittedEvent {
                fields: many,
                ..submitted()
            })
            .1,
            "TOO_MANY"
        );
        let zero = BTreeMap::from([("a".to_owned(), "\0".to_owned())]);
        assert_eq!(
            single_error(SubmittedEvent {
                fields: zero,
                ..submitted()
            })
            .1,
            "INVALID"
        );
        assert_eq!(
            errors(vec![submitted(); 101]),
            [("events".to_owned(), "TOO_MANY".to_owned())]
        );
        assert_eq!(validate_batch(vec![submitted(); 100], now()).unwrap().len(), 100);
        assert_eq!(validate_batch(Vec::new(), now()), Ok(Vec::new()));
    }

    #[test]
    fn future_or_missing_time_becomes_now() {
        for occurred_at in [None, Some(now() + TimeDelta::days(400))] {
            assert_eq!(
                validate_batch(
                    vec![SubmittedEvent {
                        occurred_at,
                        ..submitted()
                    }],
                    now()
                )
                .unwrap()[0]
                    .occurred_at,
                now()
            );
        }
    }

    #[test]
    fn malformed_visitor_fields_are_dropped() {
        let expected = Visitor {
            lang: Some("tr".to_owned()),
            country: Some("TR".to_owned()),
        };
        assert_eq!(Visitor::new("tr", "tr"), expected);
        assert_eq!(Visitor::new("", "<b>"), Visitor::default());
    }

    proptest! {
        #[test]
        fn accepted_names_are_one_subject_token(name in "\\PC{0,70}") {
            if let Ok(events) = validate_batch(vec![SubmittedEvent { name, ..submitted() }], now()) {
                prop_assert!(events[0].name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
                prop_assert!(!events[0].name.is_empty());
            }
        }
    }
}

//! What a browser may have recorded. Browsers are not trusted: everything they send has a limit.
use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use kit::error::FieldFault;
use uuid::Uuid;

use super::privacy;

pub const MAX_EVENTS: usize = 100;
const NAME_MAX_CHARS: usize = 64;
const MAX_FIELDS: usize = 50;
const FIELD_NAME_MAX_CHARS: usize = 64;
const FIELD_VALUE_MAX_CHARS: usize = 1024;
/// A page kept in a background tab, or a phone without network, sends late.
const OLDEST: TimeDelta = TimeDelta::days(7);

/// An event as a page sent it.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    pub event_id: String,
    pub name: String,
    pub fields: BTreeMap<String, String>,
    pub occurred_at: Option<DateTime<Utc>>,
}

/// An event that keeps every limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebEvent {
    pub id: Uuid,
    pub name: String,
    pub fields: BTreeMap<String, String>,
    pub occurred_at: DateTime<Utc>,
}

/// What is known of the visitor; the same for the whole batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitor {
    pub lang: Option<String>,
    pub country: Option<String>,
}

impl Visitor {
    /// A hint that is none is left out: the events are worth more than it.
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

/// All of the batch or none of it, with every fault of every event named.
pub fn accept(batch: Vec<Sent>, now: DateTime<Utc>) -> Result<Vec<WebEvent>, Vec<FieldFault>> {
    if batch.len() > MAX_EVENTS {
        return Err(vec![fault(
            "events",
            "TOO_MANY",
            format!("At most {MAX_EVENTS} events at a time."),
        )]);
    }
    let mut faults = Vec::new();
    let events = batch
        .into_iter()
        .enumerate()
        .filter_map(|(index, sent)| accept_one(&format!("events[{index}]"), sent, now, &mut faults))
        .collect();
    if faults.is_empty() {
        Ok(events)
    } else {
        Err(faults)
    }
}

fn accept_one(at: &str, sent: Sent, now: DateTime<Utc>, faults: &mut Vec<FieldFault>) -> Option<WebEvent> {
    let found_before = faults.len();
    let id = Uuid::try_parse(&sent.event_id);
    if id.is_err() {
        faults.push(fault(format!("{at}.id"), "INVALID", "Not a UUID."));
    }
    if !is_name(&sent.name) {
        let rule = format!("Lower case letters, digits, _ and -; at most {NAME_MAX_CHARS}.");
        faults.push(fault(format!("{at}.name"), "INVALID", rule));
    }
    check_fields(at, &sent.fields, faults);
    privacy::check_hashes(at, &sent.name, &sent.fields, faults);
    let occurred_at = sent.occurred_at.unwrap_or(now);
    if occurred_at < now - OLDEST {
        faults.push(fault(
            format!("{at}.occurred_at"),
            "TOO_OLD",
            "More than a week ago.",
        ));
    }
    if faults.len() > found_before {
        return None;
    }
    // A device whose clock is ahead has no say over a day that has not begun.
    Some(WebEvent {
        id: id.ok()?,
        name: sent.name,
        fields: sent
            .fields
            .into_iter()
            .map(|(name, value)| {
                let value = privacy::clean(&name, value);
                (name, value)
            })
            .collect(),
        occurred_at: occurred_at.min(now),
    })
}

fn check_fields(at: &str, fields: &BTreeMap<String, String>, faults: &mut Vec<FieldFault>) {
    if fields.len() > MAX_FIELDS {
        faults.push(fault(
            format!("{at}.fields"),
            "TOO_MANY",
            format!("At most {MAX_FIELDS} fields."),
        ));
        return;
    }
    for (position, (name, value)) in fields.iter().enumerate() {
        // Named by position: a faulty name is not repeated to whoever reads the answer.
        let place = || format!("{at}.fields[{position}]");
        if name.is_empty()
            || name.chars().count() > FIELD_NAME_MAX_CHARS
            || name.chars().any(char::is_control)
        {
            let rule = format!("A field's name has 1 to {FIELD_NAME_MAX_CHARS} printable characters.");
            faults.push(fault(place(), "INVALID_NAME", rule));
        }
        if value.chars().count() > FIELD_VALUE_MAX_CHARS {
            let rule = format!("A field's value has at most {FIELD_VALUE_MAX_CHARS} characters.");
            faults.push(fault(place(), "TOO_LONG", rule));
        }
        // Postgres cannot store it, and nothing a page measures contains it.
        if value.contains('\0') {
            faults.push(fault(
                place(),
                "INVALID",
                "A field's value has no zero characters.",
            ));
        }
    }
}

/// Safe as the last token of a subject: no dot, no space, no wildcard.
fn is_name(name: &str) -> bool {
    (1..=NAME_MAX_CHARS).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

fn fault(field: impl Into<String>, code: &str, message: impl Into<String>) -> FieldFault {
    FieldFault {
        field: field.into(),
        code: code.to_owned(),
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn sent() -> Sent {
        Sent {
            event_id: "0193a1b2-0000-7000-8000-000000000001".to_owned(),
            name: "page_load".to_owned(),
            fields: BTreeMap::from([("page_type".to_owned(), "Home".to_owned())]),
            occurred_at: Some(now() - TimeDelta::minutes(1)),
        }
    }

    fn faults(batch: Vec<Sent>) -> Vec<(String, String)> {
        accept(batch, now())
            .unwrap_err()
            .into_iter()
            .map(|fault| (fault.field, fault.code))
            .collect()
    }

    fn fault_of(sent: Sent) -> (String, String) {
        let mut found = faults(vec![sent]);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn an_event_within_the_limits_is_taken_as_it_is() {
        let events = accept(vec![sent()], now()).unwrap();
        assert_eq!(events[0].name, "page_load");
        assert_eq!(events[0].occurred_at, now() - TimeDelta::minutes(1));
    }

    #[test]
    fn every_fault_of_every_event_is_named() {
        let bad = Sent {
            event_id: "1".to_owned(),
            name: "Page Load".to_owned(),
            fields: BTreeMap::from([(String::new(), "x".repeat(1025))]),
            occurred_at: Some(now() - TimeDelta::days(8)),
        };
        let named: Vec<_> = faults(vec![bad.clone(), sent(), bad])
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
    fn names_that_would_break_a_subject_are_refused() {
        for name in ["", "a.b", "*", ">", "a b", "é", &"a".repeat(65)] {
            let found = fault_of(Sent {
                name: name.to_owned(),
                ..sent()
            });
            assert_eq!(found, ("events[0].name".to_owned(), "INVALID".to_owned()));
        }
        assert!(
            accept(
                vec![Sent {
                    name: "b2b_bookademo-2".to_owned(),
                    ..sent()
                }],
                now()
            )
            .is_ok()
        );
    }

    #[test]
    fn sizes_have_limits() {
        let many = (0..51).map(|n| (n.to_string(), String::new())).collect();
        assert_eq!(
            fault_of(Sent {
                fields: many,
                ..sent()
            })
            .1,
            "TOO_MANY"
        );
        let zero = BTreeMap::from([("a".to_owned(), "\0".to_owned())]);
        assert_eq!(
            fault_of(Sent {
                fields: zero,
                ..sent()
            })
            .1,
            "INVALID"
        );
        assert_eq!(
            faults(vec![sent(); 101]),
            [("events".to_owned(), "TOO_MANY".to_owned())]
        );
        assert_eq!(accept(vec![sent(); 100], now()).unwrap().len(), 100);
        assert_eq!(accept(Vec::new(), now()), Ok(Vec::new()));
    }

    #[test]
    fn a_time_in_the_future_or_no_time_is_now() {
        for occurred_at in [None, Some(now() + TimeDelta::days(400))] {
            assert_eq!(
                accept(
                    vec![Sent {
                        occurred_at,
                        ..sent()
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
    fn hints_about_the_visitor_are_kept_only_if_they_are_some() {
        let known = Visitor {
            lang: Some("tr".to_owned()),
            country: Some("TR".to_owned()),
        };
        assert_eq!(Visitor::new("tr", "tr"), known);
        assert_eq!(Visitor::new("", "<b>"), Visitor::default());
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_makes_one_subject_token(name in "\\PC{0,70}") {
            if let Ok(events) = accept(vec![Sent { name, ..sent() }], now()) {
                prop_assert!(events[0].name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
                prop_assert!(!events[0].name.is_empty());
            }
        }
    }
}

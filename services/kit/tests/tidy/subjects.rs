//! Code names the message of an event, never its subject: `Event::SUBJECT` is generated from `events.proto`.

use std::collections::BTreeSet;

use proto::events::v1::SUBJECTS;

use super::report;
use super::scan::own_code;
use super::tree::{at, folders, read, root, services, shown, sources};

/// Subjects that no single message has, and the file that needs each.
const WILDCARDS: [(&str, &str); 4] = [
    ("services/analytics/src/consumers.rs", "stillpoint.>"),
    // The contract is not imported by a domain; a test in `emit.rs` compares the two.
    ("services/analytics/src/domain/subjects.rs", "stillpoint.web."),
    ("gateway/src/cache/purge.rs", "stillpoint.*.*.published"),
    ("gateway/src/cache/purge.rs", "stillpoint.content.*.unpublished"),
];

#[test]
fn subjects_are_named_by_their_messages() {
    let listed: BTreeSet<(String, String)> = WILDCARDS
        .iter()
        .map(|(file, subject)| ((*file).to_owned(), (*subject).to_owned()))
        .collect();
    let (mut seen, mut errors) = (BTreeSet::new(), Vec::new());
    let others = folders(&root().join("deploy")).into_iter();
    for krate in services()
        .into_iter()
        .chain([root().join("gateway")])
        .chain(others)
    {
        for file in sources(&krate.join("src"), &["rs"]) {
            let text = own_code(&read(&file));
            for (offset, subject) in subjects(&text) {
                let place = (shown(&file), subject.to_owned());
                if listed.contains(&place) {
                    seen.insert(place);
                } else {
                    errors.push(format!("{}: {subject}", at(&file, &text, offset)));
                }
            }
        }
    }
    let unused = listed.difference(&seen);
    errors.extend(unused.map(|(file, subject)| format!("{file} has no {subject} any more")));
    report("use `SUBJECT` or `subject()` of the message", &errors);
}

/// The string literals that are subjects, filters or prefixes of them, with their offsets.
fn subjects(text: &str) -> Vec<(usize, &str)> {
    const START: &str = "\"stillpoint.";
    let emitters = emitters();
    let literals = text.match_indices(START).filter_map(|(offset, _)| {
        let (literal, _) = text[offset + 1..].split_once('"')?;
        Some((offset, literal))
    });
    let is_subject = |literal: &str| {
        let emitter = literal.split('.').nth(1).unwrap_or_default();
        emitter.starts_with(['*', '>', '{']) || emitters.contains(emitter)
    };
    literals.filter(|(_, literal)| is_subject(literal)).collect()
}

/// The second parts of all subjects: the services, and `web` for events of browsers.
fn emitters() -> BTreeSet<&'static str> {
    SUBJECTS
        .iter()
        .filter_map(|(_, subject)| subject.split('.').nth(1))
        .collect()
}

#[test]
fn literals_of_subjects_are_found() {
    let text = "f(\"stillpoint.example\", \"stillpoint.auth.user.registered\", \"stillpoint.{name}\", \"stillpoint.>\")";
    let found: Vec<_> = subjects(text).into_iter().map(|(_, literal)| literal).collect();
    assert_eq!(
        found,
        [
            "stillpoint.auth.user.registered",
            "stillpoint.{name}",
            "stillpoint.>"
        ]
    );
}

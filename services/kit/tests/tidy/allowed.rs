//! Checked-in lists of exceptions that may only shrink: `tests/tidy/allowed/<rule>.txt`.
//!
//! A line is a count and what it counts. A count above its line, or without a line, fails the rule. A count below it fails too,
//! so that the list is brought up to date: `UPDATE_EXPECT=1 cargo test -p kit --test tidy`. The update refuses a larger total.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::tree::{read, root};

/// Counts by place, such as a file and a word.
pub type Counts = BTreeMap<String, usize>;

/// Compares what a rule has found with its list. `advice` says how to fix a finding.
pub fn check(rule: &str, advice: &str, found: &Counts) {
    check_with(rule, advice, found, |_| String::new());
}

/// As [`check`]; `describe` adds details to a place in the message.
pub fn check_with(rule: &str, advice: &str, found: &Counts, describe: impl Fn(&str) -> String) {
    let file = list_file(rule);
    let listed = parse(&read(&file));
    let (before, now) = (total(&listed), total(found));
    if is_update() {
        assert!(
            now <= before || !file.exists(),
            "{rule}: {now} exceptions, {before} are listed; the list may only shrink.\n{}",
            differences(&listed, found, &describe)
        );
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, render(found)).unwrap();
        return;
    }
    assert!(
        listed == *found,
        "{advice}. The list {rule}.txt has {before}, the sources have {now}:\n{}\
         A smaller count is written to the list by UPDATE_EXPECT=1.\n",
        differences(&listed, found, &describe)
    );
}

/// The variable of expect-test, as for other generated files.
fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}

fn list_file(rule: &str) -> PathBuf {
    root().join(format!("services/kit/tests/tidy/allowed/{rule}.txt"))
}

fn total(counts: &Counts) -> usize {
    counts.values().sum()
}

fn parse(text: &str) -> Counts {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(count, place)| (place.to_owned(), count.parse().unwrap()))
        .collect()
}

fn render(counts: &Counts) -> String {
    let lines: Vec<_> = counts
        .iter()
        .map(|(place, count)| format!("{count} {place}\n"))
        .collect();
    lines.concat()
}

fn differences(listed: &Counts, found: &Counts, describe: &dyn Fn(&str) -> String) -> String {
    let mut lines = Vec::new();
    for place in listed
        .keys()
        .chain(found.keys().filter(|place| !listed.contains_key(*place)))
    {
        let (before, now) = (listed.get(place).copied(), found.get(place).copied());
        if before != now {
            let (before, now) = (before.unwrap_or_default(), now.unwrap_or_default());
            let details = describe(place);
            lines.push(format!("  {place}: {before} allowed, {now} found {details}\n"));
        }
    }
    lines.concat()
}

#[test]
fn lists_survive_a_round_trip() {
    let counts = Counts::from([("a/b.rs".to_owned(), 2), ("c.md #[path]".to_owned(), 1)]);
    assert_eq!(parse(&render(&counts)), counts);
    let fewer = Counts::from([("a/b.rs".to_owned(), 1)]);
    let expected = "  a/b.rs: 2 allowed, 1 found why\n  c.md #[path]: 1 allowed, 0 found why\n";
    assert_eq!(differences(&counts, &fewer, &|_| "why".to_owned()), expected);
}

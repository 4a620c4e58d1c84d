//! Sleeps in integration tests. A test waits for a condition in a loop, or for rounds of a background task, never for a time:
//! a loaded machine makes a fixed time too short, and a test of an absence then passes without a proof.

use super::allowed::{Counts, check};
use super::scan::{own_code, starts_a_word};
use super::tree::{read, root, shown, sources};

const SLEEP: &str = "sleep(";

#[test]
fn integration_tests_sleep_only_in_poll_loops() {
    let mut found = Counts::new();
    for folder in ["proto", "services", "gateway", "deploy"] {
        for file in sources(&root().join(folder), &["rs"]) {
            let place = shown(&file);
            if !place.contains("/tests/") || place.starts_with("services/kit/tests/tidy/") {
                continue;
            }
            let count = fixed_sleeps(&own_code(&read(&file)));
            if count > 0 {
                found.insert(place, count);
            }
        }
    }
    check(
        "sleeps",
        "wait for a condition, or for `TestHost::rounds`, `published` and `consumed`",
        &found,
    );
}

/// The number of sleeps outside of loops that end by a condition.
fn fixed_sleeps(text: &str) -> usize {
    text.match_indices(SLEEP)
        .filter(|(offset, _)| starts_a_word(text, *offset) && !is_in_poll_loop(text, *offset))
        .count()
}

/// Checks the blocks around a place, from the inside out, up to its function.
fn is_in_poll_loop(text: &str, place: usize) -> bool {
    let mut inside = place;
    while let Some(open) = enclosing_brace(&text[..inside]) {
        let header = header_of(&text[..open]);
        if header.starts_with("while ") || header.ends_with("loop") {
            return true;
        }
        if header.starts_with("for ") && ends_early(&text[open..]) {
            return true;
        }
        if is_function(header) {
            return false;
        }
        inside = open;
    }
    false
}

/// The last opening brace that is not closed within the text.
fn enclosing_brace(text: &str) -> Option<usize> {
    let mut closed = 0_usize;
    text.char_indices().rev().find_map(|(offset, character)| {
        match character {
            '}' => closed += 1,
            '{' if closed == 0 => return Some(offset),
            '{' => closed -= 1,
            _ => {}
        }
        None
    })
}

/// What stands between the previous statement or block and the end of the text.
fn header_of(text: &str) -> &str {
    let start = text.rfind([';', '{', '}']).map_or(0, |end| end + 1);
    text[start..].trim()
}

fn is_function(header: &str) -> bool {
    header.starts_with("fn ") || header.contains(" fn ")
}

/// Whether the block at the start of the text, which is the body of a counted loop, can end before the last turn.
fn ends_early(text: &str) -> bool {
    let mut depth = 0_usize;
    let end = text.char_indices().find(|(_, character)| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let body = &text[..end.map_or(text.len(), |(offset, _)| offset)];
    ["return", "break"].iter().any(|word| {
        body.match_indices(word)
            .any(|(offset, _)| starts_a_word(body, offset))
    })
}

#[test]
fn scanner_finds_sleeps_outside_of_poll_loops() {
    let fixed = "async fn a() { x(); tokio::time::sleep(SHORT).await; assert!(y()); }";
    assert_eq!(fixed_sleeps(fixed), 1);
    assert_eq!(
        fixed_sleeps("fn a() { for _ in 0..3 { b(); thread::sleep(SHORT); } }"),
        1
    );
    assert_eq!(fixed_sleeps("fn a() { sqlx::query(\"select pg_sleep(60)\") }"), 0);
    let polled = [
        "async fn a() { timeout(async { while !b().await { sleep(SHORT).await; } }).await }",
        "fn a() { loop { if b() { return; } sleep(SHORT); } }",
        "fn a() { for _ in 0..9 { if b() { break; } sleep(SHORT); } }",
        "fn a() { for _ in 0..9 { match b() { Ok(()) => return, Err(_) => sleep(SHORT) } } }",
    ];
    for text in polled {
        assert_eq!(fixed_sleeps(text), 0, "{text}");
    }
}

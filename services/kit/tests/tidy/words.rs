//! Banned words: names and prose use the standard terms of `docs/glossary.md`.
//!
//! All sources of the repository are read: code below `#[cfg(test)]`, strings, comments, file names, schemas, documentation.
//! Identifiers are split into words, so `open_wish`, `WishKind` and `wishesOf` all count.

use std::collections::{BTreeMap, HashMap};

use super::allowed::{Counts, check_with};
use super::tree::{read, root, shown, sources};

/// A word with its inflections, or a phrase.
const BANNED: &[&str] = &[
    "wish",
    "wishes",
    "wished",
    "unwished",
    "told",
    "untold",
    "tells",
    "hears",
    "heard",
    "unheard",
    "knows",
    "somebody",
    "nobody",
    "nobodys",
    "whoever",
    "whomever",
    "errand",
    "errands",
    "pursue",
    "pursues",
    "pursued",
    "pursuit",
    "unsold",
    "arrears",
    "showing",
    "showings",
    "standing",
    "bury",
    "buried",
    "exhume",
    "desk",
    "desks",
    "shelf",
    "shelves",
    "courier",
    "couriers",
    "misfortune",
    "misfortunes",
    "crew",
    "bell",
    "bells",
    "twin",
    "twins",
    "deed",
    "deeds",
    "in the air",
    "for nothing",
    "of nothing",
    "lets go",
    "let go",
    "looked at",
    "looks at",
    "made up for",
    "stands in",
    "dice",
    "patience",
    "anybody",
    "everybody",
    "nought",
    "vouches",
    "elder",
    "fate",
    "fates",
    "worth nothing",
];

/// Not counted: an icon's name, a method and errors of Stripe's script, a published test vector, quotations of user-facing texts.
const QUOTATIONS: [&str; 15] = [
    "\"bell\"",
    "isShowing()",
    "payment interface is showing",
    "payment interface is already showing",
    "what do ya want for nothing?",
    "\"for nothing\"",
    "A bell is enough",
    "[a bell]",
    "Everybody wanders off",
    "Anybody there?",
    "Letters nobody could read",
    "Somebody who writes back by name",
    "With somebody",
    "told us.",
    "Your coach is told at once.",
];

/// User-facing texts, translations, sample and seed data; sounds of bells; phrases of visitors; this list.
const NOT_READ: [&str; 9] = [
    "web/app/blocks/samples/",
    "web/locales/",
    "web/public/",
    "web/e2e/pictures/",
    "web/scripts/audio.ts",
    "deploy/seed/",
    "services/auth/src/mail/texts",
    "services/kit/tests/tidy/words.rs",
    "services/sessions/src/domain/crisis.rs",
];

const EXTENSIONS: [&str; 11] = [
    "rs", "ts", "tsx", "js", "mjs", "css", "sql", "proto", "md", "yaml", "yml",
];

#[test]
fn sources_use_standard_terms() {
    let mut found = Counts::new();
    let mut details = BTreeMap::new();
    for file in sources(&root(), &EXTENSIONS) {
        let place = shown(&file);
        if NOT_READ.iter().any(|prefix| place.starts_with(prefix)) {
            continue;
        }
        let banned = banned_words(&format!("{place}\n{}", read(&file)));
        if !banned.is_empty() {
            found.insert(place.clone(), banned.values().sum());
            details.insert(place, format!("{banned:?}"));
        }
    }
    let describe = |place: &str| details.get(place).cloned().unwrap_or_default();
    check_with(
        "words",
        "use the standard term of docs/glossary.md",
        &found,
        describe,
    );
}

/// How often each banned word or phrase occurs outside of quotations.
fn banned_words(text: &str) -> BTreeMap<&'static str, usize> {
    let own_text = QUOTATIONS
        .iter()
        .fold(text.to_owned(), |text, quotation| text.replace(quotation, " "));
    let words = words(&own_text);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in &words {
        *counts.entry(word).or_default() += 1;
    }
    let count = |banned: &str| {
        let phrase: Vec<&str> = banned.split(' ').collect();
        if phrase.len() == 1 {
            return counts.get(banned).copied().unwrap_or_default();
        }
        words
            .windows(phrase.len())
            .filter(|window| *window == phrase)
            .count()
    };
    let found = BANNED.iter().map(|banned| (*banned, count(banned)));
    found.filter(|(_, count)| *count > 0).collect()
}

/// The words of a text in lower case; identifiers are split.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.chars() {
        // `nobody's` is one word.
        if letter == '\'' {
            continue;
        }
        let starts_word = letter.is_uppercase() && word.ends_with(char::is_lowercase);
        let is_end = !letter.is_alphabetic() || starts_word;
        if is_end && !word.is_empty() {
            words.push(std::mem::take(&mut word).to_lowercase());
        }
        if letter.is_alphabetic() {
            word.push(letter);
        }
    }
    words.push(word.to_lowercase());
    words
}

#[test]
fn identifiers_and_phrases_are_found() {
    let found = banned_words("open_wish(WishKind, wishesOf) // nobody's, in\n    /// the air: WISH");
    let expected = [("in the air", 1), ("nobodys", 1), ("wish", 3), ("wishes", 1)];
    assert_eq!(found, BTreeMap::from(expected));
    let found = banned_words("icon: \"bell\", a bell");
    assert_eq!(found, BTreeMap::from([("bell", 1)]));
}

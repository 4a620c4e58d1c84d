//! Detects common passwords, their variants, runs, repetitions and the owner's name.
//!
//! The list is compiled by hand from patterns in published breaches. A password is reduced to its word (letters for digits,
//! years and marks removed) before the lookup.
use std::collections::HashSet;
use std::sync::LazyLock;

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../../../data/common-passwords.txt")
        .lines()
        .collect()
});

/// Too short to be a password, long enough to be the word in one.
const SHORT_WORDS: [&str; 29] = [
    "admin", "angel", "april", "baby", "calm", "chat", "fall", "france", "gift", "hello", "home", "july",
    "june", "king", "life", "login", "love", "march", "mind", "paris", "pass", "peace", "queen", "root",
    "sleep", "spring", "test", "user", "zen",
];

/// Shorter than this, a name is in too many words by chance.
const NAME_CHARS: usize = 4;

/// A well-known password as it is, in any case.
pub fn is_well_known(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

pub fn is_guessable(password: &str) -> bool {
    let lower = password.to_lowercase();
    is_word(&lower) || is_word(&word_in(&lower)) || is_run(&lower) || is_repetition(&lower)
}

/// Whether it contains only the owner's name or address, with affixes.
pub fn is_named_after(password: &str, own: &[&str]) -> bool {
    let lower = password.to_lowercase();
    own.iter().any(|name| {
        let name = name.to_lowercase();
        let long_enough = name.chars().count() >= NAME_CHARS;
        long_enough
            && (letters(&lower) == letters(&name) || letters(&word_in(&lower)) == letters(&word_in(&name)))
    })
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_word(text: &str) -> bool {
    COMMON.contains(text) || SHORT_WORDS.contains(&text)
}

/// `P@ssw0rd2024!` is `password`.
fn word_in(lower: &str) -> String {
    lower
        .trim_matches(|c: char| !c.is_alphabetic() && !matches!(c, '@' | '$'))
        .trim_end_matches(['@', '$'])
        .chars()
        .map(plain_letter)
        .collect()
}

fn plain_letter(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// `abcdefgh`, `87654321`
fn is_run(text: &str) -> bool {
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    let steps_by = |step: fn(u32) -> Option<u32>| codes.windows(2).all(|pair| step(pair[0]) == Some(pair[1]));
    steps_by(|code| code.checked_add(1)) || steps_by(|code| code.checked_sub(1))
}

/// `zzzzzz`, `xyzxyzxyz`, `dragondragon`
fn is_repetition(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    (1..=chars.len() / 2).any(|length| {
        let (unit, rest) = chars.split_at(length);
        let repeats = rest.chunks(length).all(|chunk| unit.starts_with(chunk));
        repeats && (length <= 3 || is_word(&unit.iter().collect::<String>()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn words_of_the_list_are_known_in_their_disguises() {
        for password in [
            "123456",
            "Password1",
            "P@ssw0rd2024!",
            "p455w0rd",
            "iloveyou",
            "QWERTY",
            "Summer2025!",
            "!!dragon!!",
            "2024Monkey",
            "пароль123",
            "love2026",
            "Admin@123",
            "m1nd2026",
        ] {
            assert!(is_guessable(password), "{password}");
        }
    }

    #[test]
    fn runs_and_repetitions_are_known() {
        for password in [
            "zzzzzzzz",
            "abcdefghi",
            "987654321",
            "xyzxyzxyz",
            "ababab",
            "dragondragon",
        ] {
            assert!(is_guessable(password), "{password}");
        }
    }

    #[test]
    fn passwords_that_take_some_guessing_pass() {
        for password in [
            "k7#pQz",
            "correct horse battery",
            "a quiet morning walk",
            "dragonfruit sorbet",
            "kestrel-9-umbra",
            "Sommerregen im Mai",
            "静かな朝の散歩道",
            "summer in the city",
        ] {
            assert!(!is_guessable(password), "{password}");
        }
    }

    #[test]
    fn own_name_counts_as_guessable() {
        let own = ["ada.lovelace@example.com", "ada.lovelace", "Ada Lovelace"];
        for password in [
            "AdaLovelace",
            "ada.lovelace1815",
            "ada.lovelace@example.com",
            "Ada Lovelace!",
        ] {
            assert!(is_named_after(password, &own), "{password}");
        }
        assert!(!is_named_after("lovelace's engine", &own));
        assert!(!is_named_after("boxing at nine", &["bo"]));
    }

    #[test]
    fn the_list_holds_only_what_the_other_rules_let_through() {
        let words: Vec<&str> = include_str!("../../../data/common-passwords.txt")
            .lines()
            .collect();
        assert!(words.is_sorted() && SHORT_WORDS.is_sorted());
        assert_eq!(words.len(), COMMON.len());
        for word in words {
            assert!(word.chars().count() >= 6, "{word}");
            assert_eq!(word.nfc().collect::<String>().to_lowercase(), word);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_judged_without_a_panic(text in "\\PC{1,40}", name in "\\PC{0,20}") {
            is_guessable(&text);
            is_named_after(&text, &[&name]);
        }

        #[test]
        fn a_year_and_a_mark_make_no_word_better(
            word in proptest::sample::select(vec!["password", "dragon", "sunshine", "monkey", "football"]),
            year in 1950..2030_u32, mark in "[!?.#*]{0,2}",
        ) {
            let (dressed, shouted) = (format!("{word}{year}{mark}"), format!("{mark}{}{year}", word.to_uppercase()));
            prop_assert!(is_guessable(&dressed) && is_guessable(&shouted));
        }
    }
}

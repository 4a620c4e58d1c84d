//! What the twin says: by the language its instructions name, and always the same for the same question.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// What instructions say when somebody may be in danger, as a real model would understand them.
const DANGER: &str = "may be in danger";

/// Where words are not set apart.
const PIECE_CHARS: usize = 3;

/// By the language's English name.
static LANGUAGES: LazyLock<BTreeMap<String, Words>> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).unwrap_or_default());

#[derive(Deserialize)]
struct Words {
    openings: Vec<String>,
    middles: Vec<String>,
    closings: Vec<String>,
    /// Instead of all of that, for somebody in danger.
    care: String,
}

/// In pieces, as a model would stream them.
pub fn for_question(instructions: &str, question: &str) -> Vec<String> {
    let named = LANGUAGES
        .iter()
        .find(|(name, _)| instructions.contains(&format!("Write in {name}")));
    let Some(words) = named.map(|(_, words)| words).or_else(|| LANGUAGES.get("English")) else {
        return Vec::new();
    };
    if instructions.contains(DANGER) {
        return pieces(&words.care);
    }
    let digest = Sha256::digest(question);
    let pick = |choices: &[String], byte: usize| {
        let index = usize::from(digest[byte]) % choices.len().max(1);
        choices.get(index).cloned().unwrap_or_default()
    };
    let text = [
        pick(&words.openings, 0),
        pick(&words.middles, 1),
        pick(&words.closings, 2),
    ]
    .join("\n\n");
    pieces(&text)
}

fn pieces(text: &str) -> Vec<String> {
    text.split_inclusive(' ')
        .flat_map(|word| {
            let letters: Vec<char> = word.chars().collect();
            let size = if word.len() > 60 {
                PIECE_CHARS
            } else {
                letters.len().max(1)
            };
            letters.chunks(size).map(String::from_iter).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(language: &str, question: &str) -> String {
        for_question(&format!("Be kind. Write in {language}."), question).concat()
    }

    #[test]
    fn the_same_question_has_one_answer_in_each_language() {
        assert_eq!(LANGUAGES.len(), 14);
        for language in LANGUAGES.keys() {
            assert_eq!(text(language, "a walk"), text(language, "a walk"));
            let other = (0..20).any(|n| text(language, &n.to_string()) != text(language, "a walk"));
            assert!(other, "{language} always says the same");
        }
        assert_ne!(text("Turkish", "a walk"), text("English", "a walk"));
    }

    #[test]
    fn every_text_comes_in_many_pieces() {
        for language in LANGUAGES.keys() {
            let count = for_question(&format!("Write in {language}"), "a walk").len();
            assert!(count > 20, "{language} has {count}");
        }
    }

    #[test]
    fn somebody_in_danger_is_not_told_about_love() {
        let said = for_question("The person may be in danger. Write in English.", "…").concat();
        assert!(said.contains("helpline"), "{said}");
    }
}

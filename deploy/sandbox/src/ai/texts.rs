//! The model's texts, by the language that the instructions name and by a hash of the question.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The instructions' phrase for a user at risk.
const DANGER: &str = "may be in danger";

/// Chunk size in languages without spaces.
const CHUNK_CHARS: usize = 3;

/// By the language's English name.
static LANGUAGES: LazyLock<BTreeMap<String, Texts>> =
    LazyLock::new(|| serde_json::from_str(include_str!("texts.json")).unwrap_or_default());

#[derive(Deserialize)]
struct Texts {
    openings: Vec<String>,
    middles: Vec<String>,
    closings: Vec<String>,
    /// The only text for a user at risk.
    crisis: String,
}

/// The answer in chunks, as a model streams them.
pub fn answer(instructions: &str, question: &str) -> Vec<String> {
    let named = LANGUAGES
        .iter()
        .find(|(name, _)| instructions.contains(&format!("Write in {name}")));
    let Some(texts) = named.map(|(_, texts)| texts).or_else(|| LANGUAGES.get("English")) else {
        return Vec::new();
    };
    if instructions.contains(DANGER) {
        return chunks(&texts.crisis);
    }
    let digest = Sha256::digest(question);
    let pick = |choices: &[String], byte: usize| {
        let index = usize::from(digest[byte]) % choices.len().max(1);
        choices.get(index).cloned().unwrap_or_default()
    };
    let text = [
        pick(&texts.openings, 0),
        pick(&texts.middles, 1),
        pick(&texts.closings, 2),
    ]
    .join("\n\n");
    chunks(&text)
}

fn chunks(text: &str) -> Vec<String> {
    text.split_inclusive(' ')
        .flat_map(|word| {
            let letters: Vec<char> = word.chars().collect();
            let size = if word.len() > 60 {
                CHUNK_CHARS
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
        answer(&format!("Be kind. Write in {language}."), question).concat()
    }

    #[test]
    fn the_same_question_has_one_answer_in_each_language() {
        assert_eq!(LANGUAGES.len(), 14);
        for language in LANGUAGES.keys() {
            assert_eq!(text(language, "a walk"), text(language, "a walk"));
            let other = (0..20).any(|n| text(language, &n.to_string()) != text(language, "a walk"));
            assert!(other, "{language} has only one answer");
        }
        assert_ne!(text("Turkish", "a walk"), text("English", "a walk"));
    }

    #[test]
    fn every_text_comes_in_many_chunks() {
        for language in LANGUAGES.keys() {
            let count = answer(&format!("Write in {language}"), "a walk").len();
            assert!(count > 20, "{language} has {count}");
        }
    }

    #[test]
    fn a_user_at_risk_gets_the_crisis_text() {
        let text = answer("The person may be in danger. Write in English.", "…").concat();
        assert!(text.contains("helpline"), "{text}");
    }
}

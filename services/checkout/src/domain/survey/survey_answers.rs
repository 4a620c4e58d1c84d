//! The answers of a survey: what is accepted, and who may read and change them.
//!
//! An answer is a list of ids from content, never free text, because answers may be about health.

use std::collections::BTreeMap;

use super::survey_order::ValidationError;
use crate::domain::ids::{PlaylistId, SurveyOrderId, UserId};

const QUESTIONS_MAX: usize = 40;
const OPTIONS_MAX: usize = 20;
const ID_MAX_BYTES: usize = 64;

/// Surveys whose order gets a playlist.
const PLAYLIST_VARIANTS: [i32; 2] = [79, 80];

/// Question → chosen options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<String, Vec<String>>);

impl Answers {
    /// Refuses what cannot be an id of content, a question that is answered twice, and more than a survey can hold.
    pub fn accept(given: Vec<(String, Vec<String>)>) -> Result<Self, ValidationError> {
        let mut answers = BTreeMap::new();
        for (question, options) in given {
            check("question", &question)?;
            if options.len() > OPTIONS_MAX {
                return Err(error("options", "has more than 20 options"));
            }
            for option in &options {
                check("options", option)?;
            }
            if answers.insert(question, options).is_some() {
                return Err(error("question", "is answered twice"));
            }
        }
        Self::fits(answers.len())?;
        Ok(Self(answers))
    }

    /// As stored: it was accepted before.
    pub fn stored(answers: BTreeMap<String, Vec<String>>) -> Self {
        Self(answers)
    }

    pub fn fits(questions: usize) -> Result<(), ValidationError> {
        if questions <= QUESTIONS_MAX {
            return Ok(());
        }
        Err(error("answers", "has more than 40 questions"))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0
            .iter()
            .map(|(question, options)| (question.as_str(), options.as_slice()))
    }
}

/// The id of a programme, as content names it. Empty: none.
pub fn program(text: String) -> Result<Option<String>, ValidationError> {
    if text.is_empty() {
        return Ok(None);
    }
    check("program", &text)?;
    Ok(Some(text))
}

fn check(field: &'static str, id: &str) -> Result<(), ValidationError> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=ID_MAX_BYTES).contains(&id.len()) && id.bytes().all(is_plain) {
        return Ok(());
    }
    Err(error(
        field,
        "is not an id of lower-case letters, digits and hyphens",
    ))
}

fn error(field: &'static str, why: &'static str) -> ValidationError {
    ValidationError { field, why }
}

/// Who asks, and whether they hold the key of the order.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    pub user_id: Option<&'a UserId>,
    pub has_key: bool,
}

/// Whose an order is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ownership {
    pub owner: Option<UserId>,
    /// The owner has shown the key. The id of an order alone proves nothing: it is in addresses and events.
    pub is_proved: bool,
}

impl Ownership {
    /// A guest reads by the key. With an owner the key alone is not enough: the next visitor at that browser has it too.
    pub fn is_open_to(&self, caller: Caller<'_>) -> bool {
        match &self.owner {
            None => caller.has_key,
            Some(owner) => caller.user_id == Some(owner) && (caller.has_key || self.is_proved),
        }
    }
}

/// The order of a survey, and who may open its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    pub survey_order_id: SurveyOrderId,
    pub flow: i32,
    pub variant: i32,
    pub ab_group: Option<String>,
    pub language: String,
    pub country: String,
    /// The programme that was suggested.
    pub program: Option<String>,
    pub playlist_id: Option<PlaylistId>,
    pub ownership: Ownership,
    /// SHA-256 of the key. `None`: no key opens it.
    pub access_key_hash: Option<Vec<u8>>,
}

impl Survey {
    pub fn has_key(&self, hash: &[u8]) -> bool {
        self.access_key_hash.as_deref() == Some(hash)
    }
}

pub fn has_playlist(variant: i32) -> bool {
    PLAYLIST_VARIANTS.contains(&variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(question: &str, options: &[&str]) -> (String, Vec<String>) {
        (
            question.to_owned(),
            options.iter().map(|&option| option.to_owned()).collect(),
        )
    }

    #[test]
    fn ids_of_content_are_accepted() {
        let given = vec![
            answer("categories", &["101", "103"]),
            answer("when", &["early-morning"]),
            answer("skipped", &[]),
        ];
        let answers = Answers::accept(given).unwrap();
        let questions: Vec<_> = answers.iter().map(|(question, _)| question).collect();
        assert_eq!(questions, ["categories", "skipped", "when"]);
    }

    #[test]
    fn free_text_is_refused_by_its_field() {
        let long = "x".repeat(65);
        for (given, field) in [
            (answer("I sleep badly", &["a"]), "question"),
            (answer("", &["a"]), "question"),
            (answer("nights", &["My name is Ada"]), "options"),
            (answer("nights", &[""]), "options"),
            (answer("nights", &[&long]), "options"),
            (answer("nights", &["a\u{0}"]), "options"),
        ] {
            assert_eq!(Answers::accept(vec![given]).unwrap_err().field, field);
        }
        assert_eq!(program("Sleep, gently".into()).unwrap_err().field, "program");
        assert_eq!(program(String::new()).unwrap(), None);
    }

    #[test]
    fn more_than_a_survey_holds_is_refused() {
        let many = (0..41)
            .map(|number| answer(&format!("q{number}"), &["a"]))
            .collect();
        assert_eq!(Answers::accept(many).unwrap_err().field, "answers");
        let options: Vec<String> = (0..21).map(|number| number.to_string()).collect();
        assert_eq!(
            Answers::accept(vec![("q".into(), options)]).unwrap_err().field,
            "options"
        );
        let twice = vec![answer("q", &["a"]), answer("q", &["b"])];
        assert_eq!(Answers::accept(twice).unwrap_err().field, "question");
    }

    #[test]
    fn answers_are_open_to_the_guest_with_the_key_and_to_the_owner_who_has_shown_it() {
        let (ada, eve) = (UserId::parse("ada").unwrap(), UserId::parse("eve").unwrap());
        let by = |user_id, has_key| Caller { user_id, has_key };
        let guests = Ownership {
            owner: None,
            is_proved: false,
        };
        assert!(guests.is_open_to(by(None, true)) && guests.is_open_to(by(Some(&ada), true)));
        assert!(!guests.is_open_to(by(None, false)) && !guests.is_open_to(by(Some(&ada), false)));

        let claimed = Ownership {
            owner: Some(ada.clone()),
            is_proved: false,
        };
        assert!(claimed.is_open_to(by(Some(&ada), true)));
        assert!(
            !claimed.is_open_to(by(Some(&ada), false)),
            "an order id alone claims no answers"
        );
        assert!(
            !claimed.is_open_to(by(None, true)),
            "the next visitor at that browser"
        );
        assert!(!claimed.is_open_to(by(Some(&eve), true)));

        let proved = Ownership {
            is_proved: true,
            ..claimed
        };
        assert!(proved.is_open_to(by(Some(&ada), false)), "from any browser");
        assert!(!proved.is_open_to(by(Some(&eve), true)) && !proved.is_open_to(by(None, true)));
    }

    #[test]
    fn variants_79_and_80_have_a_playlist() {
        let with = (70..90)
            .filter(|&variant| has_playlist(variant))
            .collect::<Vec<_>>();
        assert_eq!(with, [79, 80]);
    }
}

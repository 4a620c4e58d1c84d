//! A person with an account, as the rest of Stillpoint may know them.
use crate::domain::email::Email;

kit::typed_id! {
    /// One person.
    pub UserId = "usr"
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub full_name: String,
    pub email: Email,
    pub entitlements: Entitlements,
}

impl User {
    /// What stands before the last blank, and after it: forms of address want them apart, people write them together.
    pub fn first_and_last_name(&self) -> (&str, &str) {
        self.full_name
            .rsplit_once(char::is_whitespace)
            .map_or((self.full_name.as_str(), ""), |(first, last)| {
                (first.trim_end(), last)
            })
    }
}

/// What a person has bought besides the app; decides where the web app leads them after sign-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entitlements {
    pub coaching: bool,
    pub therapy: bool,
}

impl Entitlements {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            coaching: self.coaching || other.coaching,
            therapy: self.therapy || other.therapy,
        }
    }

    #[must_use]
    pub fn without(self, kept: Self) -> Self {
        Self {
            coaching: self.coaching && !kept.coaching,
            therapy: self.therapy && !kept.therapy,
        }
    }

    /// What a paid product opens: `coaching`, `therapy_addition`, `coaching-and-therapy`; most products neither.
    pub fn opened_by(product: &str) -> Self {
        let names = |word: &str| {
            product
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|part| part.eq_ignore_ascii_case(word))
        };
        Self {
            coaching: names("coaching"),
            therapy: names("therapy"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(full_name: &str) -> (String, String) {
        let user = User {
            id: UserId::new(chrono::DateTime::UNIX_EPOCH),
            full_name: full_name.to_owned(),
            email: Email::default(),
            entitlements: Entitlements::default(),
        };
        let (first, last) = user.first_and_last_name();
        (first.to_owned(), last.to_owned())
    }

    #[test]
    fn the_last_word_is_the_last_name() {
        assert_eq!(
            names("Ada Maria  Lovelace"),
            ("Ada Maria".into(), "Lovelace".into())
        );
        assert_eq!(names("Ada"), ("Ada".into(), String::new()));
    }

    #[test]
    fn products_open_what_they_are_named_after() {
        let opened = |product| {
            let Entitlements { coaching, therapy } = Entitlements::opened_by(product);
            (coaching, therapy)
        };
        assert_eq!(opened("premium"), (false, false));
        assert_eq!(opened("coaching"), (true, false));
        assert_eq!(opened("therapy_addition"), (false, true));
        assert_eq!(opened("Coaching-Therapy"), (true, true));
        assert_eq!(opened("aromatherapy"), (false, false));
    }
}

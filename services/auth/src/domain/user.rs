//! A user, their entitlements and roles.
pub mod role;

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

/// What is open to a person by what they paid; decides where the web app leads them after sign-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entitlements {
    pub premium: bool,
    pub coaching: bool,
    pub therapy: bool,
}

impl Entitlements {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            premium: self.premium || other.premium,
            coaching: self.coaching || other.coaching,
            therapy: self.therapy || other.therapy,
        }
    }

    #[must_use]
    pub fn without(self, kept: Self) -> Self {
        Self {
            premium: self.premium && !kept.premium,
            coaching: self.coaching && !kept.coaching,
            therapy: self.therapy && !kept.therapy,
        }
    }

    /// From the names in checkout's events. Unknown names open nothing.
    pub fn named(names: &[String]) -> Self {
        let has = |name: &str| names.iter().any(|named| named == name);
        Self {
            premium: has("premium"),
            coaching: has("coaching"),
            therapy: has("therapy"),
        }
    }

    pub fn names(self) -> Vec<String> {
        let all = [
            ("premium", self.premium),
            ("coaching", self.coaching),
            ("therapy", self.therapy),
        ];
        let open = all.into_iter().filter(|(_, is_open)| *is_open);
        open.map(|(name, _)| name.to_owned()).collect()
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
    fn names_are_read_as_they_are_written_and_unknown_ones_open_nothing() {
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            Entitlements::named(&names)
        };
        for names in [
            &["premium"][..],
            &["coaching", "therapy"],
            &["premium", "coaching", "therapy"],
        ] {
            assert_eq!(named(names).names(), names);
        }
        assert_eq!(named(&["aromatherapy", "Coaching"]), Entitlements::default());
    }
}

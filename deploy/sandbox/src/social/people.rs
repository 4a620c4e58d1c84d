//! Test accounts at the providers.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::provider::Provider;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// Distinguishes people with the same address; by default the address is the identity.
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub first_name: String,
    #[serde(default)]
    pub last_name: String,
    #[serde(default)]
    pub email: Option<String>,
    #[serde(default = "yes")]
    pub email_verified: bool,
}

const fn yes() -> bool {
    true
}

/// A listed person by id, or any other person.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum PersonRef {
    Listed(String),
    Other(Person),
}

impl PersonRef {
    pub fn find(self) -> Option<Person> {
        match self {
            Self::Other(person) => Some(person),
            Self::Listed(id) => listed().into_iter().find(|person| person.id == id),
        }
    }
}

impl Person {
    pub fn new(first_name: &str, last_name: &str, email: &str) -> Self {
        Self {
            id: String::new(),
            first_name: first_name.into(),
            last_name: last_name.into(),
            email: Some(email.into()),
            email_verified: true,
        }
    }

    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
            .trim()
            .to_owned()
    }

    pub fn is_relayed(&self) -> bool {
        self.email
            .as_ref()
            .is_some_and(|email| email.ends_with("@privaterelay.appleid.com"))
    }

    /// The provider's stable id of this person, different at each provider.
    pub fn subject(&self, provider: Provider) -> String {
        let key = match &self.email {
            _ if !self.id.is_empty() => &self.id,
            Some(email) => email,
            None => "",
        };
        let digest = Sha256::digest(format!("{provider:?} {}", key.to_lowercase()));
        let number = digest[..8]
            .iter()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        match provider {
            Provider::Apple => format!(
                "{:06}.{}.{:04}",
                number % 1_000_000,
                hex::encode(&digest[8..24]),
                number % 2_400
            ),
            Provider::Google => format!("1{number:020}"),
            Provider::Facebook => format!("{}", 10_000_000_000_000_000 + number % 10_000_000_000_000_000),
        }
    }
}

/// The people to choose from in the sign-in windows.
pub fn listed() -> Vec<Person> {
    let person = |id: &str, first_name, last_name, email| Person {
        id: id.into(),
        ..Person::new(first_name, last_name, email)
    };
    vec![
        person("ada", "Ada", "Lovelace", "ada.lovelace@example.com"),
        person("grace", "Grace", "Hopper", "grace.hopper@example.com"),
        person("zoe", "Zoë", "Yılmaz", "zoe.yilmaz@example.com"),
        person("hidden", "Alan", "Turing", "q8w2k7@privaterelay.appleid.com"),
        Person {
            email_verified: false,
            ..person("unverified", "Mallory", "Mask", "mallory.mask@example.com")
        },
        Person {
            email: None,
            ..person("phone", "Joan", "Clarke", "")
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_has_one_name_at_each_provider() {
        let ada = &listed()[0];
        let names: Vec<String> = Provider::ALL.map(|provider| ada.subject(provider)).to_vec();
        assert_eq!(names, Provider::ALL.map(|provider| ada.clone().subject(provider)));
        assert_eq!((names[0].len(), names[1].len(), names[2].len()), (44, 21, 17));
    }

    #[test]
    fn two_people_may_claim_one_address() {
        let honest = Person::new("Ada", "", "ada@example.com");
        let other = Person {
            id: "another".into(),
            ..honest.clone()
        };
        assert_ne!(honest.subject(Provider::Google), other.subject(Provider::Google));
    }
}

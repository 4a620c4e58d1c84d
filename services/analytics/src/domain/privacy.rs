//! Redaction of browser events. Pages avoid personal data themselves; this is the second line of defence.
use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use kit::error::{ErrorCode, FieldError};
use kit::tracking::PARAMETERS;
use sha2::{Digest, Sha256};

use super::personal_numbers;

/// Events that identify a person, with SHA-256 hashes only and only with consent.
const IDENTIFYING_EVENTS: [(&str, &[&str]); 2] = [
    ("user", &["id", "name", "last_name", "email"]),
    (
        "social_signup",
        &["name", "email", "googleID", "picturePath", "fullName", "token"],
    ),
];
const HASH_CHARS: usize = 64;

const REMOVED: &str = "[removed]";

/// Keyed hashes. A plain SHA-256 of an e-mail url can be reversed by hashing known addresses; an HMAC cannot.
pub struct Pseudonyms {
    keyed: Hmac<Sha256>,
}

impl Pseudonyms {
    pub fn new(key: &[u8]) -> Result<Self, hmac::digest::InvalidLength> {
        Ok(Self {
            keyed: Hmac::new_from_slice(key)?,
        })
    }

    /// Replaces plain hashes by HMACs.
    pub fn pseudonymize(&self, name: &str, fields: &mut BTreeMap<String, String>) {
        for field in identifying_fields(name) {
            if let Some(hash) = fields.get_mut(*field) {
                *hash = self.keyed(hash);
            }
        }
    }

    /// The pseudonym of a member in a `user` event, whose page hashed their id.
    pub fn of_user_id(&self, user_id: &str) -> String {
        self.keyed(&hex::encode(Sha256::digest(
            user_id.trim().to_lowercase().as_bytes(),
        )))
    }

    fn keyed(&self, hash: &str) -> String {
        let keyed = self.keyed.clone().chain_update(hash.as_bytes()).finalize();
        hex::encode(keyed.into_bytes())
    }
}

/// Whether events of this type identify a person.
pub fn is_identifying(event: &str) -> bool {
    !identifying_fields(event).is_empty()
}

/// The identifying fields of an event type; most have none.
fn identifying_fields(event: &str) -> &'static [&'static str] {
    let found = IDENTIFYING_EVENTS.iter().find(|(name, _)| *name == event);
    found.map_or(&[], |(_, fields)| fields)
}

/// Rejects an identifying event whose fields are not hashes.
pub fn check_hashes(at: &str, name: &str, fields: &BTreeMap<String, String>, errors: &mut Vec<FieldError>) {
    let unhashed = identifying_fields(name)
        .iter()
        .filter(|field| fields.get(**field).is_some_and(|value| !is_hash(value)));
    errors.extend(unhashed.map(|field| {
        let rule = "Send the SHA-256 in 64 lower case hexadecimal digits.";
        FieldError::new(format!("{at}.fields.{field}"), ErrorCode::NotAHash, rule)
    }));
}

/// Removes query parameters other than tracking ones from URLs, and values with e-mail addresses, card or phone numbers.
/// `name` is the field's name: in a field named as a phone number a shorter match suffices.
pub fn redact(name: &str, value: String) -> String {
    let value = if is_url(&value) {
        strip_query(&value)
    } else {
        value
    };
    if contains_email(&value)
        || personal_numbers::contains_card_number(&value)
        || personal_numbers::contains_phone_number(name, &value)
    {
        return REMOVED.to_owned();
    }
    value
}

fn is_hash(value: &str) -> bool {
    value.len() == HASH_CHARS
        && value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn is_url(value: &str) -> bool {
    ["/", "http://", "https://"]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Keeps the path and the tracking parameters; any other parameter may be a token.
fn strip_query(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let Some((path, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let is_tracking = |pair: &&str| PARAMETERS.contains(&pair.split('=').next().unwrap_or_default());
    let tracking: Vec<&str> = query.split('&').filter(is_tracking).collect();
    if tracking.is_empty() {
        return path.to_owned();
    }
    format!("{path}?{}", tracking.join("&"))
}

fn contains_email(value: &str) -> bool {
    let value = value.to_ascii_lowercase().replace("%40", "@");
    value.match_indices('@').any(|(at, sign)| {
        let before = value.get(..at).unwrap_or_default();
        let host = value.get(at + sign.len()..).unwrap_or_default();
        let host = host
            .split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
            .next();
        before.ends_with(|c: char| c.is_alphanumeric())
            && host.is_some_and(|host| host.trim_matches('.').contains('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &str) {
        assert_eq!(redact("field", given.to_owned()), expected, "{given}");
    }

    #[test]
    fn urls_keep_path_and_tracking_parameters() {
        check(
            "https://stillpoint.example/en/plans/?token=s3cret&utm_source=mail&adid=7#top",
            "https://stillpoint.example/en/plans/?utm_source=mail&adid=7",
        );
        check("/en/payment/?mailToken=s3cret", "/en/payment/");
        check("/en/", "/en/");
        check("Why not? I will", "Why not? I will");
    }

    #[test]
    fn email_addresses_are_removed() {
        for given in [
            "ada@example.org",
            "write to ada@example.org!",
            "/en/?utm_content=ada%40example.org",
        ] {
            check(given, REMOVED);
        }
        for given in ["@stillpoint", "2 @ 3.50", "a@b"] {
            check(given, given);
        }
    }

    #[test]
    fn card_and_phone_numbers_are_removed() {
        for given in [
            "4242 4242 4242 4242",
            "/en/payment/4242424242424242/?token=1",
            "+90 532 123 45 67",
            "05321234567",
        ] {
            check(given, REMOVED);
        }
        assert_eq!(redact("phone", "5321234567".to_owned()), REMOVED);
        for given in ["5321234567", "1763928000000", "129900"] {
            check(given, given);
        }
    }

    #[test]
    fn identifying_event_without_hashes_is_rejected() {
        let check = |event: &str, value: &str| {
            let mut errors = Vec::new();
            let fields = BTreeMap::from([("email".to_owned(), value.to_owned())]);
            check_hashes("events[0]", event, &fields, &mut errors);
            errors.into_iter().map(|error| error.field).collect::<Vec<_>>()
        };
        for event in ["user", "social_signup"] {
            assert_eq!(check(event, &"0af9".repeat(16)), [""; 0]);
            for unhashed in ["Ada", "", &"0AF9".repeat(16), &"0af9".repeat(15)] {
                assert_eq!(check(event, unhashed), ["events[0].fields.email"], "{unhashed}");
            }
        }
        assert_eq!(check("page_load", "Ada"), [""; 0]);
    }

    #[test]
    fn plain_hashes_are_replaced_by_keyed_ones() {
        let plain = "0af9".repeat(16);
        let keyed = |key: &[u8], name: &str| {
            let mut fields = BTreeMap::from([("email".to_owned(), plain.clone())]);
            Pseudonyms::new(key).unwrap().pseudonymize(name, &mut fields);
            fields.remove("email").unwrap()
        };
        assert!(is_hash(&keyed(b"one", "user")));
        assert_ne!(keyed(b"one", "user"), plain);
        assert_ne!(keyed(b"one", "user"), keyed(b"two", "user"));
        assert_ne!(keyed(b"one", "social_signup"), plain);
        assert_eq!(keyed(b"one", "page_load"), plain);
    }
}

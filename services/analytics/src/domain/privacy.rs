//! What of a page's report may be kept. Pages take care themselves; this holds when one does not.
use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use kit::error::FieldFault;
use kit::tracking::PARAMETERS;
use sha2::{Digest, Sha256};

use super::numbers;

/// The events that say who somebody is, by SHA-256 hashes alone, and only with their consent.
const RECOGNISING: [(&str, &[&str]); 2] = [
    ("user", &["id", "name", "last_name", "email"]),
    (
        "social_signup",
        &["name", "email", "googleID", "picturePath", "fullName", "token"],
    ),
];
const HASH_CHARS: usize = 64;

const REMOVED: &str = "[removed]";

/// A plain SHA-256 of an address is undone by hashing every known address; without this key it is not.
pub struct Pseudonyms {
    keyed: Hmac<Sha256>,
}

impl Pseudonyms {
    pub fn new(key: &[u8]) -> Result<Self, hmac::digest::InvalidLength> {
        Ok(Self {
            keyed: Hmac::new_from_slice(key)?,
        })
    }

    /// Puts our keyed hashes in the place of the plain ones.
    pub fn stand_in(&self, name: &str, fields: &mut BTreeMap<String, String>) {
        for field in recognising(name) {
            if let Some(hash) = fields.get_mut(*field) {
                *hash = self.keyed(hash);
            }
        }
    }

    /// What stands for a member in a user event, whose page hashed their id.
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

/// Whether such an event says who somebody is.
pub fn is_recognising(event: &str) -> bool {
    !recognising(event).is_empty()
}

/// The fields of an event that stand for somebody; none of most.
fn recognising(event: &str) -> &'static [&'static str] {
    let found = RECOGNISING.iter().find(|(name, _)| *name == event);
    found.map_or(&[], |(_, fields)| fields)
}

/// An event that says who somebody is by anything but hashes is refused as a whole.
pub fn check_hashes(at: &str, name: &str, fields: &BTreeMap<String, String>, faults: &mut Vec<FieldFault>) {
    let bare = recognising(name)
        .iter()
        .filter(|field| fields.get(**field).is_some_and(|value| !is_hash(value)));
    faults.extend(bare.map(|field| FieldFault {
        field: format!("{at}.fields.{field}"),
        code: "NOT_A_HASH".to_owned(),
        message: "Send the SHA-256 in 64 lower case hexadecimal digits.".to_owned(),
    }));
}

/// Without the secrets that addresses carry in their queries, and without e-mail addresses, card numbers and phone numbers. `name` is the
/// field's: where it says that it holds a phone number, less is needed to believe it.
pub fn clean(name: &str, value: String) -> String {
    let value = if is_address(&value) {
        without_secrets(&value)
    } else {
        value
    };
    if names_a_mailbox(&value) || numbers::holds_a_card(&value) || numbers::holds_a_phone(name, &value) {
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

fn is_address(value: &str) -> bool {
    ["/", "http://", "https://"]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Keeps the path and the tracking parameters: any other may be a token.
fn without_secrets(address: &str) -> String {
    let address = address.split('#').next().unwrap_or_default();
    let Some((path, query)) = address.split_once('?') else {
        return address.to_owned();
    };
    let is_tracking = |pair: &&str| PARAMETERS.contains(&pair.split('=').next().unwrap_or_default());
    let kept: Vec<&str> = query.split('&').filter(is_tracking).collect();
    if kept.is_empty() {
        return path.to_owned();
    }
    format!("{path}?{}", kept.join("&"))
}

fn names_a_mailbox(value: &str) -> bool {
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

    fn check(given: &str, kept: &str) {
        assert_eq!(clean("field", given.to_owned()), kept, "{given}");
    }

    #[test]
    fn addresses_keep_their_path_and_where_the_visit_came_from() {
        check(
            "https://stillpoint.example/en/plans/?token=s3cret&utm_source=mail&adid=7#top",
            "https://stillpoint.example/en/plans/?utm_source=mail&adid=7",
        );
        check("/en/payment/?mailToken=s3cret", "/en/payment/");
        check("/en/", "/en/");
        check("Why not? I will", "Why not? I will");
    }

    #[test]
    fn nobodys_mailbox_is_kept() {
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
    fn event_of_somebody_carries_hashes_or_nothing() {
        let check = |event: &str, value: &str| {
            let mut faults = Vec::new();
            let fields = BTreeMap::from([("email".to_owned(), value.to_owned())]);
            check_hashes("events[0]", event, &fields, &mut faults);
            faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
        };
        for event in ["user", "social_signup"] {
            assert_eq!(check(event, &"0af9".repeat(16)), [""; 0]);
            for bare in ["Ada", "", &"0AF9".repeat(16), &"0af9".repeat(15)] {
                assert_eq!(check(event, bare), ["events[0].fields.email"], "{bare}");
            }
        }
        assert_eq!(check("page_load", "Ada"), [""; 0]);
    }

    #[test]
    fn plain_hash_never_goes_on() {
        let plain = "0af9".repeat(16);
        let keyed = |key: &[u8], name: &str| {
            let mut fields = BTreeMap::from([("email".to_owned(), plain.clone())]);
            Pseudonyms::new(key).unwrap().stand_in(name, &mut fields);
            fields.remove("email").unwrap()
        };
        assert!(is_hash(&keyed(b"one", "user")));
        assert_ne!(keyed(b"one", "user"), plain);
        assert_ne!(keyed(b"one", "user"), keyed(b"two", "user"));
        assert_ne!(keyed(b"one", "social_signup"), plain);
        assert_eq!(keyed(b"one", "page_load"), plain);
    }
}

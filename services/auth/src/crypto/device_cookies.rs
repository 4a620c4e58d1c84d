//! Device cookies (OWASP): a number and a proof that the account was signed in to from this browser.
//!
//! Attempts from such a browser count for the browser instead of the account, so guesses of others do not lock its owner out.
use crate::crypto::pseudonyms::Pseudonyms;
use crate::domain::email::Email;

const NUMBER_CHARS: usize = 32;

pub fn make(pseudonyms: &Pseudonyms, email: &Email) -> String {
    let number = hex::encode(rand::random::<[u8; NUMBER_CHARS / 2]>());
    let proof = proof(pseudonyms, &number, email);
    number + &hex::encode(proof)
}

/// What attempts from this browser are counted under, if it was signed in to this account before.
pub fn key(pseudonyms: &Pseudonyms, email: &Email, mark: &str) -> Option<[u8; 32]> {
    let (number, given) = mark.split_at_checked(NUMBER_CHARS)?;
    let given: [u8; 32] = hex::decode(given).ok()?.try_into().ok()?;
    let differs = proof(pseudonyms, number, email)
        .iter()
        .zip(given)
        .fold(0, |differs, (ours, theirs)| differs | (ours ^ theirs));
    (differs == 0).then(|| pseudonyms.fingerprint(&["device", number]))
}

fn proof(pseudonyms: &Pseudonyms, number: &str, email: &Email) -> [u8; 32] {
    pseudonyms.fingerprint(&["device mark", number, email.as_str()])
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).unwrap()
    }

    #[test]
    fn a_mark_is_good_for_its_account_only() {
        let pseudonyms = Pseudonyms::new(&SecretString::from("key")).unwrap();
        let mark = make(&pseudonyms, &email("ada@example.com"));
        assert!(key(&pseudonyms, &email("ada@example.com"), &mark).is_some());
        assert_eq!(key(&pseudonyms, &email("grace@example.com"), &mark), None);
        let other = Pseudonyms::new(&SecretString::from("other")).unwrap();
        assert_eq!(key(&other, &email("ada@example.com"), &mark), None);
    }

    #[test]
    fn what_is_no_mark_is_refused_without_a_panic() {
        let pseudonyms = Pseudonyms::new(&SecretString::from("key")).unwrap();
        for mark in ["", "abc", &"é".repeat(40), &"0".repeat(96), &"0".repeat(200)] {
            assert_eq!(key(&pseudonyms, &email("ada@example.com"), mark), None, "{mark}");
        }
    }
}

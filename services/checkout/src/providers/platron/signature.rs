//! Platron's signatures: MD5 over the script's name, the values in the order of their names, and the secret.

use md5::{Digest, Md5};
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

pub type Fields = Vec<(String, String)>;

const SIGNATURE: &str = "pg_sig";

pub fn of(script: &str, fields: &[(String, String)], secret: &SecretString) -> String {
    let mut signed: Vec<_> = fields.iter().filter(|(name, _)| name != SIGNATURE).collect();
    // Fields of one name stay in the order they came.
    signed.sort_by(|(one, _), (other, _)| one.cmp(other));
    let values = signed.into_iter().map(|(_, value)| value.as_str());
    let parts: Vec<&str> = std::iter::once(script)
        .chain(values)
        .chain([secret.expose_secret()])
        .collect();
    hex::encode(Md5::digest(parts.join(";")))
}

/// With the salt and the signature that every message ends with.
pub fn signed(script: &str, mut fields: Fields, secret: &SecretString, salt: Uuid) -> Fields {
    fields.push(("pg_salt".to_owned(), salt.simple().to_string()));
    let signature = of(script, &fields, secret);
    fields.push((SIGNATURE.to_owned(), signature));
    fields
}

/// Does not stop at the first difference.
pub fn is_right(script: &str, fields: &[(String, String)], secret: &SecretString) -> bool {
    let Some(given) = get(fields, SIGNATURE) else {
        return false;
    };
    let (given, right) = (given.to_ascii_lowercase(), of(script, fields, secret));
    let differing = given
        .bytes()
        .zip(right.bytes())
        .fold(0, |differing, (one, other)| differing | (one ^ other));
    given.len() == right.len() && differing == 0
}

pub fn get<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let field = fields.iter().find(|(known, _)| known == name);
    field.map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Fields {
        [
            ("pg_t_param", "value3"),
            ("pg_salt", "9imM909TH820jwk387"),
            ("pg_a_param", "value1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    #[test]
    fn the_signature_is_platrons() {
        // Computed apart: printf 'script.php;value1;9imM909TH820jwk387;value3;mypasskey' | md5sum
        let right = "a97d19b3bc36f10afb1e2272b3d8a4bb";
        assert_eq!(of("script.php", &fields(), &"mypasskey".into()), right);
    }

    #[test]
    fn another_script_secret_or_value_needs_another_signature() {
        let secret = "mypasskey".into();
        let mut good = signed("result", fields(), &secret, Uuid::nil());
        assert!(is_right("result", &good, &secret));
        assert!(!is_right("check", &good, &secret));
        assert!(!is_right("result", &good, &"another".into()));
        good[0].1 = "value4".to_owned();
        assert!(!is_right("result", &good, &secret));
        assert!(!is_right("result", &fields(), &secret), "none at all");
    }
}

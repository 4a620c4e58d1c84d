//! Signatures: MD5 over the script's name, the values sorted by field name, and the secret, joined by `;`.

use md5::{Digest, Md5};

use crate::engine::ids::random;

pub type Fields = Vec<(String, String)>;

/// Fields of the same name keep their order.
pub fn of(script: &str, fields: &[(String, String)], secret: &str) -> String {
    let mut signed: Vec<_> = fields.iter().filter(|(name, _)| name != "pg_sig").collect();
    signed.sort_by(|(one, _), (other, _)| one.cmp(other));
    let values = signed.into_iter().map(|(_, value)| value.as_str());
    let parts: Vec<&str> = std::iter::once(script).chain(values).chain([secret]).collect();
    hex::encode(Md5::digest(parts.join(";")))
}

/// The fields with salt and signature appended, as every message has them.
pub fn signed(script: &str, mut fields: Fields, secret: &str) -> Fields {
    fields.push(("pg_salt".into(), random(16)));
    let signature = of(script, &fields, secret);
    fields.push(("pg_sig".into(), signature));
    fields
}

pub fn is_valid(script: &str, fields: &[(String, String)], secret: &str) -> bool {
    let given = fields.iter().find(|(name, _)| name == "pg_sig");
    given.is_some_and(|(_, given)| given.eq_ignore_ascii_case(&of(script, fields, secret)))
}

/// The last path segment.
pub fn script_of(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_matches_platrons_algorithm() {
        // Computed with: printf 'script.php;value1;9imM909TH820jwk387;value3;mypasskey' | md5sum
        let fields: Fields = [
            ("pg_t_param", "value3"),
            ("pg_salt", "9imM909TH820jwk387"),
            ("pg_a_param", "value1"),
            ("pg_sig", "anything"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        assert_eq!(
            of("script.php", &fields, "mypasskey"),
            "a97d19b3bc36f10afb1e2272b3d8a4bb"
        );
    }

    #[test]
    fn script_is_the_last_path_segment() {
        for (url, script) in [
            ("http://shop.example/path/to/script.php?a=/b", "script.php"),
            ("http://shop.example/result", "result"),
            ("http://shop.example/en/success-page/?x=1", ""),
        ] {
            assert_eq!(script_of(url), script);
        }
    }
}

//! `/.well-known/security.txt` (RFC 9116): where to report a vulnerability.
use chrono::{DateTime, Days, Utc};

use crate::security::site::Site;

pub const PATH: &str = "/.well-known/security.txt";

/// RFC 9116 recommends less than a year. A copy that is not renewed expires.
const VALID_DAYS: u64 = 180;

/// The file. It changes once a day, so that caches may keep it.
pub fn text(contacts: &[String], site: &Site, now: DateTime<Utc>) -> String {
    let mut lines = String::new();
    for contact in contacts {
        lines.extend(["Contact: ", contact.as_str(), "\n"]);
    }
    let expires = now + Days::new(VALID_DAYS);
    format!(
        "{lines}Expires: {}\nPreferred-Languages: en\nCanonical: {}{PATH}\n",
        expires.format("%Y-%m-%dT00:00:00Z"),
        site.origin(),
    )
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    #[test]
    fn file_has_every_field_and_the_contacts_first() {
        let contacts = ["mailto:a@stillpoint.example", "https://stillpoint.example/report"];
        let now = Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap();
        let site: Site = "https://stillpoint.example".parse().unwrap();
        assert_eq!(
            text(&contacts.map(str::to_owned), &site, now),
            "Contact: mailto:a@stillpoint.example\n\
             Contact: https://stillpoint.example/report\n\
             Expires: 2027-05-19T00:00:00Z\n\
             Preferred-Languages: en\n\
             Canonical: https://stillpoint.example/.well-known/security.txt\n"
        );
    }
}

//! Where vulnerabilities are reported.
use kit::config::EnvReader;
use url::Url;

use crate::security::site::Site;

/// The contacts of `security.txt`, the preferred one first. By default the mailbox that RFC 2142 reserves at the site's host.
pub fn read(reader: &mut EnvReader<'_>, site: &Site) -> Vec<String> {
    let contacts = reader.list("SECURITY_CONTACT", &[]);
    if contacts.is_empty() {
        return vec![format!("mailto:security@{}", site.host())];
    }
    for contact in &contacts {
        if !is_contact(contact) {
            reader.fail(
                "SECURITY_CONTACT",
                format_args!("`{contact}` must begin with mailto:, https: or tel:"),
            );
        }
    }
    contacts
}

/// A line break would add fields to the file.
fn is_contact(contact: &str) -> bool {
    let is_one_line = !contact.contains(|character: char| character.is_control() || character == ' ');
    is_one_line && Url::parse(contact).is_ok_and(|url| matches!(url.scheme(), "mailto" | "https" | "tel"))
}

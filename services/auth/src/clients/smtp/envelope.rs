//! A letter as a MIME message. It holds nothing that a stranger typed but the address, and that is taken apart first.
use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart, SinglePart};

use crate::domain::mail::RenderedMail;

/// `None` where mail programs know no such address. A domain in another script is written as the network knows it.
pub fn recipient(letter: &RenderedMail) -> Option<Address> {
    let (local, domain) = letter.to.as_str().rsplit_once('@')?;
    let domain = url::Host::parse(domain).ok()?.to_string();
    Address::new(local, domain).ok()
}

/// The same bytes each time, so that whoever gets it twice can tell.
pub fn message(letter: &RenderedMail, from: &Mailbox, to: &Address) -> Result<Vec<u8>, lettre::error::Error> {
    let message_id = format!("<{}@{}>", letter.id, from.email.domain());
    let parts = MultiPart::alternative()
        .boundary(format!("{}.parts", letter.id))
        .singlepart(SinglePart::plain(letter.text.clone()))
        .singlepart(SinglePart::html(letter.html.clone()));
    let written = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .subject(letter.subject.clone())
        .date(moment(letter))
        .message_id(Some(message_id))
        // Out-of-office replies have nobody to read them.
        .raw_header(marker("Auto-Submitted", "auto-generated"))
        .raw_header(marker("X-Auto-Response-Suppress", "All"))
        .multipart(parts)?;
    Ok(written.formatted())
}

fn marker(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn moment(letter: &RenderedMail) -> SystemTime {
    let since_epoch = u64::try_from(letter.created_at.timestamp()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(since_epoch)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::domain::email::Email;
    use crate::domain::mail::MailId;

    fn letter(to: &str) -> RenderedMail {
        RenderedMail {
            id: MailId::new(DateTime::UNIX_EPOCH),
            to: Email::stored(to.to_owned()),
            subject: "Şifreniz değişti".to_owned(),
            text: "Günaydın".to_owned(),
            html: "<p>Günaydın</p>".to_owned(),
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    fn written(letter: &RenderedMail) -> Vec<u8> {
        let from: Mailbox = "Stillpoint <hello@stillpoint.example>".parse().unwrap();
        message(letter, &from, &recipient(letter).unwrap()).unwrap()
    }

    #[test]
    fn a_letter_is_the_same_each_time() {
        let letter = letter("ada@example.com");
        let bytes = written(&letter);
        assert_eq!(bytes, written(&letter));
        assert!(bytes.is_ascii());
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains(&format!("Message-ID: <{}@stillpoint.example>", letter.id)),
            "{text}"
        );
        assert!(text.contains("To: ada@example.com\r\n"), "{text}");
        assert!(text.contains("Auto-Submitted: auto-generated\r\n"), "{text}");
    }

    #[test]
    fn an_address_cannot_add_a_header_or_a_command() {
        for wrong in [
            "ada@example.com\r\nBcc: eve@example.com",
            "ada\r\nBcc: eve@example.com",
            "ada> SIZE=1\r\nRCPT TO:<eve@example.com",
            "ada,eve@example.com",
            "ada@exam>ple.com",
            "<ada@example.com>",
            "ada",
        ] {
            assert!(recipient(&letter(wrong)).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn a_domain_in_another_script_is_written_as_the_network_knows_it() {
        let address = recipient(&letter("ada@bücher.example")).unwrap();
        assert_eq!(address.to_string(), "ada@xn--bcher-kva.example");
    }
}

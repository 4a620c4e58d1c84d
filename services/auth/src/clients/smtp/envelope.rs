//! Builds the MIME message. The recipient is the only user input in it and is parsed before use.
use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart, SinglePart};

use crate::domain::mail::RenderedMail;

/// `None` for an address that mail programs reject. An internationalised domain is encoded as Punycode.
pub fn recipient(mail: &RenderedMail) -> Option<Address> {
    let (local, domain) = mail.to.as_str().rsplit_once('@')?;
    let domain = url::Host::parse(domain).ok()?.to_string();
    Address::new(local, domain).ok()
}

/// Deterministic, so that a repeated mail is recognisable.
pub fn message(mail: &RenderedMail, from: &Mailbox, to: &Address) -> Result<Vec<u8>, lettre::error::Error> {
    let message_id = format!("<{}@{}>", mail.id, from.email.domain());
    let parts = MultiPart::alternative()
        .boundary(format!("{}.parts", mail.id))
        .singlepart(SinglePart::plain(mail.text.clone()))
        .singlepart(SinglePart::html(mail.html.clone()));
    let written = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .subject(mail.subject.clone())
        .date(moment(mail))
        .message_id(Some(message_id))
        // Suppresses out-of-office replies.
        .raw_header(marker("Auto-Submitted", "auto-generated"))
        .raw_header(marker("X-Auto-Response-Suppress", "All"))
        .multipart(parts)?;
    Ok(written.formatted())
}

fn marker(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn moment(mail: &RenderedMail) -> SystemTime {
    let since_epoch = u64::try_from(mail.created_at.timestamp()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(since_epoch)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::domain::email::Email;
    use crate::domain::mail::MailId;

    fn mail(to: &str) -> RenderedMail {
        RenderedMail {
            id: MailId::new(DateTime::UNIX_EPOCH),
            to: Email::stored(to.to_owned()),
            subject: "Şifreniz değişti".to_owned(),
            text: "Günaydın".to_owned(),
            html: "<p>Günaydın</p>".to_owned(),
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    fn written(mail: &RenderedMail) -> Vec<u8> {
        let from: Mailbox = "Stillpoint <hello@stillpoint.example>".parse().unwrap();
        message(mail, &from, &recipient(mail).unwrap()).unwrap()
    }

    #[test]
    fn a_letter_is_the_same_each_time() {
        let mail = mail("ada@example.com");
        let bytes = written(&mail);
        assert_eq!(bytes, written(&mail));
        assert!(bytes.is_ascii());
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains(&format!("Message-ID: <{}@stillpoint.example>", mail.id)),
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
            assert!(recipient(&mail(wrong)).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn internationalised_domain_is_encoded_as_punycode() {
        let address = recipient(&mail("ada@bücher.example")).unwrap();
        assert_eq!(address.to_string(), "ada@xn--bcher-kva.example");
    }
}

//! The end of a certificate's validity. `webpki` checks it and does not return it, and a whole X.509 parser for one field is
//! not worth its dependencies.

use chrono::{DateTime, NaiveDateTime, Utc};

const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// `notAfter` of a certificate in DER; `None` if it is malformed.
pub fn not_after(certificate: &[u8]) -> Option<DateTime<Utc>> {
    let (_, certificate) = Der(certificate).element()?;
    let (_, signed) = Der(certificate).element()?;
    let mut fields = Der(signed);
    // The version may be left out; then the serial number is first.
    if fields.element()?.0 == VERSION {
        fields.element()?;
    }
    let _algorithm = fields.element()?;
    let _issuer = fields.element()?;
    let (_, validity) = fields.element()?;
    let mut validity = Der(validity);
    let _not_before = validity.element()?;
    let (tag, time) = validity.element()?;
    parse_time(tag, std::str::from_utf8(time).ok()?)
}

fn parse_time(tag: u8, text: &str) -> Option<DateTime<Utc>> {
    let text = match tag {
        // Two digits of the year, from 1950 to 2049.
        UTC_TIME if text.starts_with(['5', '6', '7', '8', '9']) => format!("19{text}"),
        UTC_TIME => format!("20{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let time = NaiveDateTime::parse_from_str(&text, "%Y%m%d%H%M%SZ").ok()?;
    Some(time.and_utc())
}

/// The rest of a sequence of elements.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The tag and the content of the next element.
    fn element(&mut self) -> Option<(u8, &'a [u8])> {
        let [tag, first, rest @ ..] = self.0 else {
            return None;
        };
        let (length, rest) = if *first < 0x80 {
            (usize::from(*first), rest)
        } else {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (big_endian(digits)?, rest)
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((*tag, content))
    }
}

/// `None` above four digits, which no certificate needs.
fn big_endian(digits: &[u8]) -> Option<usize> {
    let number = |digits: &[u8]| {
        digits
            .iter()
            .fold(0_usize, |number, digit| (number << 8) | usize::from(*digit))
    };
    (digits.len() <= 4).then(|| number(digits))
}

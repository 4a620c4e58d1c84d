//! Scans JSON text once, front to back, without building values.
//!
//! For documents written by a serialiser: it finds the end of each value and validates nothing else.
use std::mem;

use memchr::{memchr2, memchr3};

/// A position in a text.
#[derive(Clone, Copy)]
pub struct Cursor<'d> {
    text: &'d str,
    at: usize,
}

impl<'d> Cursor<'d> {
    pub fn of(text: &'d str) -> Self {
        Self { text, at: 0 }
    }

    /// Skips this byte if it is the next one after white space.
    pub fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    /// The name of a field, verbatim, without quotes.
    pub fn name(&mut self) -> Option<&'d str> {
        let name = self.value()?.strip_prefix('"')?.strip_suffix('"')?;
        self.take(b':')?;
        Some(name)
    }

    /// Skips a value and returns its text verbatim.
    pub fn value(&mut self) -> Option<&'d str> {
        let length = match self.peek()? {
            b'"' => string_length(self.rest())?,
            b'{' => container_length(self.rest(), b'{', b'}')?,
            b'[' => container_length(self.rest(), b'[', b']')?,
            _ => word_length(self.rest()),
        };
        let value = self.text.get(self.at..self.at + length)?;
        self.at += length;
        (length > 0).then_some(value)
    }

    /// The next byte after white space.
    pub fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn rest(&self) -> &'d [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }
}

/// Finds the members of an object or array, after its opening bracket.
pub struct Members {
    closing: u8,
    is_first: bool,
}

impl Members {
    pub fn until(closing: u8) -> Self {
        Self {
            closing,
            is_first: true,
        }
    }

    /// Skips the comma before the next member, or the closing bracket: `false`.
    pub fn has_next(&mut self, cursor: &mut Cursor<'_>) -> Option<bool> {
        if cursor.peek()? == self.closing {
            cursor.at += 1;
            return Some(false);
        }
        if !mem::take(&mut self.is_first) {
            cursor.take(b',')?;
        }
        Some(true)
    }
}

/// The text of a string that needs no unescaping.
pub fn plain_string(value: &str) -> Option<&str> {
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('\\')).then_some(text)
}

/// Length with both quotes.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Brackets of other kinds are balanced and are not counted.
fn container_length(bytes: &[u8], opening: u8, closing: u8) -> Option<usize> {
    let (mut at, mut depth) = (1, 1);
    while depth > 0 {
        at += memchr3(b'"', opening, closing, bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => at += string_length(bytes.get(at..)?)?,
            byte => {
                if byte == opening {
                    depth += 1;
                } else {
                    depth -= 1;
                }
                at += 1;
            }
        }
    }
    Some(at)
}

/// A number, `true`, `false` or `null`.
fn word_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
        .count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// The fields of an object with their values.
    fn fields(text: &str) -> Option<Vec<(&str, &str)>> {
        let mut cursor = Cursor::of(text);
        cursor.take(b'{')?;
        let mut fields = Vec::new();
        let mut members = Members::until(b'}');
        while members.has_next(&mut cursor)? {
            fields.push((cursor.name()?, cursor.value()?));
        }
        Some(fields)
    }

    fn items(text: &str) -> Option<Vec<&str>> {
        let mut cursor = Cursor::of(text);
        cursor.take(b'[')?;
        let mut items = Vec::new();
        let mut members = Members::until(b']');
        while members.has_next(&mut cursor)? {
            items.push(cursor.value()?);
        }
        Some(items)
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],:é\n ]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec(("[a-z]{1,4}", inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    fn check(text: &str, value: &Value) {
        match value {
            Value::Object(object) => {
                let fields = fields(text).unwrap();
                assert_eq!(fields.len(), object.len(), "{text}");
                for (name, text) in fields {
                    check(text, &object[name]);
                }
            }
            Value::Array(array) => {
                let items = items(text).unwrap();
                assert_eq!(items.len(), array.len(), "{text}");
                for (text, value) in items.into_iter().zip(array) {
                    check(text, value);
                }
            }
            leaf => assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), leaf),
        }
    }

    proptest! {
        #[test]
        fn parts_are_those_a_parser_finds(value in any_json()) {
            check(&value.to_string(), &value);
            check(&serde_json::to_string_pretty(&value).unwrap(), &value);
        }

        #[test]
        fn no_text_is_read_beyond_its_end(text in "[{}\\[\\]\",:\\\\a1é -]{0,24}") {
            let _ = fields(&text);
            let _ = items(&text);
        }
    }

    #[test]
    fn what_is_broken_off_has_no_parts() {
        for text in [
            "",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":\"b",
            "{\"a\":\"\\",
            "{\"a\" 1}",
            "[",
            "[1",
            "1",
        ] {
            assert!(fields(text).is_none(), "{text}");
        }
        for text in ["", "[", "[1", "[1 2]", "[,]", "{}", "[\"", "[{]"] {
            assert!(items(text).is_none(), "{text}");
        }
    }
}

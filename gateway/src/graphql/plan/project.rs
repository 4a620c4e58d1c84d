//! Writes a response from stored JSON by a plan, in one pass. Returns `None` if the document does not match the plan.
use std::collections::HashMap;
use std::ops::Range;

use blocks::{Locale, OfferKey};

use crate::graphql::plan::json;
use crate::graphql::plan::json::{Cursor, Members};
use crate::graphql::plan::{Kind, Object, Shape, Source};

/// Placeholder of a price. JSON text never contains this byte.
const PRICE_PLACEHOLDER: char = '\0';

/// A response with placeholders for prices.
#[derive(Default)]
pub struct ResponseWriter<'p> {
    pub text: String,
    pub prices: Vec<MissingPrice<'p>>,
    /// Buffer for ordering fields.
    spare: String,
    /// Range in the text of each field of the objects being written, in the order of the plan, inner objects last. Empty
    /// for
    /// fields that are not stored.
    fields: Vec<Range<usize>>,
}

pub struct MissingPrice<'p> {
    pub key: OfferKey,
    offer: &'p Object,
}

/// The written fields of an object, in stored order.
struct Written<'d> {
    base: usize,
    /// Index of its first field among the draft's.
    fields: usize,
    locale: Locale,
    campaign: Option<&'d str>,
    coupon: Option<&'d str>,
}

impl<'p> ResponseWriter<'p> {
    /// Capacity for a response from documents of this many bytes.
    pub fn with_capacity(documents: usize) -> Self {
        Self {
            text: String::with_capacity(documents),
            spare: String::with_capacity(documents),
            ..Self::default()
        }
    }

    /// A text that is a single value.
    pub fn whole(&mut self, text: &str, kind: &'p Kind, locale: Locale) -> Option<()> {
        self.value(&mut Cursor::of(text), kind, locale)
    }

    /// An object with some fields stored elsewhere.
    pub fn object_with(
        &mut self,
        text: &str,
        beside: &[(&str, &str)],
        kind: &'p Kind,
        locale: Locale,
    ) -> Option<()> {
        let Shape::Object(object) = &kind.shape else {
            return None;
        };
        let mut written = self.begin(object, locale);
        self.stored(&mut Cursor::of(text), object, &mut written)?;
        for (name, value) in beside {
            self.field(name, &mut Cursor::of(value), object, &mut written)?;
        }
        self.finish(object, &written)
    }

    fn value(&mut self, cursor: &mut Cursor<'_>, kind: &'p Kind, locale: Locale) -> Option<()> {
        if kind.nullable && cursor.peek()? == b'n' {
            return self.copy(cursor, |text| text == "null");
        }
        match &kind.shape {
            Shape::Text => self.copy(cursor, |text| text.starts_with('"')),
            Shape::Int => self.copy(cursor, |text| text.parse::<i32>().is_ok()),
            Shape::Number => self.copy(cursor, |text| {
                text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            }),
            Shape::Boolean => self.copy(cursor, |text| matches!(text, "true" | "false")),
            Shape::OptionalScalar(kind) => {
                let here = *cursor;
                if matches!(cursor.value()?, "\"\"" | "0") {
                    self.text.push_str("null");
                    return Some(());
                }
                *cursor = here;
                self.value(cursor, kind, locale)
            }
            Shape::Enum(names) => {
                let stored = json::plain_string(cursor.value()?)?;
                let name = names.iter().find(|name| is_same_name(stored, name))?;
                self.text.extend(["\"", name, "\""]);
                Some(())
            }
            Shape::List(kind) => self.list(cursor, kind, locale),
            Shape::Object(object) => self.object(cursor, object, locale),
            Shape::Block(kinds) => {
                let object = kinds.get(component(*cursor)?)?;
                self.object(cursor, object, locale)
            }
        }
    }

    fn copy(&mut self, cursor: &mut Cursor<'_>, is_as_planned: impl Fn(&str) -> bool) -> Option<()> {
        let text = cursor.value()?;
        is_as_planned(text).then(|| self.text.push_str(text))
    }

    fn list(&mut self, cursor: &mut Cursor<'_>, kind: &'p Kind, locale: Locale) -> Option<()> {
        cursor.take(b'[')?;
        self.text.push('[');
        let mut members = Members::until(b']');
        let mut is_first = true;
        while members.has_next(cursor)? {
            if !is_first {
                self.text.push(',');
            }
            is_first = false;
            self.value(cursor, kind, locale)?;
        }
        self.text.push(']');
        Some(())
    }

    fn object(&mut self, cursor: &mut Cursor<'_>, object: &'p Object, locale: Locale) -> Option<()> {
        let mut written = self.begin(object, locale);
        self.stored(cursor, object, &mut written)?;
        self.finish(object, &written)
    }

    fn begin<'d>(&mut self, object: &Object, locale: Locale) -> Written<'d> {
        let fields = self.fields.len();
        self.fields.resize(fields + object.fields.len(), 0..0);
        Written {
            base: self.text.len(),
            fields,
            locale,
            campaign: None,
            coupon: None,
        }
    }

    fn stored<'d>(
        &mut self,
        cursor: &mut Cursor<'d>,
        object: &'p Object,
        written: &mut Written<'d>,
    ) -> Option<()> {
        cursor.take(b'{')?;
        let mut members = Members::until(b'}');
        while members.has_next(cursor)? {
            let name = cursor.name()?;
            let mut here = *cursor;
            match name {
                "campaignName" => written.campaign = here.value(),
                "couponCode" => written.coupon = here.value(),
                _ => {}
            }
            self.field(name, cursor, object, written)?;
        }
        Some(())
    }

    /// Writes a stored value for every field of the plan that selects it, or skips it.
    fn field(
        &mut self,
        stored: &str,
        cursor: &mut Cursor<'_>,
        object: &'p Object,
        written: &mut Written<'_>,
    ) -> Option<()> {
        let here = *cursor;
        let mut is_wanted = false;
        for (field, at) in object.fields.iter().zip(written.fields..) {
            if let Source::Stored { name, kind } = &field.source
                && name == stored
            {
                *cursor = here;
                let from = self.text.len();
                self.value(cursor, kind, written.locale)?;
                self.fields[at] = from..self.text.len();
                is_wanted = true;
            }
        }
        if !is_wanted {
            cursor.value()?;
        }
        Some(())
    }

    /// Reorders the written fields to the order of the response.
    fn finish(&mut self, object: &'p Object, written: &Written<'_>) -> Option<()> {
        let mut ordered = std::mem::take(&mut self.spare);
        ordered.clear();
        ordered.push('{');
        for (index, (field, range)) in object
            .fields
            .iter()
            .zip(self.fields.drain(written.fields..))
            .enumerate()
        {
            if index > 0 {
                ordered.push(',');
            }
            ordered.push_str(&field.key);
            match &field.source {
                Source::Constant(text) => ordered.push_str(text),
                Source::Stored { .. } if !range.is_empty() => ordered.push_str(self.text.get(range)?),
                // Nulls are not stored.
                Source::Stored { kind, .. } if kind.nullable => ordered.push_str("null"),
                Source::Stored { .. } => return None,
                Source::Offer(offer) => {
                    let key = offer_key(written)?;
                    ordered.push(PRICE_PLACEHOLDER);
                    ordered.push_str(&self.prices.len().to_string());
                    ordered.push(PRICE_PLACEHOLDER);
                    self.prices.push(MissingPrice { key, offer });
                }
            }
        }
        ordered.push('}');
        self.text.truncate(written.base);
        self.text.push_str(&ordered);
        self.spare = ordered;
        Some(())
    }

    /// Replaces the placeholders by prices, each given as the JSON of its offer.
    pub fn with_prices(self, offers: &HashMap<OfferKey, Option<String>>) -> Option<String> {
        let mut whole = ResponseWriter::default();
        for (index, part) in self.text.split(PRICE_PLACEHOLDER).enumerate() {
            if index % 2 == 0 {
                whole.text.push_str(part);
                continue;
            }
            let price = self.prices.get(part.parse::<usize>().ok()?)?;
            match offers.get(&price.key).and_then(Option::as_deref) {
                Some(offer) => whole.object(&mut Cursor::of(offer), price.offer, price.key.locale)?,
                None => whole.text.push_str("null"),
            }
        }
        Some(whole.text)
    }
}

/// The component name of a block, which is among its first fields.
fn component(mut cursor: Cursor<'_>) -> Option<&str> {
    cursor.take(b'{')?;
    let mut members = Members::until(b'}');
    while members.has_next(&mut cursor)? {
        let (name, value) = (cursor.name()?, cursor.value()?);
        if name == "componentName" {
            return json::plain_string(value);
        }
    }
    None
}

fn offer_key(written: &Written<'_>) -> Option<OfferKey> {
    let text = |value: Option<&str>| serde_json::from_str::<Option<String>>(value.unwrap_or("null")).ok();
    Some(OfferKey {
        campaign: text(written.campaign)??,
        coupon_code: text(written.coupon)?.unwrap_or_default(),
        locale: written.locale,
    })
}

/// The schema's `TWO_COLUMN` is stored as `twoColumn`.
fn is_same_name(stored: &str, name: &str) -> bool {
    let letters = |text: &'_ str| -> Vec<u8> {
        text.bytes()
            .filter(u8::is_ascii_alphanumeric)
            .map(|byte| byte.to_ascii_lowercase())
            .collect()
    };
    letters(stored) == letters(name)
}

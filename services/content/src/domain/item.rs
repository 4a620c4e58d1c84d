//! What is drafted and published as a unit: item and locale.

use std::fmt;
use std::str::FromStr;

use blocks::Locale;

use crate::domain::record::record_key::RecordKey;
use crate::domain::url_path::UrlPath;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    Page(UrlPath),
    /// Navigation and footer.
    Chrome,
    Record(RecordKey),
}

/// An item in one locale: the smallest thing that is published.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKey {
    pub item: Item,
    pub locale: Locale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not the name of an item")]
pub struct NotAnItem;

const PAGE: &str = "page:";
const CHROME: &str = "chrome";
const RECORD: &str = "record:";

impl Item {
    /// How tables name it; the reverse of `parse`.
    pub fn stored(&self) -> String {
        match self {
            Self::Page(path) => format!("{PAGE}{path}"),
            Self::Chrome => CHROME.to_owned(),
            Self::Record(key) => format!("{RECORD}{key}"),
        }
    }
}

impl FromStr for Item {
    type Err = NotAnItem;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == CHROME {
            return Ok(Self::Chrome);
        }
        if let Some(path) = text.strip_prefix(PAGE) {
            return path.parse().map(Self::Page).map_err(|_| NotAnItem);
        }
        let key = text.strip_prefix(RECORD).ok_or(NotAnItem)?;
        key.parse().map(Self::Record).map_err(|_| NotAnItem)
    }
}

impl ContentKey {
    pub fn page(url_path: UrlPath, locale: Locale) -> Self {
        Self {
            item: Item::Page(url_path),
            locale,
        }
    }

    pub fn chrome(locale: Locale) -> Self {
        Self {
            item: Item::Chrome,
            locale,
        }
    }

    pub fn record(key: RecordKey, locale: Locale) -> Self {
        Self {
            item: Item::Record(key),
            locale,
        }
    }
}

/// For people: `en /plans`.
impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.item {
            Item::Page(path) => write!(f, "{} {path}", self.locale),
            Item::Chrome => write!(f, "{} navigation and footer", self.locale),
            Item::Record(key) => write!(f, "{} {key}", self.locale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_reads_back() {
        for stored in ["page:/", "page:/plans", "chrome", "record:HeroComponent/home"] {
            assert_eq!(stored.parse::<Item>().unwrap().stored(), stored);
        }
        for stored in [
            "",
            "page:plans",
            "record:Hologram/a",
            "record:HeroComponent",
            "footer",
        ] {
            assert_eq!(stored.parse::<Item>(), Err(NotAnItem), "{stored}");
        }
    }

    #[test]
    fn people_read_the_locale_first() {
        let place = ContentKey::page("/plans".parse().unwrap(), Locale::Tr);
        assert_eq!(place.to_string(), "tr /plans");
        assert_eq!(
            ContentKey::chrome(Locale::En).to_string(),
            "en navigation and footer"
        );
    }
}

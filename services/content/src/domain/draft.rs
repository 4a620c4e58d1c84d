//! What an editor has so far, and what comes of it.

use blocks::Locale;
use serde::Serialize;
use serde_json::Value;

use super::chrome::{ChromeDraft, ReadyChrome};
use super::document::{ChromeDocument, ContentHash, PageDocument, block_value, to_section};
use super::fault::Fault;
use super::item::{Item, Place};
use super::page::{PageDraft, ReadyPage, keep, write};
use super::readable::today;
use super::record::{NamedRecordDraft, ReadyRecord};
use super::record_key::{RecordId, RecordKey, RecordKind};
use super::sections::{SectionDraft, give_ids};
use super::url_path::UrlPath;

#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    Page(Box<PageDraft>),
    Chrome(ChromeDraft),
    Record(NamedRecordDraft),
}

/// A draft that holds every rule, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Ready {
    Page(ReadyPage),
    Chrome(ReadyChrome),
    Record(ReadyRecord),
}

/// What is stored cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Unreadable(#[from] serde_json::Error);

impl Draft {
    /// Even a draft must say what it is a draft of.
    pub fn place(&self) -> Result<Place, Vec<Fault>> {
        let mut faults = Vec::new();
        let (locale, item) = match self {
            Self::Page(page) => {
                let path = keep(page.url_path.parse::<UrlPath>(), "urlPath", &mut faults);
                (&page.locale, path.map(Item::Page))
            }
            Self::Chrome(chrome) => (&chrome.locale, Some(Item::Chrome)),
            Self::Record(record) => {
                let kind = record.record.component_name.parse::<RecordKind>();
                let kind = keep(kind, "record", &mut faults);
                let id = keep(record.id.parse::<RecordId>(), "id", &mut faults);
                let key = kind.zip(id).map(|(kind, id)| RecordKey { kind, id });
                (&record.locale, key.map(Item::Record))
            }
        };
        let locale = keep(locale.parse::<Locale>(), "locale", &mut faults);
        match (item, locale) {
            (Some(item), Some(locale)) => Ok(Place { item, locale }),
            _ => Err(faults),
        }
    }

    /// Applies every rule and tells all faults at once.
    pub fn prepare(self) -> Result<Ready, Vec<Fault>> {
        match self {
            Self::Page(page) => page.prepare().map(Ready::Page),
            Self::Chrome(chrome) => chrome.prepare().map(Ready::Chrome),
            Self::Record(record) => record.prepare().map(Ready::Record),
        }
    }

    /// What would keep it from being published.
    pub fn faults(&self) -> Vec<Fault> {
        self.clone().prepare().err().unwrap_or_default()
    }

    /// The text it is kept as. Refused only when it has not even the form of a draft.
    pub fn into_body(self) -> Result<String, Vec<Fault>> {
        match self {
            Self::Page(page) => page.keep().and_then(|page| write(&page)),
            Self::Chrome(chrome) => chrome.keep().and_then(|chrome| write(&chrome)),
            Self::Record(record) => record.keep().and_then(|record| write(&record)),
        }
    }

    /// Reads what is kept as a draft, or what was published: it has the same form.
    pub fn read(place: &Place, body: &str) -> Result<Self, Unreadable> {
        Ok(match place.item {
            Item::Page(_) => Self::Page(Box::new(serde_json::from_str::<PageDocument>(body)?.into())),
            Item::Chrome => {
                let document: ChromeDocument = serde_json::from_str(body)?;
                Self::Chrome(ChromeDraft::from_document(place.locale, document))
            }
            Item::Record(_) => {
                let document: Value = serde_json::from_str(body)?;
                Self::Record(NamedRecordDraft::from_document(place.locale, &document))
            }
        })
    }
}

impl Ready {
    pub fn place(&self) -> Place {
        match self {
            Self::Page(page) => Place::page(page.url_path.clone(), page.locale),
            Self::Chrome(chrome) => Place::chrome(chrome.locale),
            Self::Record(record) => Place::record(record.key.clone(), record.locale),
        }
    }

    pub fn document(&self) -> &str {
        match self {
            Self::Page(page) => &page.document,
            Self::Chrome(chrome) => &chrome.document,
            Self::Record(record) => &record.document,
        }
    }

    pub fn content_hash(&self) -> ContentHash {
        match self {
            Self::Page(page) => page.content_hash,
            Self::Chrome(chrome) => chrome.content_hash,
            Self::Record(record) => record.content_hash,
        }
    }
}

/// What is compared when somebody asks what changed: what was left out counts as what it then is, so that a draft and
/// what was published of it are alike.
pub fn comparable(place: &Place, body: &str) -> Result<Value, Unreadable> {
    let mut value: Value = serde_json::from_str(body)?;
    match &place.item {
        Item::Page(_) => {
            if let Some(Value::Array(blocks)) = value.get_mut("sections") {
                let mut sections: Vec<SectionDraft> = blocks.iter().map(to_section).collect();
                give_ids(&mut sections);
                *blocks = sections.iter().map(complete_block).collect();
            }
        }
        Item::Record(_) => value = complete_block(&to_section(&value)),
        Item::Chrome => {
            complete::<blocks::Navigation>(value.get_mut("navigation"));
            complete::<blocks::Footer>(value.get_mut("footer"));
        }
    }
    Ok(value)
}

/// A block that cannot be read is compared as it stands.
fn complete_block(section: &SectionDraft) -> Value {
    let props = serde_json::from_str(&section.props).unwrap_or_default();
    let given = block_value(section, props);
    today(&given).unwrap_or(given)
}

fn complete<M: blocks::Model + Serialize>(record: Option<&mut Value>) {
    let Some(record) = record else { return };
    let parsed = blocks::parse_record::<M>(&record.to_string()).ok();
    if let Some(value) = parsed.and_then(|parsed| serde_json::to_value(parsed).ok()) {
        *record = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::seo::Seo;

    fn page(text: &str) -> Draft {
        Draft::Page(Box::new(PageDraft {
            url_path: "/plans".to_owned(),
            locale: "en".to_owned(),
            template: "Page".to_owned(),
            seo: Seo {
                title: "Plans".to_owned(),
                ..Seo::default()
            },
            sections: vec![SectionDraft {
                component_name: "Heading".to_owned(),
                props: format!(r#"{{"text":"{text}"}}"#),
                ..SectionDraft::default()
            }],
            ..PageDraft::default()
        }))
    }

    #[test]
    fn a_draft_is_kept_and_read_back() {
        let place = page("A").place().unwrap();
        let body = page("A").into_body().unwrap();
        assert_eq!(Draft::read(&place, &body).unwrap(), page("A"));
        assert_eq!(page("").faults()[0].field, "sections[0].text");
    }

    #[test]
    fn a_draft_is_alike_to_what_was_published_of_it() {
        let place = page("A").place().unwrap();
        let body = page("A").into_body().unwrap();
        let published = page("A").prepare().unwrap();
        let (kept, published) = (
            comparable(&place, &body),
            comparable(&place, published.document()),
        );
        assert_eq!(kept.unwrap(), published.unwrap());
    }

    #[test]
    fn a_draft_of_nothing_in_particular_is_refused() {
        let lost = Draft::Page(Box::default());
        let faults = lost.place().unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["urlPath", "locale"]);
    }
}

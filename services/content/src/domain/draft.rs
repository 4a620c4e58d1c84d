//! Drafts and their validation.

use blocks::Locale;
use serde::Serialize;
use serde_json::Value;

use crate::domain::chrome::{ChromeDraft, ValidatedChrome};
use crate::domain::document::{
    ChromeDocument, ContentHash, PageDocument, SectionDraft, block_value, to_section,
};
use crate::domain::item::{ContentKey, Item};
use crate::domain::page::sections::give_ids;
use crate::domain::page::{PageDraft, ValidatedPage, keep, write};
use crate::domain::readable::{Unreadable, today};
use crate::domain::record::record_key::{RecordId, RecordKey, RecordKind};
use crate::domain::record::{NamedRecordDraft, ValidatedRecord};
use crate::domain::url_path::UrlPath;
use crate::domain::validation_error::ValidationError;

#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    Page(Box<PageDraft>),
    Chrome(ChromeDraft),
    Record(NamedRecordDraft),
}

/// A draft that holds every rule, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub enum ValidatedDraft {
    Page(ValidatedPage),
    Chrome(ValidatedChrome),
    Record(ValidatedRecord),
}

impl Draft {
    /// Even a draft must say what it is a draft of.
    pub fn content_key(&self) -> Result<ContentKey, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let (locale, item) = match self {
            Self::Page(page) => {
                let path = keep(page.url_path.parse::<UrlPath>(), "urlPath", &mut errors);
                (&page.locale, path.map(Item::Page))
            }
            Self::Chrome(chrome) => (&chrome.locale, Some(Item::Chrome)),
            Self::Record(record) => {
                let kind = record.record.component_name.parse::<RecordKind>();
                let kind = keep(kind, "record", &mut errors);
                let id = keep(record.id.parse::<RecordId>(), "id", &mut errors);
                let key = kind.zip(id).map(|(kind, id)| RecordKey { kind, id });
                (&record.locale, key.map(Item::Record))
            }
        };
        let locale = keep(locale.parse::<Locale>(), "locale", &mut errors);
        match (item, locale) {
            (Some(item), Some(locale)) => Ok(ContentKey { item, locale }),
            _ => Err(errors),
        }
    }

    /// Applies every rule and returns all errors.
    pub fn prepare(self) -> Result<ValidatedDraft, Vec<ValidationError>> {
        match self {
            Self::Page(page) => page.prepare().map(ValidatedDraft::Page),
            Self::Chrome(chrome) => chrome.prepare().map(ValidatedDraft::Chrome),
            Self::Record(record) => record.prepare().map(ValidatedDraft::Record),
        }
    }

    /// What would keep it from being published.
    pub fn errors(&self) -> Vec<ValidationError> {
        self.clone().prepare().err().unwrap_or_default()
    }

    /// The stored text. Fails only for a malformed draft.
    pub fn into_body(self) -> Result<String, Vec<ValidationError>> {
        match self {
            Self::Page(page) => page.keep().and_then(|page| write(&page)),
            Self::Chrome(chrome) => chrome.keep().and_then(|chrome| write(&chrome)),
            Self::Record(record) => record.keep().and_then(|record| write(&record)),
        }
    }

    /// Reads a stored draft or publication; both have the same form.
    pub fn read(content_key: &ContentKey, body: &str) -> Result<Self, Unreadable> {
        Ok(match content_key.item {
            Item::Page(_) => Self::Page(Box::new(serde_json::from_str::<PageDocument>(body)?.into())),
            Item::Chrome => {
                let document: ChromeDocument = serde_json::from_str(body)?;
                Self::Chrome(ChromeDraft::from_document(content_key.locale, document))
            }
            Item::Record(_) => {
                let document: Value = serde_json::from_str(body)?;
                Self::Record(NamedRecordDraft::from_document(content_key.locale, &document))
            }
        })
    }
}

impl ValidatedDraft {
    pub fn content_key(&self) -> ContentKey {
        match self {
            Self::Page(page) => ContentKey::page(page.url_path.clone(), page.locale),
            Self::Chrome(chrome) => ContentKey::chrome(chrome.locale),
            Self::Record(record) => ContentKey::record(record.key.clone(), record.locale),
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

/// The form in which two versions are compared. Omitted fields have their default values, so that a draft equals its
/// published snapshot.
pub fn comparable(content_key: &ContentKey, body: &str) -> Result<Value, Unreadable> {
    let mut value: Value = serde_json::from_str(body)?;
    match &content_key.item {
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
        let content_key = page("A").content_key().unwrap();
        let body = page("A").into_body().unwrap();
        assert_eq!(Draft::read(&content_key, &body).unwrap(), page("A"));
        assert_eq!(page("").errors()[0].field, "sections[0].text");
    }

    #[test]
    fn a_draft_is_alike_to_what_was_published_of_it() {
        let content_key = page("A").content_key().unwrap();
        let body = page("A").into_body().unwrap();
        let published = page("A").prepare().unwrap();
        let (kept, published) = (
            comparable(&content_key, &body),
            comparable(&content_key, published.document()),
        );
        assert_eq!(kept.unwrap(), published.unwrap());
    }

    #[test]
    fn draft_without_content_key_is_rejected() {
        let lost = Draft::Page(Box::default());
        let errors = lost.content_key().unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["urlPath", "locale"]);
    }
}

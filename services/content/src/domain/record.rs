//! Records: shared content fetched by id, per locale.

pub(crate) mod record_key;

use blocks::{HeroComponent, Inspection, Locale, MeditationSamples, Model};
use kit::error::ErrorCode;
use serde_json::{Map, Value};

use crate::domain::chrome::RecordDraft;
use crate::domain::document::{ContentHash, SectionDraft, block_value, tagged, to_section, without_nulls};
use crate::domain::page::sections::{SiteLink, links_in_fields, render};
use crate::domain::page::{keep, write};
use crate::domain::record::record_key::{RecordId, RecordKey, RecordKind};
use crate::domain::validation_error::ValidationError;

const PLACE: &str = "record";

/// A record as it was handed in; its component name is the kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedRecordDraft {
    pub locale: String,
    pub id: String,
    pub record: RecordDraft,
}

/// A record that holds every rule, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedRecord {
    pub key: RecordKey,
    pub locale: Locale,
    /// Of meditation samples.
    pub category: Option<i32>,
    pub document: String,
    pub content_hash: ContentHash,
    pub links: Vec<SiteLink>,
}

struct Checked {
    props: Map<String, Value>,
    links: Vec<SiteLink>,
}

impl NamedRecordDraft {
    /// Applies every rule and returns all errors.
    pub fn prepare(self) -> Result<ValidatedRecord, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let locale = keep(self.locale.parse::<Locale>(), "locale", &mut errors);
        let id = keep(self.id.parse::<RecordId>(), "id", &mut errors);
        let kind = self.record.component_name.parse::<RecordKind>();
        let kind = keep(kind, PLACE, &mut errors);
        let checked = kind.map(|kind| check(kind, &self.record.props));
        let checked = checked.and_then(|checked| checked.map_err(|mut found| errors.append(&mut found)).ok());
        let (Some(locale), Some(id), Some(kind), Some(checked)) = (locale, id, kind, checked) else {
            return Err(errors);
        };
        let category = category_of(&checked.props);
        let section = SectionDraft {
            id: id.as_str().to_owned(),
            component_name: kind.name().to_owned(),
            props: String::new(),
        };
        let document = write(&tagged(block_value(&section, checked.props)))?;
        Ok(ValidatedRecord {
            key: RecordKey { kind, id },
            locale,
            category,
            content_hash: ContentHash::of(&document),
            document,
            links: checked.links,
        })
    }

    /// The stored draft; only its form is checked.
    pub fn keep(self) -> Result<Value, Vec<ValidationError>> {
        let props = serde_json::from_str(&self.record.props);
        let props = props.map_err(|error| {
            vec![ValidationError::new(
                PLACE,
                ErrorCode::Malformed,
                format!("must be a JSON object: {error}"),
            )]
        })?;
        let section = SectionDraft {
            id: self.id,
            component_name: self.record.component_name,
            props: String::new(),
        };
        Ok(block_value(&section, props))
    }

    pub fn from_document(locale: Locale, document: &Value) -> Self {
        let section = to_section(document);
        Self {
            locale: locale.code().to_owned(),
            id: section.id,
            record: RecordDraft {
                component_name: section.component_name,
                props: section.props,
            },
        }
    }
}

fn category_of(props: &Map<String, Value>) -> Option<i32> {
    let category = props.get("category")?.as_i64()?;
    i32::try_from(category).ok()
}

fn check(kind: RecordKind, props: &str) -> Result<Checked, Vec<ValidationError>> {
    match kind {
        RecordKind::HeroComponent => check_model::<HeroComponent>(props),
        RecordKind::MeditationSamples => check_model::<MeditationSamples>(props),
        RecordKind::B2bBookADemo | RecordKind::ScrollThrough => check_block(kind, props),
    }
}

fn check_model<M: Model>(props: &str) -> Result<Checked, Vec<ValidationError>> {
    let mut record: M =
        blocks::check_record(props).map_err(|errors| ValidationError::all_in_block(PLACE, &errors))?;
    let mut links = render(PLACE, |renderer| record.render(renderer));
    links.extend(links_in_fields(PLACE, Inspection::of(&record).links()));
    finish(serde_json::to_value(&record), links)
}

fn check_block(kind: RecordKind, props: &str) -> Result<Checked, Vec<ValidationError>> {
    let mut block =
        blocks::check(kind.name(), props).map_err(|errors| ValidationError::all_in_block(PLACE, &errors))?;
    let mut links = render(PLACE, |renderer| block.render(renderer));
    links.extend(links_in_fields(PLACE, block.links()));
    finish(block.to_props(), links)
}

fn finish(props: serde_json::Result<Value>, links: Vec<SiteLink>) -> Result<Checked, Vec<ValidationError>> {
    match props.map(without_nulls) {
        Ok(Value::Object(props)) => Ok(Checked { props, links }),
        _ => Err(vec![ValidationError::new(
            PLACE,
            ErrorCode::Malformed,
            "cannot be stored",
        )]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(kind: &str, props: &str) -> NamedRecordDraft {
        NamedRecordDraft {
            locale: "en".to_owned(),
            id: "home".to_owned(),
            record: RecordDraft {
                component_name: kind.to_owned(),
                props: props.to_owned(),
            },
        }
    }

    #[test]
    fn a_record_is_stored_as_blocks_are() {
        let hero = draft(
            "HeroComponent",
            r#"{"section": {"componentName": "Heading", "text": "Breathe"}}"#,
        );
        let ready = hero.prepare().unwrap();
        let stored: Value = serde_json::from_str(&ready.document).unwrap();
        assert_eq!(stored["__typename"], "HeroComponent");
        assert_eq!(stored["section"]["__typename"], "Heading");
        let again = NamedRecordDraft::from_document(Locale::En, &stored)
            .prepare()
            .unwrap();
        assert_eq!(again, ready);
    }

    #[test]
    fn samples_know_their_category() {
        let ready = draft(
            "MeditationSamples",
            r#"{"category": 101, "items": [{"title": "Rain"}]}"#,
        );
        assert_eq!(ready.prepare().unwrap().category, Some(101));
    }

    #[test]
    fn all_errors_of_a_record_are_returned_at_once() {
        let wrong = NamedRecordDraft {
            locale: "xx".to_owned(),
            id: "a b".to_owned(),
            ..draft("HeroComponent", "{}")
        };
        let errors = wrong.prepare().unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields[..2], ["locale", "id"]);
        assert!(fields[2].starts_with("record"), "{fields:?}");
        assert_eq!(draft("Hologram", "{}").prepare().unwrap_err()[0].field, "record");
    }
}

//! Navigation and footer of a locale.

use blocks::{Footer, Inspection, Locale, Model, Navigation};
use kit::error::ErrorCode;
use serde_json::value::RawValue;

use crate::domain::document::{ChromeDocument, ContentHash, without_nulls};
use crate::domain::page::sections::{SiteLink, links_in_fields, render};
use crate::domain::page::{keep, write};
use crate::domain::validation_error::ValidationError;

/// A locale's chrome as it was handed in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChromeDraft {
    pub locale: String,
    pub navigation: RecordDraft,
    pub footer: RecordDraft,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordDraft {
    /// May be empty: which record it is follows from where it stands.
    pub component_name: String,
    pub props: String,
}

/// Chrome that holds every rule, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedChrome {
    pub locale: Locale,
    pub document: String,
    pub content_hash: ContentHash,
    pub links: Vec<SiteLink>,
}

impl ChromeDraft {
    /// Applies every rule and returns all errors.
    pub fn prepare(self) -> Result<ValidatedChrome, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let mut links = Vec::new();
        let locale = keep(self.locale.parse::<Locale>(), "locale", &mut errors);
        let navigation = prepare_record::<Navigation>(&self.navigation, "navigation", &mut links);
        let footer = prepare_record::<Footer>(&self.footer, "footer", &mut links);
        let navigation = navigation.map_err(|mut found| errors.append(&mut found)).ok();
        let footer = footer.map_err(|mut found| errors.append(&mut found)).ok();

        let (Some(locale), Some(navigation), Some(footer)) = (locale, navigation, footer) else {
            return Err(errors);
        };
        let document = write(&ChromeDocument { navigation, footer })?;
        let content_hash = ContentHash::of(&document);
        Ok(ValidatedChrome {
            locale,
            document,
            content_hash,
            links,
        })
    }

    /// The stored draft; only its form is checked.
    pub fn keep(self) -> Result<ChromeDocument, Vec<ValidationError>> {
        let read = |record: RecordDraft, place: &str| {
            RawValue::from_string(record.props)
                .ok()
                .filter(|raw| raw.get().trim_start().starts_with('{'))
                .ok_or_else(|| {
                    vec![ValidationError::new(
                        place,
                        ErrorCode::Malformed,
                        "must be a JSON object",
                    )]
                })
        };
        let (navigation, footer) = (read(self.navigation, "navigation"), read(self.footer, "footer"));
        match (navigation, footer) {
            (Ok(navigation), Ok(footer)) => Ok(ChromeDocument { navigation, footer }),
            (navigation, footer) => {
                let errors = [navigation.err(), footer.err()];
                Err(errors.into_iter().flatten().flatten().collect())
            }
        }
    }

    pub fn from_document(locale: Locale, document: ChromeDocument) -> Self {
        let record = |props: Box<RawValue>| RecordDraft {
            component_name: String::new(),
            props: Box::<str>::from(props).into(),
        };
        Self {
            locale: locale.code().to_owned(),
            navigation: record(document.navigation),
            footer: record(document.footer),
        }
    }
}

fn prepare_record<M: Model>(
    draft: &RecordDraft,
    place: &str,
    links: &mut Vec<SiteLink>,
) -> Result<Box<RawValue>, Vec<ValidationError>> {
    if !draft.component_name.is_empty() && draft.component_name != M::NAME {
        return Err(vec![ValidationError::not_allowed(
            place,
            format!("must be a {}", M::NAME),
        )]);
    }
    let mut record: M =
        blocks::check_record(&draft.props).map_err(|errors| ValidationError::all_in_block(place, &errors))?;
    links.extend(render(place, |renderer| record.render(renderer)));
    links.extend(links_in_fields(place, Inspection::of(&record).links()));
    let props = serde_json::to_value(&record).map(without_nulls);
    let raw = props.and_then(|props| serde_json::value::to_raw_value(&props));
    raw.map_err(|error| {
        vec![ValidationError::new(
            place,
            ErrorCode::Malformed,
            format!("cannot be stored: {error}"),
        )]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGO: &str = r#"{"logo": {"url": "/favicon.svg", "alt": "Stillpoint"}}"#;

    fn draft(navigation: &str, footer: &str) -> ChromeDraft {
        let record = |props: &str| RecordDraft {
            component_name: String::new(),
            props: props.to_owned(),
        };
        ChromeDraft {
            locale: "en".to_owned(),
            navigation: record(navigation),
            footer: record(footer),
        }
    }

    #[test]
    fn errors_of_both_records_are_returned_at_once() {
        let errors = draft("{}", "[]").prepare().unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["navigation.logo.url", "navigation.logo.alt", "footer"]);
    }

    #[test]
    fn one_record_in_place_of_the_other_is_refused() {
        let mut swapped = draft(LOGO, LOGO);
        swapped.footer.component_name = "Navigation".to_owned();
        assert_eq!(swapped.prepare().unwrap_err()[0].field, "footer");
    }

    #[test]
    fn good_chrome_is_ready() {
        let ready = draft(LOGO, LOGO).prepare().unwrap();
        let document: ChromeDocument = serde_json::from_str(&ready.document).unwrap();
        assert!(document.navigation.get().contains("/favicon.svg"));
    }
}

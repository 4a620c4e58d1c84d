//! The list of records, which are content outside of pages, and their lookup by name.

use schemars::Schema;
use serde_json::Value;

use crate::error::{BlockError, BlockErrorCode};
use crate::inspection::Inspection;
use crate::inspection::findings::Findings;
use crate::kinds::business::b2b_book_a_demo::B2bBookADemo;
use crate::kinds::heroes::hero_component::HeroComponent;
use crate::kinds::layout::scroll_through::ScrollThrough;
use crate::kinds::media::meditation_samples::MeditationSamples;
use crate::model::{Model, check_record, record_schema};
use crate::renderer::Renderer;
use crate::site::footer::Footer;
use crate::site::navigation::Navigation;

/// Generates the code for each type of record.
macro_rules! records {
    ($($name:ident),+ $(,)?) => {
        /// Content that is queried by its name or id and is not part of a page.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Record {
            $($name(Box<$name>),)+
        }

        /// Every type of record.
        pub const RECORDS: &[&str] = &[$($name::NAME),+];

        impl Record {
            /// Validates a record before publication: rejects unknown fields, applies every rule, returns all errors at once.
            pub fn check(name: &str, json: &str) -> Result<Self, Vec<BlockError>> {
                match name {
                    $($name::NAME => check_record(json).map(Box::new).map(Self::$name),)+
                    unknown => Err(vec![unknown_record(unknown)]),
                }
            }

            /// The JSON Schema of a type of record, for editors.
            pub fn schema(name: &str) -> Option<Schema> {
                match name {
                    $($name::NAME => Some(record_schema::<$name>()),)+
                    _ => None,
                }
            }

            /// Fills the `…Html` fields from their source texts.
            pub fn render(&mut self, with: &Renderer<'_>) {
                let nested = match self {
                    $(Self::$name(record) => {
                        Model::render(record.as_mut(), with);
                        Model::nested_mut(record.as_mut())
                    })+
                };
                for block in nested {
                    block.render(with);
                }
            }

            /// All findings for the lint.
            pub fn findings(&self) -> Findings {
                match self {
                    $(Self::$name(record) => Inspection::of(record.as_ref()).findings(),)+
                }
            }

            /// The stored form: the record without its id.
            pub fn to_props(&self) -> Result<Value, serde_json::Error> {
                match self {
                    $(Self::$name(record) => serde_json::to_value(record),)+
                }
            }
        }
    };
}

records![
    B2bBookADemo,
    Footer,
    HeroComponent,
    MeditationSamples,
    Navigation,
    ScrollThrough,
];

fn unknown_record(name: &str) -> BlockError {
    BlockError {
        component: name.to_owned(),
        field: String::new(),
        code: BlockErrorCode::UnknownComponent,
        message: format!("is not a record; the known ones are {}", RECORDS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_may_hold_a_container_but_no_container_in_it_another() {
        let hero = |inner: &str| {
            format!(r#"{{"section": {{"componentName": "Hero", "title": "Hi", "sections": [{inner}]}}}}"#)
        };
        let tag = r#"{"componentName": "Tag", "text": "New"}"#;
        assert!(Record::check("HeroComponent", &hero(tag)).is_ok());
        let inner = format!(r#"{{"componentName": "SuccessHero", "sections": [{tag}]}}"#);
        let errors = Record::check("HeroComponent", &hero(&inner)).unwrap_err();
        assert_eq!(errors[0].field, "section.sections[0]");
    }

    #[test]
    fn a_block_that_is_no_record_is_named() {
        let error = Record::check("Tag", r#"{"text": "New"}"#).unwrap_err().remove(0);
        assert_eq!(error.code, BlockErrorCode::UnknownComponent);
    }

    #[test]
    fn texts_of_a_block_inside_a_record_are_rendered() {
        let json = r#"{"section": {"componentName": "MarkdownText", "markdown": "Hi"}}"#;
        let mut record = Record::check("HeroComponent", json).unwrap();
        record.render(&Renderer::plain(&|text| format!("<p>{text}</p>")));
        assert_eq!(record.to_props().unwrap()["section"]["html"], "<p>Hi</p>");
    }
}

//! Parses and validates a page.

pub(crate) mod markdown;
pub(crate) mod sections;

use blocks::{Locale, Template};
use kit::error::ErrorCode;
use serde::Serialize;

use crate::domain::document::{ContentHash, PageDocument, SectionDraft, block_value, to_section};
use crate::domain::page::sections::{SiteLink, Strictness, prepare_sections};
use crate::domain::seo::{Seo, is_source};
use crate::domain::url_path::UrlPath;
use crate::domain::validation_error::ValidationError;

const LONGEST_DOCUMENT: usize = 1024 * 1024;
pub(in crate::domain) const LONGEST_NAME: usize = 64;

/// A page as it was handed in: nothing about it is known yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageDraft {
    pub url_path: String,
    pub locale: String,
    pub template: String,
    pub page_type: String,
    pub class_name: String,
    pub favicon: String,
    pub seo: Seo,
    pub sections: Vec<SectionDraft>,
}

/// A page that holds every rule, rendered and ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatedPage {
    pub url_path: UrlPath,
    pub locale: Locale,
    pub template: Template,
    pub page_type: String,
    pub noindex: bool,
    /// The page search engines are to show in place of this one.
    pub canonical_path: Option<UrlPath>,
    pub document: String,
    pub content_hash: ContentHash,
    /// The other pages of this site it leads to.
    pub links: Vec<SiteLink>,
}

/// A draft as its page would be, as far as it can be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePreview {
    pub template: Template,
    pub page_type: String,
    pub document: String,
    /// What keeps it from being published.
    pub errors: Vec<ValidationError>,
}

impl PageDraft {
    /// Applies every rule and returns all errors.
    pub fn prepare(self) -> Result<ValidatedPage, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let url_path = keep(self.url_path.parse::<UrlPath>(), "urlPath", &mut errors);
        let locale = keep(self.locale.parse::<Locale>(), "locale", &mut errors);
        let (document, template, links) = self.into_document(Strictness::Publish, &mut errors);
        let (Some(url_path), Some(locale), Some(template), true) =
            (url_path, locale, template, errors.is_empty())
        else {
            return Err(errors);
        };
        let (noindex, page_type) = (document.seo.noindex, document.page_type.clone());
        let canonical_path = document.seo.canonical_path.parse::<UrlPath>();
        let canonical_path = canonical_path.ok().filter(|canonical| *canonical != url_path);
        let document = write(&document)?;
        let content_hash = ContentHash::of(&document);
        Ok(ValidatedPage {
            url_path,
            locale,
            template,
            page_type,
            noindex,
            canonical_path,
            document,
            content_hash,
            links,
        })
    }

    /// Shows what is there, whatever is still missing.
    pub fn preview(self) -> Result<PagePreview, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let (mut document, template, _) = self.into_document(Strictness::Preview, &mut errors);
        let template = template.unwrap_or(Template::Page);
        template.name().clone_into(&mut document.template);
        Ok(PagePreview {
            template,
            page_type: document.page_type.clone(),
            document: write(&document)?,
            errors,
        })
    }

    /// The stored draft; only its form is checked.
    pub fn keep(self) -> Result<PageDocument, Vec<ValidationError>> {
        let mut errors = Vec::new();
        let mut sections = Vec::with_capacity(self.sections.len());
        for (index, section) in self.sections.iter().enumerate() {
            match serde_json::from_str(&section.props) {
                Ok(props) => sections.push(block_value(section, props)),
                Err(error) => errors.push(ValidationError::new(
                    format!("sections[{index}]"),
                    ErrorCode::Malformed,
                    format!("must be a JSON object: {error}"),
                )),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(PageDocument {
            sections,
            ..self.head()
        })
    }

    fn into_document(
        mut self,
        strictness: Strictness,
        errors: &mut Vec<ValidationError>,
    ) -> (PageDocument, Option<Template>, Vec<SiteLink>) {
        let template = keep(self.template.parse::<Template>(), "template", errors);
        self.check_names(errors);
        self.seo.check(errors);
        let drafts = std::mem::take(&mut self.sections);
        let (sections, links) = prepare_sections(drafts, strictness, errors);
        let document = PageDocument {
            sections,
            ..self.head()
        };
        (document, template, links)
    }

    fn head(self) -> PageDocument {
        PageDocument {
            url_path: self.url_path,
            content_locale: self.locale,
            template: self.template,
            page_type: self.page_type,
            class_name: self.class_name,
            favicon: self.favicon,
            seo: self.seo,
            sections: Vec::new(),
        }
    }

    fn check_names(&self, errors: &mut Vec<ValidationError>) {
        let is_name = |text: &str, also: fn(char) -> bool| {
            text.len() <= LONGEST_NAME
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c) || also(c))
        };
        if !is_name(&self.page_type, |_| false) {
            errors.push(ValidationError::not_allowed(
                "pageType",
                "must be letters, digits, - and _",
            ));
        }
        if !is_name(&self.class_name, |c| c == ' ') {
            errors.push(ValidationError::not_allowed(
                "className",
                "must be class names with spaces between them",
            ));
        }
        if !is_source(&self.favicon) {
            errors.push(ValidationError::not_allowed(
                "favicon",
                "must start with / or https://",
            ));
        }
    }
}

impl From<PageDocument> for PageDraft {
    fn from(document: PageDocument) -> Self {
        Self {
            url_path: document.url_path,
            locale: document.content_locale,
            template: document.template,
            page_type: document.page_type,
            class_name: document.class_name,
            favicon: document.favicon,
            seo: document.seo,
            sections: document.sections.iter().map(to_section).collect(),
        }
    }
}

pub(in crate::domain) fn write<D: Serialize>(document: &D) -> Result<String, Vec<ValidationError>> {
    let text = serde_json::to_string(document).map_err(|error| {
        vec![ValidationError::new(
            "",
            ErrorCode::Malformed,
            format!("cannot be stored: {error}"),
        )]
    })?;
    if text.len() > LONGEST_DOCUMENT {
        return Err(vec![ValidationError::new(
            "",
            ErrorCode::TooLong,
            format!("must be at most {LONGEST_DOCUMENT} bytes as a whole"),
        )]);
    }
    Ok(text)
}

pub(in crate::domain) fn keep<T, E: std::error::Error>(
    parsed: Result<T, E>,
    field: &str,
    errors: &mut Vec<ValidationError>,
) -> Option<T> {
    parsed
        .map_err(|error| errors.push(ValidationError::not_allowed(field, error.to_string())))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(component_name: &str, props: &str) -> SectionDraft {
        SectionDraft {
            id: String::new(),
            component_name: component_name.to_owned(),
            props: props.to_owned(),
        }
    }

    fn draft(sections: Vec<SectionDraft>) -> PageDraft {
        PageDraft {
            url_path: "/plans".to_owned(),
            locale: "en".to_owned(),
            template: "Page".to_owned(),
            page_type: "plans".to_owned(),
            seo: Seo {
                title: "Plans".to_owned(),
                ..Seo::default()
            },
            sections,
            ..PageDraft::default()
        }
    }

    #[test]
    fn all_errors_of_a_page_are_returned_at_once() {
        let page = PageDraft {
            url_path: "plans/".to_owned(),
            locale: "xx".to_owned(),
            template: "Poster".to_owned(),
            favicon: "//evil.example/a.ico".to_owned(),
            seo: Seo::default(),
            ..draft(vec![
                section("Hero", r#"{"buttons": [{"text": "Go"}]}"#),
                section("Hologram", "{}"),
            ])
        };
        let errors = page.prepare().unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "urlPath",
                "locale",
                "template",
                "favicon",
                "seo.title",
                "sections[0].title",
                "sections[0].buttons[0].url",
                "sections[1]"
            ]
        );
    }

    #[test]
    fn a_page_without_sections_is_refused() {
        assert_eq!(
            draft(Vec::new()).prepare().unwrap_err(),
            [ValidationError::required("sections")]
        );
    }

    #[test]
    fn the_hash_follows_the_content_and_nothing_else() {
        let page = |text: &str| {
            draft(vec![section("Heading", text)])
                .prepare()
                .unwrap()
                .content_hash
        };
        assert_eq!(page(r#"{"text": "A", "sub": null}"#), page(r#"{ "text":"A" }"#));
        assert_ne!(page(r#"{"text": "A"}"#), page(r#"{"text": "B"}"#));
    }

    #[test]
    fn a_page_too_large_to_be_served_is_refused() {
        let long = format!(r#"{{"markdown": "{}"}}"#, "a".repeat(45_000));
        let page = draft((0..30).map(|_| section("MarkdownText", &long)).collect());
        assert_eq!(page.prepare().unwrap_err()[0].code, ErrorCode::TooLong);
    }

    #[test]
    fn a_draft_that_is_kept_reads_back_with_all_its_errors() {
        let invalid = PageDraft {
            template: "Poster".to_owned(),
            ..draft(vec![section("Heading", r#"{"txt":7}"#)])
        };
        let kept = serde_json::to_string(&invalid.clone().keep().unwrap()).unwrap();
        let read: PageDocument = serde_json::from_str(&kept).unwrap();
        assert_eq!(PageDraft::from(read), invalid);
        let broken = draft(vec![section("Heading", "[1]")]);
        assert_eq!(broken.keep().unwrap_err()[0].field, "sections[0]");
    }

    #[test]
    fn what_is_published_can_be_edited_and_published_again_alike() {
        let text = section("MarkdownText", r#"{"markdown": "*Hi*"}"#);
        let first = draft(vec![text]).prepare().unwrap();
        let document: PageDocument = serde_json::from_str(&first.document).unwrap();
        assert_eq!(PageDraft::from(document).prepare().unwrap(), first);
    }

    #[test]
    fn a_preview_is_there_whatever_is_missing() {
        let unfinished = PageDraft {
            template: String::new(),
            seo: Seo::default(),
            ..draft(Vec::new())
        };
        let preview = unfinished.preview().unwrap();
        assert_eq!(preview.template, Template::Page);
        let fields: Vec<&str> = preview.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["template", "seo.title", "sections"]);
    }
}

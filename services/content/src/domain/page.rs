//! From what an editor hands in to a page that may be published, or to everything that is wrong with it.

use blocks::{Locale, Template};
use serde::{Deserialize, Serialize};

use super::document::{ContentHash, PageDocument};
use super::fault::Fault;
use super::sections::{SectionDraft, SiteLink, prepare_sections};
use super::url_path::UrlPath;

const LONGEST_DOCUMENT: usize = 1024 * 1024;
pub(super) const LONGEST_NAME: usize = 64;
const LONGEST_SEO_TEXT: usize = 500;

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

/// What search engines and link previews are told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Seo {
    pub title: String,
    pub description: String,
    pub noindex: bool,
    pub nofollow: bool,
    pub image_url: String,
}

/// A page that holds every rule, rendered and ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadyPage {
    pub url_path: UrlPath,
    pub locale: Locale,
    pub template: Template,
    pub page_type: String,
    pub noindex: bool,
    pub document: String,
    pub content_hash: ContentHash,
    /// The other pages of this site it leads to.
    pub links: Vec<SiteLink>,
}

impl PageDraft {
    /// Applies every rule and tells all faults at once.
    pub fn prepare(self) -> Result<ReadyPage, Vec<Fault>> {
        let mut faults = Vec::new();
        let url_path = keep(self.url_path.parse::<UrlPath>(), "urlPath", &mut faults);
        let locale = keep(self.locale.parse::<Locale>(), "locale", &mut faults);
        let template = keep(self.template.parse::<Template>(), "template", &mut faults);
        self.check_names(&mut faults);
        check_seo(&self.seo, &mut faults);
        let (sections, links) = prepare_sections(self.sections, &mut faults);

        let (Some(url_path), Some(locale), Some(template), true) =
            (url_path, locale, template, faults.is_empty())
        else {
            return Err(faults);
        };
        let document = PageDocument {
            template: template.to_string(),
            page_type: self.page_type.clone(),
            class_name: self.class_name,
            favicon: self.favicon,
            seo: self.seo,
            sections,
        };
        let noindex = document.seo.noindex;
        let document = write(&document)?;
        let content_hash = ContentHash::of(&document);
        Ok(ReadyPage {
            url_path,
            locale,
            template,
            page_type: self.page_type,
            noindex,
            document,
            content_hash,
            links,
        })
    }

    fn check_names(&self, faults: &mut Vec<Fault>) {
        let is_name = |text: &str, also: fn(char) -> bool| {
            text.len() <= LONGEST_NAME
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c) || also(c))
        };
        if !is_name(&self.page_type, |_| false) {
            faults.push(Fault::not_allowed("pageType", "must be letters, digits, - and _"));
        }
        if !is_name(&self.class_name, |c| c == ' ') {
            faults.push(Fault::not_allowed(
                "className",
                "must be class names with spaces between them",
            ));
        }
        if !is_source(&self.favicon) {
            faults.push(Fault::not_allowed("favicon", "must start with / or https://"));
        }
    }
}

pub(super) fn write<D: Serialize>(document: &D) -> Result<String, Vec<Fault>> {
    let text = serde_json::to_string(document)
        .map_err(|error| vec![Fault::new("", "MALFORMED", format!("cannot be stored: {error}"))])?;
    if text.len() > LONGEST_DOCUMENT {
        return Err(vec![Fault::new(
            "",
            "TOO_LONG",
            format!("must be at most {LONGEST_DOCUMENT} bytes as a whole"),
        )]);
    }
    Ok(text)
}

pub(super) fn keep<T, E: std::error::Error>(
    parsed: Result<T, E>,
    field: &str,
    faults: &mut Vec<Fault>,
) -> Option<T> {
    parsed
        .map_err(|error| faults.push(Fault::not_allowed(field, error.to_string())))
        .ok()
}

fn check_seo(seo: &Seo, faults: &mut Vec<Fault>) {
    if seo.title.trim().is_empty() {
        faults.push(Fault::required("seo.title"));
    }
    for (field, text) in [("seo.title", &seo.title), ("seo.description", &seo.description)] {
        if text.chars().count() > LONGEST_SEO_TEXT {
            faults.push(Fault::new(
                field,
                "TOO_LONG",
                format!("must be at most {LONGEST_SEO_TEXT} characters"),
            ));
        }
    }
    if !is_source(&seo.image_url) {
        faults.push(Fault::not_allowed(
            "seo.imageUrl",
            "must start with / or https://",
        ));
    }
}

fn is_source(url: &str) -> bool {
    url.is_empty() || url.starts_with("https://") || (url.starts_with('/') && !url.starts_with("//"))
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
    fn all_faults_of_a_page_are_told_at_once() {
        let page = PageDraft {
            url_path: "plans/".to_owned(),
            locale: "xx".to_owned(),
            template: "Poster".to_owned(),
            favicon: "//evil.example/a.ico".to_owned(),
            seo: Seo::default(),
            ..draft(vec![
                section("Hero", r#"{"buttons": [{"text": "Go"}]}"#),
                section("Carousel", "{}"),
            ])
        };
        let faults = page.prepare().unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
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
            [Fault::required("sections")]
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
        assert_eq!(page.prepare().unwrap_err()[0].code, "TOO_LONG");
    }
}

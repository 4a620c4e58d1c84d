//! Page, navigation and footer files.

use kit::error::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::finding::LintFinding;
use super::fix;
use super::tree::Node;
use crate::domain::{PageDraft, RecordDraft, SectionDraft, Seo, ValidationError};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PageFile {
    url_path: String,
    template: String,
    #[serde(default)]
    page_type: String,
    #[serde(default)]
    class_name: String,
    #[serde(default)]
    favicon: String,
    seo: Seo,
    sections: Vec<SectionFile>,
}

/// The fields of a block stand beside its `componentName`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SectionFile {
    #[serde(default)]
    id: String,
    component_name: String,
    #[serde(flatten)]
    props: Map<String, Value>,
}

/// Reads a page. The locale is the folder it lies in.
pub fn to_page(locale: &str, tree: &Node) -> Result<PageDraft, LintFinding> {
    let file: PageFile = serde_path_to_error::deserialize(tree.to_json()).map_err(|error| {
        let field = match error.path().to_string() {
            root if root == "." => String::new(),
            path => path,
        };
        let error = ValidationError::new(field, ErrorCode::Malformed, error.inner().to_string());
        fix::explain(&error, tree)
    })?;
    let section = |section: SectionFile| SectionDraft {
        id: section.id,
        component_name: section.component_name,
        props: Value::Object(section.props).to_string(),
    };
    Ok(PageDraft {
        url_path: file.url_path,
        locale: locale.to_owned(),
        template: file.template,
        page_type: file.page_type,
        class_name: file.class_name,
        favicon: file.favicon,
        seo: file.seo,
        sections: file.sections.into_iter().map(section).collect(),
    })
}

/// Reads a navigation, a footer, or a record that says what it is.
pub fn to_record(tree: &Node) -> RecordDraft {
    let mut tree = tree.clone();
    let component_name = tree.remove("componentName");
    let component_name = component_name.and_then(|entry| entry.value.text().map(str::to_owned));
    RecordDraft {
        component_name: component_name.unwrap_or_default(),
        props: tree.to_json().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    const PAGE: &str = "\
urlPath: /plans
template: Page
seo: { title: Plans, noindex: true }
sections:
  - componentName: Heading
    id: top
    text: Plans
  - componentName: MarkdownText
    markdown: |
      Two lines
      of text.
";

    fn page(text: &str) -> Result<PageDraft, String> {
        let tree = yaml::parse(&"en/plans.yaml".into(), text).unwrap();
        to_page("tr", &tree).map_err(|finding| finding.to_string())
    }

    #[test]
    fn a_file_becomes_a_page() {
        let page = page(PAGE).unwrap();
        assert_eq!(
            (page.url_path.as_str(), page.locale.as_str(), page.seo.noindex),
            ("/plans", "tr", true)
        );
        assert_eq!(
            (page.sections[0].id.as_str(), page.sections[0].props.as_str()),
            ("top", r#"{"text":"Plans"}"#)
        );
        assert_eq!(page.sections[1].props, r#"{"markdown":"Two lines\nof text.\n"}"#);
        assert!(page.prepare().is_ok());
    }

    #[test]
    fn an_error_says_where_it_is_and_what_to_do() {
        for (from, to, start, fix) in [
            (
                "noindex: true",
                "noindex: often",
                "en/plans.yaml:3: seo.noindex: ",
                "true or false",
            ),
            (
                "title: Plans",
                "title: 2026",
                "en/plans.yaml:3: seo.title: ",
                "quotes",
            ),
            ("template:", "layout:", "en/plans.yaml:2: layout: ", "take it out"),
            (
                "  - componentName: Heading\n    id",
                "  - id",
                "en/plans.yaml:5: sections[0]: ",
                "componentName",
            ),
        ] {
            let said = page(&PAGE.replace(from, to)).unwrap_err();
            assert!(said.starts_with(start) && said.contains(fix), "{said}");
        }
    }
}

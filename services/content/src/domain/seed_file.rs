//! A page, navigation or footer as an editor writes it: one YAML file.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::chrome::RecordDraft;
use super::fault::Fault;
use super::page::{PageDraft, Seo};
use super::sections::SectionDraft;

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

/// Reads a page file. The locale is the folder it lies in.
pub fn parse_page(locale: &str, yaml: &str) -> Result<PageDraft, Fault> {
    let file: PageFile = read(yaml)?;
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

/// Reads a navigation or footer file.
pub fn parse_record(yaml: &str) -> Result<RecordDraft, Fault> {
    let props: Map<String, Value> = read(yaml)?;
    Ok(RecordDraft {
        component_name: String::new(),
        props: Value::Object(props).to_string(),
    })
}

fn read<T: DeserializeOwned>(yaml: &str) -> Result<T, Fault> {
    let deserializer = serde_yaml_ng::Deserializer::from_str(yaml);
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let field = match error.path().to_string() {
            root if root == "." => String::new(),
            path => path,
        };
        Fault::new(field, "MALFORMED", error.inner().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "
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

    #[test]
    fn a_file_becomes_a_page() {
        let page = parse_page("tr", PAGE).unwrap();
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
    fn a_fault_says_where_it_is() {
        let fault = parse_page("en", &PAGE.replace("noindex: true", "noindex: often")).unwrap_err();
        assert!(
            fault.field.starts_with("seo") && fault.message.contains("line 4"),
            "{fault}"
        );
        let fault = parse_page("en", &PAGE.replace("template:", "layout:")).unwrap_err();
        assert!(fault.to_string().contains("layout"), "{fault}");
    }
}

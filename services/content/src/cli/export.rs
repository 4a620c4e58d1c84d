//! `content export`: writes published content as files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use super::report::counted;
use super::{CommandContext, Outcome, runtime};
use crate::domain::{ChromeDraft, ContentKey, Draft, Locale, NamedRecordDraft, PageDraft, RecordDraft};
use crate::flows::Flows;

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Where to write; made if it is not there. It must be empty: nothing of yours is written over.
    dir: PathBuf,
    /// Only this locale.
    #[arg(long)]
    locale: Option<String>,
}

pub fn run(args: &ExportArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let locale: Option<Locale> = args.locale.as_deref().map(str::parse).transpose()?;
    let shown = || args.dir.display().to_string();
    fs::create_dir_all(&args.dir).with_context(shown)?;
    if fs::read_dir(&args.dir).with_context(shown)?.next().is_some() {
        bail!("{} is not empty", args.dir.display());
    }
    let published = runtime()?.block_on(async { published(&context.flows().await?, locale).await })?;
    let files = files(published)?;
    for (name, content) in &files {
        write(&args.dir.join(name), content)?;
    }
    writeln!(context.out, "{} written", counted(files.len(), "file"))?;
    Ok(Outcome::Good)
}

async fn published(flows: &Flows, locale: Option<Locale>) -> anyhow::Result<Vec<(ContentKey, Draft)>> {
    let mut all: Vec<(ContentKey, Draft)> = Vec::new();
    loop {
        let more = flows
            .published(locale, all.last().map(|(content_key, _)| content_key))
            .await?;
        if more.is_empty() {
            return Ok(all);
        }
        all.extend(more);
    }
}

fn write(path: &Path, content: &Value) -> anyhow::Result<()> {
    let text = serde_yaml_ng::to_string(content)?;
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// The files by their names.
fn files(published: Vec<(ContentKey, Draft)>) -> anyhow::Result<BTreeMap<String, Value>> {
    let paths = published.iter().filter_map(|(_, draft)| match draft {
        Draft::Page(page) => Some(page.url_path.as_str()),
        Draft::Chrome(_) | Draft::Record(_) => None,
    });
    let stems = stems(paths);
    let mut files = BTreeMap::new();
    for (content_key, draft) in published {
        for (stem, content) in contents(draft, &stems)? {
            let name = format!("{}/{stem}.yaml", content_key.locale);
            if files.insert(name.clone(), content).is_some() {
                bail!("two records would both be {name}");
            }
        }
    }
    Ok(files)
}

/// A file name for each path, the same in every locale: `/programs/sleep` → `programs-sleep`.
fn stems<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeMap<String, String> {
    let mut stems: BTreeMap<String, String> = BTreeMap::new();
    let mut paths: Vec<&str> = paths.collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let plain = match path.trim_matches('/').replace('/', "-") {
            root if root.is_empty() => "home".to_owned(),
            chrome if ["navigation", "footer"].contains(&chrome.as_str()) => format!("{chrome}-page"),
            plain => plain,
        };
        let is_free = |stem: &String| !stems.values().any(|taken| taken.eq_ignore_ascii_case(stem));
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let stem = std::iter::once(plain.clone()).chain(numbered).find(is_free);
        stems.insert(path.to_owned(), stem.unwrap_or(plain));
    }
    stems
}

fn contents(draft: Draft, stems: &BTreeMap<String, String>) -> anyhow::Result<Vec<(String, Value)>> {
    match draft {
        Draft::Page(page) => {
            let stem = stems.get(&page.url_path).cloned().unwrap_or_default();
            Ok(vec![(stem, whole_page(*page)?)])
        }
        Draft::Chrome(ChromeDraft {
            navigation, footer, ..
        }) => Ok(vec![
            (
                "navigation".to_owned(),
                record(&RecordDraft {
                    component_name: String::new(),
                    ..navigation
                })?,
            ),
            (
                "footer".to_owned(),
                record(&RecordDraft {
                    component_name: String::new(),
                    ..footer
                })?,
            ),
        ]),
        Draft::Record(NamedRecordDraft {
            id, record: draft, ..
        }) => Ok(vec![(format!("records/{id}"), record(&draft)?)]),
    }
}

fn whole_page(page: PageDraft) -> anyhow::Result<Value> {
    let mut sections = Vec::with_capacity(page.sections.len());
    for section in page.sections {
        let mut fields = Map::new();
        fields.insert("componentName".to_owned(), Value::String(section.component_name));
        fields.insert("id".to_owned(), Value::String(section.id));
        fields.extend(fields_of(&section.props)?);
        sections.push(said(Value::Object(fields)));
    }
    let head = json!({
        "urlPath": page.url_path, "template": page.template, "pageType": page.page_type,
        "className": page.class_name, "favicon": page.favicon, "seo": page.seo,
    });
    let mut whole = said(head);
    if let Value::Object(fields) = &mut whole {
        fields.insert("sections".to_owned(), Value::Array(sections));
    }
    Ok(whole)
}

fn record(draft: &RecordDraft) -> anyhow::Result<Value> {
    let mut fields = Map::new();
    fields.insert(
        "componentName".to_owned(),
        Value::String(draft.component_name.clone()),
    );
    fields.extend(fields_of(&draft.props)?);
    Ok(said(Value::Object(fields)))
}

fn fields_of(props: &str) -> anyhow::Result<Map<String, Value>> {
    Ok(serde_json::from_str(props)?)
}

/// Only what an editor would write: not what is empty anyway, and not what is rendered from the text beside it.
fn said(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let rendered: Vec<String> = fields
                .keys()
                .filter(|name| is_rendered(name, &fields))
                .cloned()
                .collect();
            let kept = fields.into_iter().filter(|(name, _)| !rendered.contains(name));
            let kept = kept.map(|(name, value)| (name, said(value)));
            Value::Object(kept.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(said).collect()),
        other => other,
    }
}

fn is_rendered(name: &str, beside: &Map<String, Value>) -> bool {
    match name.strip_suffix("Html") {
        Some(source) => beside.contains_key(source),
        None => name == "html" && beside.contains_key("markdown"),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_file_and_no_two_share_one() {
        let stems = stems(["/", "/a/b", "/a-b", "/A-b", "/navigation", "/a/b"].into_iter());
        let names: Vec<(&str, &str)> = stems
            .iter()
            .map(|(path, stem)| (path.as_str(), stem.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("/", "home"),
                ("/A-b", "A-b"),
                ("/a-b", "a-b-2"),
                ("/a/b", "a-b-3"),
                ("/navigation", "navigation-page")
            ]
        );
    }

    #[test]
    fn what_follows_from_the_rest_is_not_written() {
        let page = json!({"title": "A", "noindex": false, "items": [], "info": "*B*", "infoHtml": "<em>B</em>", "count": 0});
        assert_eq!(said(page), json!({"title": "A", "info": "*B*", "count": 0}));
        assert_eq!(
            said(json!({"markdown": "A", "html": "<p>A</p>"})),
            json!({"markdown": "A"})
        );
    }
}

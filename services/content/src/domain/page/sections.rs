//! Blocks of a page: validation, rendering, stable ids.

use kit::error::ErrorCode;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use blocks::{Block, BlockError, BlockErrorCode, LinkFound, Renderer};
use serde_json::{Map, Value};

use crate::domain::document::{SectionDraft, block_value, tagged, without_nulls};
use crate::domain::page::{LONGEST_NAME, markdown};
use crate::domain::validation_error::ValidationError;

const MOST_SECTIONS: usize = 200;

/// A link to another page of this site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteLink {
    pub field: String,
    pub path: String,
}

/// What becomes of a block with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// It is an error of the page.
    Publish,
    /// The same, but as long as it is only incomplete it is shown.
    Preview,
}

/// The blocks as they are stored, and where they lead.
pub fn prepare_sections(
    mut drafts: Vec<SectionDraft>,
    strictness: Strictness,
    errors: &mut Vec<ValidationError>,
) -> (Vec<Value>, Vec<SiteLink>) {
    if drafts.is_empty() {
        errors.push(ValidationError::required("sections"));
    }
    if drafts.len() > MOST_SECTIONS {
        errors.push(ValidationError::new(
            "sections",
            ErrorCode::TooLong,
            format!("must be at most {MOST_SECTIONS}"),
        ));
        return (Vec::new(), Vec::new());
    }
    check_ids(&drafts, errors);
    give_ids(&mut drafts);
    let mut sections = Vec::with_capacity(drafts.len());
    let mut links = Vec::new();
    for (index, draft) in drafts.into_iter().enumerate() {
        let place = format!("sections[{index}]");
        let block = read_block(&draft, strictness, &place, errors);
        let props = block.and_then(|block| finish_block(block, &place, &mut links, errors));
        sections.extend(props.map(|props| tagged(block_value(&draft, props))));
    }
    (sections, links)
}

/// To those that have none.
pub fn give_ids(drafts: &mut [SectionDraft]) {
    let mut ids = Ids::avoiding(drafts);
    for draft in drafts {
        draft.id = ids.of(draft);
    }
}

fn read_block(
    draft: &SectionDraft,
    strictness: Strictness,
    place: &str,
    errors: &mut Vec<ValidationError>,
) -> Option<Block> {
    match blocks::check(&draft.component_name, &draft.props) {
        Ok(block) => Some(block),
        Err(found) => {
            errors.append(&mut ValidationError::all_in_block(place, &found));
            let can_be_shown = strictness == Strictness::Preview && found.iter().all(is_harmless);
            let parsed = can_be_shown.then(|| blocks::parse(&draft.component_name, &draft.props));
            parsed?.ok()
        }
    }
}

/// Something is missing or too much; nothing is there that readers must not get.
fn is_harmless(error: &BlockError) -> bool {
    matches!(
        error.code,
        BlockErrorCode::Required
            | BlockErrorCode::UnknownField
            | BlockErrorCode::TooLong
            | BlockErrorCode::Duplicate
    )
}

fn finish_block(
    mut block: Block,
    place: &str,
    links: &mut Vec<SiteLink>,
    errors: &mut Vec<ValidationError>,
) -> Option<Map<String, Value>> {
    links.extend(render(place, |renderer| block.render(renderer)));
    links.extend(links_in_fields(place, block.links()));
    if let Ok(Value::Object(props)) = block.to_props().map(without_nulls) {
        return Some(props);
    }
    errors.push(ValidationError::new(
        place,
        ErrorCode::Malformed,
        "cannot be stored",
    ));
    None
}

/// Renders sections and returns their links into the site.
pub fn render(place: &str, work: impl FnOnce(&Renderer<'_>)) -> Vec<SiteLink> {
    let paths = RefCell::new(Vec::new());
    let note = |html: String| {
        paths.borrow_mut().extend(markdown::site_paths(&html));
        html
    };
    let markdown = |text: &str| note(markdown::to_html(text));
    let html = |text: &str| note(markdown::sanitised(text));
    work(&Renderer {
        markdown: &markdown,
        html: &html,
    });
    let paths = paths.into_inner().into_iter();
    paths
        .map(|path| SiteLink {
            field: place.to_owned(),
            path,
        })
        .collect()
}

pub fn links_in_fields(place: &str, found: Vec<LinkFound>) -> impl Iterator<Item = SiteLink> {
    found.into_iter().map(move |link| SiteLink {
        field: format!("{place}.{}", link.field),
        path: link.path,
    })
}

fn check_ids(drafts: &[SectionDraft], errors: &mut Vec<ValidationError>) {
    let mut seen = HashSet::new();
    for (index, draft) in drafts
        .iter()
        .enumerate()
        .filter(|(_, draft)| !draft.id.is_empty())
    {
        let field = || format!("sections[{index}].id");
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if draft.id.len() > LONGEST_NAME || !draft.id.chars().all(allowed) {
            errors.push(ValidationError::not_allowed(
                field(),
                "must be letters, digits, - and _",
            ));
        }
        if !seen.insert(&draft.id) {
            errors.push(ValidationError::new(
                field(),
                ErrorCode::Duplicate,
                "another section has this id",
            ));
        }
    }
}

/// Gives ids to blocks that have none: `hero-1`, `heading-2`. Putting a block of another kind in front changes none.
struct Ids {
    taken: HashSet<String>,
    counts: HashMap<String, usize>,
}

impl Ids {
    fn avoiding(drafts: &[SectionDraft]) -> Self {
        Self {
            taken: drafts.iter().map(|draft| draft.id.clone()).collect(),
            counts: HashMap::new(),
        }
    }

    fn of(&mut self, draft: &SectionDraft) -> String {
        if !draft.id.is_empty() {
            return draft.id.clone();
        }
        let kind = kebab(&draft.component_name);
        let count = self.counts.entry(kind.clone()).or_default();
        loop {
            *count += 1;
            let id = format!("{kind}-{count}");
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn kebab(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for (index, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
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

    fn named(id: &str) -> SectionDraft {
        SectionDraft {
            id: id.to_owned(),
            ..section("Heading", r#"{"text": "A"}"#)
        }
    }

    fn prepare(drafts: Vec<SectionDraft>) -> (Vec<Value>, Vec<SiteLink>) {
        let mut errors = Vec::new();
        let prepared = prepare_sections(drafts, Strictness::Publish, &mut errors);
        assert_eq!(errors, []);
        prepared
    }

    fn ids(drafts: Vec<SectionDraft>) -> Vec<String> {
        let sections = prepare(drafts).0;
        let id = |block: &Value| block["id"].as_str().unwrap().to_owned();
        sections.iter().map(id).collect()
    }

    #[test]
    fn blocks_without_an_id_get_one_that_lasts() {
        let heading = || section("Heading", r#"{"text": "Plans"}"#);
        assert_eq!(ids(vec![heading(), heading()]), ["heading-1", "heading-2"]);
        let text = section("MarkdownText", r#"{"markdown": "Hi"}"#);
        assert_eq!(
            ids(vec![text, heading(), heading()]),
            ["markdown-text-1", "heading-1", "heading-2"]
        );
        assert_eq!(
            ids(vec![heading(), named("heading-1")]),
            ["heading-2", "heading-1"]
        );
    }

    #[test]
    fn two_blocks_with_one_id_or_an_odd_one_are_refused() {
        let mut errors = Vec::new();
        let drafts = vec![named("top"), named("top"), named("a b")];
        prepare_sections(drafts, Strictness::Publish, &mut errors);
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["sections[1].id", "sections[2].id"]);
    }

    #[test]
    fn markdown_is_rendered_and_made_safe() {
        let text = section(
            "MarkdownText",
            r#"{"markdown": "*Hi*<script>x</script>", "html": "<b>old</b>"}"#,
        );
        let block = prepare(vec![text]).0.remove(0);
        assert_eq!(block["html"], "<p><em>Hi</em></p>");
    }

    #[test]
    fn links_to_other_pages_are_known_in_fields_and_in_text() {
        let hero = section(
            "Hero",
            r#"{"title": "A", "buttons": [{"text": "Go", "url": "/signup"}]}"#,
        );
        let text = section(
            "MarkdownText",
            r#"{"markdown": "[In](/signin/?a=b) [out](https://a.example/)"}"#,
        );
        let link = |field: &str, path: &str| SiteLink {
            field: field.to_owned(),
            path: path.to_owned(),
        };
        let links = prepare(vec![hero, text]).1;
        assert_eq!(
            links,
            [
                link("sections[0].buttons[0].url", "/signup"),
                link("sections[1]", "/signin/")
            ]
        );
    }

    #[test]
    fn a_preview_shows_what_is_incomplete_and_leaves_out_what_is_dangerous_or_unknown() {
        let link = |url: &str| format!(r#"{{"title": "A", "buttons": [{{"text": "Go", "url": "{url}"}}]}}"#);
        let drafts = || {
            vec![
                section("Heading", "{}"),
                section("Hero", &link("javascript:alert(1)")),
                section("Hologram", "{}"),
                section("Hero", &link("/signup")),
            ]
        };
        let mut errors = Vec::new();
        let (shown, _) = prepare_sections(drafts(), Strictness::Preview, &mut errors);
        let names: Vec<&str> = shown
            .iter()
            .filter_map(|block| block["componentName"].as_str())
            .collect();
        assert_eq!(names, ["Heading", "Hero"]);
        let mut same = Vec::new();
        let (published, _) = prepare_sections(drafts(), Strictness::Publish, &mut same);
        assert_eq!((published.len(), same), (1, errors));
    }
}

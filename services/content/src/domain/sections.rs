//! The blocks of a page: checked, rendered, and each given an id that lasts.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use blocks::Block;
use serde_json::value::RawValue;

use super::document::{StoredBlock, to_raw};
use super::fault::Fault;
use super::markdown;
use super::page::LONGEST_NAME;

const MOST_SECTIONS: usize = 200;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SectionDraft {
    /// Empty: derived from the kind of block and how many of its kind stand before it.
    pub id: String,
    pub component_name: String,
    pub props: String,
}

/// A link to another page of this site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteLink {
    pub field: String,
    pub path: String,
}

/// The blocks as they are stored, and where they lead.
pub fn prepare_sections(
    drafts: Vec<SectionDraft>,
    faults: &mut Vec<Fault>,
) -> (Vec<StoredBlock>, Vec<SiteLink>) {
    if drafts.is_empty() {
        faults.push(Fault::required("sections"));
    }
    if drafts.len() > MOST_SECTIONS {
        faults.push(Fault::new(
            "sections",
            "TOO_LONG",
            format!("must be at most {MOST_SECTIONS}"),
        ));
        return (Vec::new(), Vec::new());
    }
    check_ids(&drafts, faults);
    let mut ids = Ids::avoiding(&drafts);
    let mut sections = Vec::with_capacity(drafts.len());
    let mut links = Vec::new();
    for (index, draft) in drafts.into_iter().enumerate() {
        let place = format!("sections[{index}]");
        let id = ids.of(&draft);
        match prepare_block(&draft, &place, &mut links) {
            Ok(props) => sections.push(StoredBlock {
                id,
                component_name: draft.component_name,
                props,
            }),
            Err(mut found) => faults.append(&mut found),
        }
    }
    (sections, links)
}

fn prepare_block(
    draft: &SectionDraft,
    place: &str,
    links: &mut Vec<SiteLink>,
) -> Result<Box<RawValue>, Vec<Fault>> {
    let mut block: Block = blocks::check(&draft.component_name, &draft.props)
        .map_err(|faults| Fault::all_in_block(place, &faults))?;
    let rendered = RefCell::new(Vec::new());
    block.render(&|text| {
        let html = markdown::to_html(text);
        rendered.borrow_mut().extend(markdown::site_paths(&html));
        html
    });
    links.extend(rendered.into_inner().into_iter().map(|path| SiteLink {
        field: place.to_owned(),
        path,
    }));
    let in_fields = block.links().into_iter();
    links.extend(in_fields.map(|link| SiteLink {
        field: format!("{place}.{}", link.field),
        path: link.path,
    }));
    let props = block.to_props().and_then(to_raw);
    props.map_err(|error| {
        vec![Fault::new(
            place,
            "MALFORMED",
            format!("cannot be stored: {error}"),
        )]
    })
}

fn check_ids(drafts: &[SectionDraft], faults: &mut Vec<Fault>) {
    let mut seen = HashSet::new();
    for (index, draft) in drafts
        .iter()
        .enumerate()
        .filter(|(_, draft)| !draft.id.is_empty())
    {
        let field = || format!("sections[{index}].id");
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if draft.id.len() > LONGEST_NAME || !draft.id.chars().all(allowed) {
            faults.push(Fault::not_allowed(field(), "must be letters, digits, - and _"));
        }
        if !seen.insert(&draft.id) {
            faults.push(Fault::new(field(), "DUPLICATE", "another section has this id"));
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

    fn prepare(drafts: Vec<SectionDraft>) -> (Vec<StoredBlock>, Vec<SiteLink>) {
        let mut faults = Vec::new();
        let prepared = prepare_sections(drafts, &mut faults);
        assert_eq!(faults, []);
        prepared
    }

    fn ids(drafts: Vec<SectionDraft>) -> Vec<String> {
        prepare(drafts).0.into_iter().map(|block| block.id).collect()
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
        let mut faults = Vec::new();
        prepare_sections(vec![named("top"), named("top"), named("a b")], &mut faults);
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["sections[1].id", "sections[2].id"]);
    }

    #[test]
    fn markdown_is_rendered_and_made_safe() {
        let text = section(
            "MarkdownText",
            r#"{"markdown": "*Hi*<script>x</script>", "html": "<b>old</b>"}"#,
        );
        let props = prepare(vec![text]).0.remove(0).props;
        assert!(props.get().contains(r#""html":"<p><em>Hi</em></p>""#), "{props}");
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
}

//! Dead links.

use super::site::{LintFile, Site};
use crate::domain::{PageDraft, SiteLink, ValidatedDraft};
use crate::seed_dir::{Data, LintFinding, Node};

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        let crumbs = file.page().map(crumbs).unwrap_or_default();
        for link in links(&file.file.validated).iter().chain(&crumbs) {
            if !site.has(file.locale, &link.path) {
                let finding = file.error(&link.field, "DEAD_LINK");
                let finding = finding.message(format!("{} is not a page of this directory", link.path));
                findings.push(finding.fix("link to a page that is there, or write that page."));
            }
        }
    }
    for (file, page) in site.pages() {
        anchors(file, page, findings);
    }
}

fn links(ready: &ValidatedDraft) -> &[SiteLink] {
    match ready {
        ValidatedDraft::Page(page) => &page.links,
        ValidatedDraft::Chrome(chrome) => &chrome.links,
        ValidatedDraft::Record(record) => &record.links,
    }
}

fn crumbs(page: &PageDraft) -> Vec<SiteLink> {
    let crumbs = page.seo.breadcrumbs.iter().enumerate();
    crumbs
        .filter(|(_, crumb)| crumb.url.starts_with('/'))
        .map(|(index, crumb)| SiteLink {
            field: format!("seo.breadcrumbs[{index}].url"),
            path: crumb.url.split(['?', '#']).next().unwrap_or_default().to_owned(),
        })
        .collect()
}

/// `#plans` must be the id of a part of the same page.
fn anchors(file: &LintFile<'_>, page: &PageDraft, findings: &mut Vec<LintFinding>) {
    let mut ids = Vec::new();
    collect_ids(&file.file.tree, &mut ids);
    for (field, text, _) in file.file.tree.texts() {
        for target in targets(&field, text, &page.url_path) {
            if !ids.contains(&target) {
                let finding = file.error(&field, "DEAD_ANCHOR");
                let finding = finding.message(format!("no part of this page has the id {target}"));
                findings.push(finding.fix("give the part it should lead to this `id`, or change the link."));
            }
        }
    }
}

/// The parts of its own page that a link, or links in Markdown, lead to.
fn targets<'a>(field: &str, text: &'a str, path: &str) -> Vec<&'a str> {
    let own = text
        .strip_prefix(path)
        .map_or(text, |rest| rest.trim_start_matches('/'));
    match own.strip_prefix('#') {
        Some(anchor) if is_link(field) => vec![anchor],
        _ if field.ends_with("scrollTargetId") => vec![text],
        _ => {
            let links = text.split("](#").skip(1);
            links.filter_map(|rest| rest.split(')').next()).collect()
        }
    }
}

fn is_link(field: &str) -> bool {
    ["url", "Url", "link", "Link"]
        .iter()
        .any(|end| field.ends_with(end))
}

fn collect_ids<'a>(node: &'a Node, ids: &mut Vec<&'a str>) {
    match &node.data {
        Data::List(items) => {
            for item in items {
                collect_ids(item, ids);
            }
        }
        Data::Map(entries) => {
            ids.extend(node.get("id").and_then(Node::text));
            for entry in entries {
                collect_ids(&entry.value, ids);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn links_into_the_own_page_are_known_in_fields_and_in_text() {
        assert_eq!(targets("sections[0].buttons[0].url", "#plans", "/a"), ["plans"]);
        assert_eq!(targets("sections[0].buttons[0].url", "/a#plans", "/a"), ["plans"]);
        assert_eq!(targets("sections[0].url", "/a/#plans", "/a"), ["plans"]);
        assert_eq!(
            targets("sections[0].markdown", "[a](#one) [b](#two) [c](/c#x)", "/a"),
            ["one", "two"]
        );
        assert_eq!(targets("sections[0].url", "/b#plans", "/a"), [""; 0]);
        assert_eq!(targets("sections[0].backgroundColor", "#ffffff", "/a"), [""; 0]);
    }
}

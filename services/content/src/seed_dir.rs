//! A directory of content: one folder per locale, one file per page, and in each folder `navigation.yaml` and
//! `footer.yaml`, and records in `records`. A translation may be an overlay over the English file of the same name. A section of a page
//! may take its fields from a record.

mod finding;
mod fix;
mod folder;
mod nearest;
mod overlay;
mod page_file;
mod shared;
mod tree;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use finding::{LintFinding, LintLocation};
use folder::FileText;
use overlay::TRANSLATION_OF;
use tree::Entry;
pub use tree::{Data, Node};

use crate::domain::{ChromeDraft, Draft, Locale, NamedRecordDraft, ValidatedDraft, ValidationError};

const NAVIGATION: &str = "navigation";
const FOOTER: &str = "footer";
const RECORDS: &str = "records";
const RECORD: &str = "record";
const ENGLISH: &str = "en";

/// What a directory holds: what may be published, and what is wrong.
#[derive(Debug, Default)]
pub struct SeedDir {
    pub files: Vec<SeedFile>,
    pub errors: Vec<LintFinding>,
    /// Every page that has a path and a locale, also the invalid ones, so that links to them are not dead.
    pub paths: BTreeMap<(Locale, String), LintLocation>,
    /// Every file without its ending: `en/home`.
    pub names: BTreeSet<String>,
}

#[derive(Debug)]
pub struct SeedFile {
    /// `en/home.yaml`; of a locale's chrome `en/navigation.yaml`.
    pub name: String,
    pub draft: Draft,
    pub validated: ValidatedDraft,
    /// What the file says, a translation laid over. Errors and links of chrome and records name their record first, so
    /// those stand one level down: `navigation`, `footer`, `record`.
    pub tree: Node,
}

/// A folder's files by their names without ending.
type Trees = BTreeMap<String, Node>;

impl SeedDir {
    /// Reads and checks every file, off the async threads.
    pub async fn read(dir: PathBuf) -> io::Result<Self> {
        tokio::task::spawn_blocking(move || Self::read_now(&dir))
            .await
            .map_err(io::Error::other)?
    }

    pub fn read_now(dir: &Path) -> io::Result<Self> {
        let mut found = Self::default();
        let mut folders = folder::folders(dir)?;
        let mut english = match folders.remove(ENGLISH) {
            Some(folder) => found.parse_folder(&folder, ENGLISH)?,
            None => Trees::new(),
        };
        for (locale, folder) in folders {
            let own = found.parse_folder(&folder, &locale)?;
            let mut laid = found.lay_over_english(own, &english);
            found.errors.extend(shared::fill(&mut laid, &english));
            found.take_folder(&locale, laid);
        }
        found.errors.extend(shared::fill(&mut english, &Trees::new()));
        found.take_folder(ENGLISH, english);
        found.files.sort_by(|one, other| one.name.cmp(&other.name));
        // An error of an English file shows again in each translation of it.
        found.errors.sort();
        found.errors.dedup();
        Ok(found)
    }

    fn parse_folder(&mut self, folder: &Path, locale: &str) -> io::Result<Trees> {
        let mut trees = self.parse_files(folder, locale)?;
        let records = folder.join(RECORDS);
        if records.is_dir() {
            let records = self.parse_files(&records, &format!("{locale}/{RECORDS}"))?;
            let inside = |(stem, tree)| (format!("{RECORDS}/{stem}"), tree);
            trees.extend(records.into_iter().map(inside));
        }
        Ok(trees)
    }

    fn parse_files(&mut self, folder: &Path, called: &str) -> io::Result<Trees> {
        let texts = folder::texts(folder, called)?;
        let names = texts.by_stem.keys().map(|stem| format!("{called}/{stem}"));
        self.names.extend(names);
        for name in texts.in_the_way {
            let error = LintFinding::error(LintLocation::top(&name), "", "DUPLICATE");
            let error = error.message("another file has the same name with another ending");
            self.errors.push(error.fix("keep one of the two."));
        }
        let parsed = texts.by_stem.into_iter().filter_map(|(stem, text)| {
            let tree = parse(&text).map_err(|error| self.errors.push(error)).ok()?;
            Some((stem, tree))
        });
        Ok(parsed.collect())
    }

    /// Translations become whole pages; pages in full stay as they are.
    fn lay_over_english(&mut self, own: Trees, english: &Trees) -> Trees {
        let mut laid = Trees::new();
        for (stem, mut tree) in own {
            let Some(mark) = tree.remove(TRANSLATION_OF) else {
                laid.insert(stem, tree);
                continue;
            };
            match (mark.value.text(), english.get(&stem)) {
                (Some(ENGLISH), Some(base)) => match overlay::merge_translation(base, &tree) {
                    Ok(whole) => {
                        laid.insert(stem, whole);
                    }
                    Err(mut errors) => self.errors.append(&mut errors),
                },
                (Some(ENGLISH), None) => {
                    let message = format!("there is no English {stem} that can be read");
                    let error = LintFinding::error(mark.at, TRANSLATION_OF, "OVERLAY_BASE").message(message);
                    self.errors.push(error.fix(format!(
                        "write en/{stem}.yaml, or the page in full here, without `translationOf`."
                    )));
                }
                _ => {
                    let error = LintFinding::error(mark.at, TRANSLATION_OF, "OVERLAY_BASE");
                    let error = error.message("can only be a translation of English");
                    self.errors.push(error.fix("write `translationOf: en`."));
                }
            }
        }
        laid
    }

    fn take_folder(&mut self, locale: &str, mut trees: Trees) {
        let navigation = trees.remove(NAVIGATION);
        let footer = trees.remove(FOOTER);
        self.take_chrome(locale, navigation, footer);
        for (stem, tree) in trees {
            match stem.strip_prefix(RECORDS).and_then(|stem| stem.strip_prefix('/')) {
                Some(id) => self.take_record(locale, id, tree),
                None => self.take_page(locale, tree),
            }
        }
    }

    fn take_page(&mut self, locale: &str, tree: Node) {
        if let (Ok(known), Some(path)) = (locale.parse(), tree.get("urlPath").and_then(Node::text)) {
            let spot = tree.locate("urlPath").clone();
            if let Some(first) = self.paths.get(&(known, path.to_owned())) {
                let message = format!("{path} is the page of {}", first.file);
                let error = LintFinding::error(spot, "urlPath", "DUPLICATE").message(message);
                self.errors.push(error.fix("give one of the two another path."));
                return;
            }
            self.paths.insert((known, path.to_owned()), spot);
        }
        match page_file::to_page(locale, &tree) {
            Ok(page) => self.take(Draft::Page(Box::new(page)), tree),
            Err(error) => self.errors.push(error),
        }
    }

    fn take_record(&mut self, locale: &str, id: &str, tree: Node) {
        let draft = Draft::Record(NamedRecordDraft {
            locale: locale.to_owned(),
            id: id.to_owned(),
            record: page_file::to_record(&tree),
        });
        self.take(draft, side_by_side(vec![(RECORD, tree)]));
    }

    /// A locale with one of the two needs both: readers get them together.
    fn take_chrome(&mut self, locale: &str, navigation: Option<Node>, footer: Option<Node>) {
        let missing = |stem: &str| {
            let name: Arc<str> = format!("{locale}/{stem}.yaml").into();
            let error = LintFinding::error(LintLocation::top(&name), "", "REQUIRED").message("is missing");
            error.fix(format!("write it; it may be a translation of en/{stem}.yaml."))
        };
        let (navigation, footer) = match (navigation, footer) {
            (Some(navigation), Some(footer)) => (navigation, footer),
            (navigation, footer) => {
                let both = [(navigation, NAVIGATION), (footer, FOOTER)];
                let lacking = both.into_iter().filter(|(tree, _)| tree.is_none());
                self.errors.extend(lacking.map(|(_, stem)| missing(stem)));
                return;
            }
        };
        let draft = Draft::Chrome(ChromeDraft {
            locale: locale.to_owned(),
            navigation: page_file::to_record(&navigation),
            footer: page_file::to_record(&footer),
        });
        let tree = side_by_side(vec![(NAVIGATION, navigation), (FOOTER, footer)]);
        self.take(draft, tree);
    }

    fn take(&mut self, draft: Draft, tree: Node) {
        match draft.clone().prepare() {
            Ok(ready) => self.files.push(SeedFile {
                name: tree.at.file.to_string(),
                draft,
                validated: ready,
                tree,
            }),
            Err(errors) => self.errors.extend(explain(&draft, &errors, &tree)),
        }
    }
}

fn parse(file: &FileText) -> Result<Node, LintFinding> {
    let tree = yaml::parse(&file.name, &file.text)?;
    fix::is_group(&tree)?;
    Ok(tree)
}

fn explain(draft: &Draft, errors: &[ValidationError], tree: &Node) -> Vec<LintFinding> {
    let explained = errors.iter().map(|error| fix::explain(error, tree));
    explained
        .map(|mut finding| {
            finding.field = in_its_file(draft, &finding.field).to_owned();
            finding
        })
        .collect()
}

/// The field as written in the file, which omits the name of the record.
pub fn in_its_file<'a>(draft: &Draft, field: &'a str) -> &'a str {
    match draft {
        Draft::Page(_) => field,
        Draft::Chrome(_) | Draft::Record(_) => field.split_once('.').map_or("", |(_, field)| field),
    }
}

fn side_by_side(records: Vec<(&str, Node)>) -> Node {
    let entries = records.into_iter().map(|(name, value)| Entry {
        name: name.to_owned(),
        at: value.at.clone(),
        value,
    });
    let entries: Vec<Entry> = entries.collect();
    let at = entries
        .first()
        .map_or_else(|| LintLocation::top(&"".into()), |entry| entry.at.clone());
    Node {
        at,
        data: Data::Map(entries),
    }
}

#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;

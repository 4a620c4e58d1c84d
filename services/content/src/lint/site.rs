//! A directory as input of the rules.

use std::collections::HashMap;

use blocks::{Findings, Footer, HeroComponent, Inspection, MeditationSamples, Model, Navigation};

use crate::domain::{Draft, Locale, PageDraft, RecordDraft};
use crate::seed_dir::{self, LintFinding, LintLocation, SeedDir, SeedFile};

/// The locales in which every page is written; the others have a menu and a footer and fall back to English.
pub const TRANSLATED: [Locale; 11] = [
    Locale::En,
    Locale::Tr,
    Locale::Es,
    Locale::De,
    Locale::Fr,
    Locale::Pt,
    Locale::Ru,
    Locale::Ja,
    Locale::Ar,
    Locale::It,
    Locale::Ko,
];

pub struct Site<'a> {
    pub dir: &'a SeedDir,
    pub files: Vec<LintFile<'a>>,
    /// Positions among the files.
    by_path: HashMap<(Locale, &'a str), usize>,
    english: HashMap<&'a str, usize>,
}

/// A file: a page, a locale's chrome or a record.
pub struct LintFile<'a> {
    pub file: &'a SeedFile,
    pub locale: Locale,
    /// The file's name without locale and ending: translations share it.
    pub stem: &'a str,
    pub sections: Vec<Section>,
}

/// A block or record, and what is found in it.
pub struct Section {
    /// `sections[2]`
    pub place: String,
    pub component: String,
    pub found: Findings,
}

impl<'a> Site<'a> {
    pub fn of(dir: &'a SeedDir) -> Self {
        let files = dir.files.iter().map(|file| LintFile {
            file,
            locale: file.validated.content_key().locale,
            stem: stem(&file.name),
            sections: sections(&file.draft),
        });
        let files: Vec<LintFile<'a>> = files.collect();
        let numbered = || files.iter().enumerate();
        let paths = numbered().filter_map(|(at, file)| {
            let path = file.page()?.url_path.as_str();
            Some(((file.locale, path), at))
        });
        let english = numbered().filter(|(_, file)| file.locale == Locale::default());
        Self {
            dir,
            by_path: paths.collect(),
            english: english.map(|(at, file)| (file.stem, at)).collect(),
            files,
        }
    }

    pub fn pages(&self) -> impl Iterator<Item = (&LintFile<'a>, &'a PageDraft)> {
        self.files
            .iter()
            .filter_map(|file| file.page().map(|page| (file, page)))
    }

    /// The English file that others of the same name translate.
    pub fn english(&self, stem: &str) -> Option<&LintFile<'a>> {
        self.english.get(stem).map(|at| &self.files[*at])
    }

    /// Whether a reader of a locale gets a page at this path: the locale's own, else the English one.
    pub fn has(&self, locale: Locale, path: &str) -> bool {
        [locale, Locale::default()].into_iter().any(|locale| {
            self.dir
                .paths
                .contains_key(&(locale, without_slash(path).to_owned()))
        })
    }

    /// The page a reader of a locale gets at this path.
    pub fn page(&self, locale: Locale, path: &str) -> Option<&LintFile<'a>> {
        let path = without_slash(path);
        let mut found = [locale, Locale::default()]
            .into_iter()
            .filter_map(|locale| self.by_path.get(&(locale, path)));
        found.next().map(|at| &self.files[*at])
    }
}

impl<'a> LintFile<'a> {
    pub fn page(&self) -> Option<&'a PageDraft> {
        match &self.file.draft {
            Draft::Page(page) => Some(page.as_ref()),
            Draft::Chrome(_) | Draft::Record(_) => None,
        }
    }

    /// Inherited fields are reported once, for the English file.
    pub fn error(&self, field: &str, code: &'static str) -> LintFinding {
        LintFinding::error(self.file.tree.locate(field).clone(), self.shown(field), code)
    }

    pub fn warning(&self, field: &str, code: &'static str) -> LintFinding {
        LintFinding::warning(self.file.tree.locate(field).clone(), self.shown(field), code)
    }

    /// Of what a translation lacks: the nearest line around it in the translation.
    pub fn own_warning(&self, field: &str, code: &'static str) -> LintFinding {
        let mut around = field;
        while !self.is_own(around) {
            let Some(end) = around.rfind(['.', '[']) else {
                return LintFinding::warning(
                    LintLocation::top(&self.file.name.as_str().into()),
                    self.shown(field),
                    code,
                );
            };
            around = &around[..end];
        }
        LintFinding::warning(self.file.tree.locate(around).clone(), self.shown(field), code)
    }

    /// Whether this file sets the field itself instead of inheriting it from the English file.
    pub fn is_own(&self, field: &str) -> bool {
        let locale = |name: &str| name.split('/').next().map(str::to_owned);
        locale(&self.file.tree.locate(field).file) == locale(&self.file.name)
    }

    fn shown<'f>(&self, field: &'f str) -> &'f str {
        seed_dir::in_its_file(&self.file.draft, field)
    }
}

impl Section {
    /// A field of the block as a field of its file.
    pub fn field(&self, field: &str) -> String {
        if field.is_empty() {
            self.place.clone()
        } else {
            format!("{}.{field}", self.place)
        }
    }
}

/// `/a/` and `/a` are one page.
fn without_slash(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}

/// `tr/records/a.yaml` → `records/a`.
fn stem(name: &str) -> &str {
    let file = name.split_once('/').map_or(name, |(_, file)| file);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn sections(draft: &Draft) -> Vec<Section> {
    match draft {
        Draft::Page(page) => {
            let sections = page.sections.iter().enumerate();
            let found = sections.filter_map(|(index, section)| {
                Some(Section {
                    place: format!("sections[{index}]"),
                    component: section.component_name.clone(),
                    found: in_block(&section.component_name, &section.props)?,
                })
            });
            found.collect()
        }
        Draft::Chrome(chrome) => {
            let navigation = record::<Navigation>("navigation", &chrome.navigation);
            let footer = record::<Footer>("footer", &chrome.footer);
            navigation.into_iter().chain(footer).collect()
        }
        Draft::Record(named) => of_record(&named.record).into_iter().collect(),
    }
}

fn of_record(draft: &RecordDraft) -> Option<Section> {
    const PLACE: &str = "record";
    match draft.component_name.as_str() {
        HeroComponent::NAME => record::<HeroComponent>(PLACE, draft),
        MeditationSamples::NAME => record::<MeditationSamples>(PLACE, draft),
        block => Some(Section {
            place: PLACE.to_owned(),
            component: block.to_owned(),
            found: in_block(block, &draft.props)?,
        }),
    }
}

fn record<M: Model>(place: &str, draft: &RecordDraft) -> Option<Section> {
    let record: M = blocks::parse_record(&draft.props).ok()?;
    Some(Section {
        place: place.to_owned(),
        component: M::NAME.to_owned(),
        found: Inspection::of(&record).findings(),
    })
}

fn in_block(component: &str, props: &str) -> Option<Findings> {
    blocks::parse(component, props).ok().map(|block| block.findings())
}

//! A directory of content: one folder per locale, one file per page, and in each folder `navigation.yaml` and
//! `footer.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{self, ChromeDraft, ContentHash, Fault, Locale, ReadyChrome, ReadyPage, SiteLink};

const NAVIGATION: &str = "navigation.yaml";
const FOOTER: &str = "footer.yaml";

/// What a directory holds: what may be published, and what is wrong.
#[derive(Debug, Default)]
pub struct SeedDir {
    pub files: Vec<SeedFile>,
    pub faults: Vec<FileFault>,
}

#[derive(Debug)]
pub struct SeedFile {
    /// `en/home.yaml`; of a locale's chrome `en/navigation.yaml`.
    pub name: String,
    pub seed: Seed,
}

#[derive(Debug)]
pub enum Seed {
    Page(ReadyPage),
    Chrome(ReadyChrome),
}

/// One thing wrong in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFault {
    pub name: String,
    pub fault: Fault,
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.fault)
    }
}

impl Seed {
    pub fn content_hash(&self) -> ContentHash {
        match self {
            Self::Page(page) => page.content_hash,
            Self::Chrome(chrome) => chrome.content_hash,
        }
    }

    fn links(&self) -> &[SiteLink] {
        match self {
            Self::Page(page) => &page.links,
            Self::Chrome(chrome) => &chrome.links,
        }
    }

    fn locale(&self) -> Locale {
        match self {
            Self::Page(page) => page.locale,
            Self::Chrome(chrome) => chrome.locale,
        }
    }
}

impl SeedDir {
    /// Reads and checks every file, off the async threads.
    pub async fn read(dir: PathBuf) -> io::Result<Self> {
        tokio::task::spawn_blocking(move || Self::read_now(&dir))
            .await
            .map_err(io::Error::other)?
    }

    pub fn read_now(dir: &Path) -> io::Result<Self> {
        let mut found = Self::default();
        for (locale, folder) in folders(dir)? {
            found.read_folder(&locale, &folder)?;
        }
        Ok(found)
    }

    /// Everything wrong with the directory: faults inside a file, and links between files that lead nowhere.
    pub fn check(&self) -> Vec<FileFault> {
        let mut faults = self.faults.clone();
        let pages: BTreeSet<(Locale, &str)> = self.pages().collect();
        for file in &self.files {
            let leads_nowhere = |link: &&SiteLink| {
                let there = |locale| pages.contains(&(locale, link.path.trim_end_matches('/')));
                link.path != "/" && !there(file.seed.locale()) && !there(Locale::default())
            };
            for link in file.seed.links().iter().filter(leads_nowhere) {
                let message = format!("{} is not a page of this directory", link.path);
                let fault = Fault::new(&link.field, "DEAD_LINK", message);
                faults.push(FileFault {
                    name: file.name.clone(),
                    fault,
                });
            }
        }
        faults
    }

    fn pages(&self) -> impl Iterator<Item = (Locale, &str)> {
        self.files.iter().filter_map(|file| match &file.seed {
            Seed::Page(page) => Some((page.locale, page.url_path.as_str())),
            Seed::Chrome(_) => None,
        })
    }

    fn read_folder(&mut self, locale: &str, folder: &Path) -> io::Result<()> {
        let mut texts = yaml_files(folder)?;
        let navigation = texts.remove(NAVIGATION);
        let footer = texts.remove(FOOTER);
        self.read_chrome(locale, navigation.as_deref(), footer.as_deref());
        let mut names = BTreeMap::new();
        for (file, text) in &texts {
            let name = format!("{locale}/{file}");
            let read = domain::parse_page(locale, text)
                .map_err(|fault| vec![fault])
                .and_then(domain::PageDraft::prepare);
            match read {
                Ok(page) => match names.insert(page.url_path.clone(), name.clone()) {
                    None => self.files.push(SeedFile {
                        name,
                        seed: Seed::Page(page),
                    }),
                    Some(first) => {
                        let message = format!("{} is the page of {first}", page.url_path);
                        self.fail(&name, Fault::new("urlPath", "DUPLICATE", message));
                    }
                },
                Err(faults) => faults.into_iter().for_each(|fault| self.fail(&name, fault)),
            }
        }
        Ok(())
    }

    fn read_chrome(&mut self, locale: &str, navigation: Option<&str>, footer: Option<&str>) {
        let record = |text: Option<&str>, file: &str| {
            let missing = || Fault::new("", "REQUIRED", "is missing");
            let read = text.ok_or_else(missing).and_then(domain::parse_record);
            read.map_err(|fault| FileFault {
                name: format!("{locale}/{file}"),
                fault,
            })
        };
        let (navigation, footer) = match (record(navigation, NAVIGATION), record(footer, FOOTER)) {
            (Ok(navigation), Ok(footer)) => (navigation, footer),
            (navigation, footer) => {
                self.faults
                    .extend(navigation.err().into_iter().chain(footer.err()));
                return;
            }
        };
        match (ChromeDraft {
            locale: locale.to_owned(),
            navigation,
            footer,
        })
        .prepare()
        {
            Ok(chrome) => {
                let name = format!("{locale}/{NAVIGATION}");
                self.files.push(SeedFile {
                    name,
                    seed: Seed::Chrome(chrome),
                });
            }
            Err(faults) => faults.into_iter().for_each(|fault| {
                let file = if fault.field.starts_with("footer") {
                    FOOTER
                } else {
                    NAVIGATION
                };
                self.fail(&format!("{locale}/{file}"), fault);
            }),
        }
    }

    fn fail(&mut self, name: &str, fault: Fault) {
        self.faults.push(FileFault {
            name: name.to_owned(),
            fault,
        });
    }
}

/// The folders of a directory by name, in order.
fn folders(dir: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut folders = BTreeMap::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
        }
    }
    Ok(folders)
}

/// The texts of the YAML files of a folder by file name, in order.
fn yaml_files(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            texts.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHROME: &str = "logo: { url: /favicon.svg, alt: Stillpoint }\n";

    struct Dir(PathBuf);

    impl Dir {
        fn new(name: &str) -> Self {
            let dir =
                Self(std::env::temp_dir().join(format!("stillpoint-dir-{}-{name}", std::process::id())));
            for locale in ["en", "tr"] {
                fs::create_dir_all(dir.0.join(locale)).unwrap();
                dir.write(&format!("{locale}/{NAVIGATION}"), CHROME);
                dir.write(&format!("{locale}/{FOOTER}"), CHROME);
            }
            dir
        }

        fn write(&self, file: &str, text: &str) {
            fs::write(self.0.join(file), text).unwrap();
        }

        fn page(&self, file: &str, path: &str, markdown: &str) {
            let head = format!("urlPath: {path}\ntemplate: Page\nseo: {{ title: T }}\nsections:\n");
            self.write(
                file,
                &format!("{head}  - componentName: MarkdownText\n    markdown: \"{markdown}\"\n"),
            );
        }

        fn faults(&self) -> Vec<String> {
            SeedDir::read_now(&self.0)
                .unwrap()
                .check()
                .iter()
                .map(ToString::to_string)
                .collect()
        }
    }

    impl Drop for Dir {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_good_directory_has_a_seed_for_every_page_and_every_chrome() {
        let dir = Dir::new("good");
        dir.page("en/one.yaml", "/one", "Hello");
        dir.write("en/notes.txt", "not content");
        let read = SeedDir::read_now(&dir.0).unwrap();
        let names: Vec<&str> = read.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["en/navigation.yaml", "en/one.yaml", "tr/navigation.yaml"]);
        assert_eq!(read.check(), []);
    }

    #[test]
    fn every_fault_names_its_file() {
        let dir = Dir::new("faults");
        dir.page("en/one.yaml", "/one", "Hello");
        dir.page("en/two.yaml", "/one", "Hello");
        dir.page("tr/three.yaml", "/three", "");
        dir.write("tr/four.yaml", "urlPath: [");
        fs::remove_file(dir.0.join("tr/footer.yaml")).unwrap();
        dir.write("en/footer.yaml", "logo: { url: /favicon.svg }\n");
        fs::create_dir(dir.0.join("xx")).unwrap();
        let faults = dir.faults();
        let starts = [
            "en/footer.yaml: footer.logo.alt: ",
            "en/two.yaml: urlPath: /one is the page of en/one.yaml",
            "tr/footer.yaml: is missing",
            "tr/four.yaml: ",
            "tr/three.yaml: sections[0].markdown: ",
            "xx/navigation.yaml: is missing",
            "xx/footer.yaml: is missing",
        ];
        assert_eq!(faults.len(), starts.len(), "{faults:#?}");
        for (fault, start) in faults.iter().zip(starts) {
            assert!(fault.starts_with(start), "{fault} does not start with {start}");
        }
    }

    #[test]
    fn a_link_that_leads_nowhere_is_a_fault_and_one_to_the_english_page_is_none() {
        let dir = Dir::new("links");
        dir.page("en/one.yaml", "/one", "[home](/) [one](/one/)");
        dir.page("tr/two.yaml", "/two", "[one](/one) [nowhere](/nowhere?a=b)");
        assert_eq!(
            dir.faults(),
            ["tr/two.yaml: sections[0]: /nowhere is not a page of this directory"]
        );
    }
}

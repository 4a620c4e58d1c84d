//! The files of a content directory.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// A file's name within the directory (`en/home.yaml`) and its text.
#[derive(Clone, Debug)]
pub struct FileText {
    pub name: Arc<str>,
    pub text: String,
}

/// The folders of a directory by name, in order.
pub fn folders(dir: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut folders = BTreeMap::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
        }
    }
    Ok(folders)
}

/// The files of a folder.
#[derive(Debug, Default)]
pub struct Texts {
    /// By their names without ending, in order.
    pub by_stem: BTreeMap<String, FileText>,
    /// Those that differ from another only in their ending.
    pub in_the_way: Vec<Arc<str>>,
}

/// Reads the YAML and JSON files of a folder.
pub fn texts(folder: &Path, called: &str) -> io::Result<Texts> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut texts = Texts::default();
    for path in paths.into_iter().filter(|path| is_content(path)) {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let name: Arc<str> = format!("{called}/{}", part(path.file_name())).into();
        let stem = part(path.file_stem());
        if texts.by_stem.contains_key(&stem) {
            texts.in_the_way.push(name);
            continue;
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        texts.by_stem.insert(stem, FileText { name, text });
    }
    Ok(texts)
}

fn is_content(path: &Path) -> bool {
    let known = path
        .extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
    known && path.is_file()
}

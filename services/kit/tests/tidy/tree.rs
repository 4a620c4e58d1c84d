//! The workspace's files.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of generated or foreign files.
const GENERATED: [&str; 10] = [
    "target",
    "node_modules",
    "build",
    "dist",
    ".git",
    ".local",
    ".react-router",
    "gen",
    ".output",
    "audio",
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The services, without the shared crates `kit` and `blocks`.
pub fn services() -> Vec<PathBuf> {
    let all = folders(&root().join("services"));
    all.into_iter()
        .filter(|folder| !matches!(name(folder).as_str(), "kit" | "blocks"))
        .collect()
}

pub fn manifests() -> Vec<PathBuf> {
    let root = root();
    let mut crates = vec![root.join("proto"), root.join("gateway")];
    crates.extend(folders(&root.join("services")));
    crates.extend(folders(&root.join("deploy")));
    crates
        .into_iter()
        .map(|krate| krate.join("Cargo.toml"))
        .filter(|manifest| manifest.exists())
        .collect()
}

/// Sorted; empty if the folder does not exist.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    entries.sort();
    entries
}

pub fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder)
        .into_iter()
        .filter(|entry| entry.is_dir())
        .collect()
}

pub fn sources(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in entries(folder) {
        if entry.is_symlink() || GENERATED.contains(&name(&entry).as_str()) {
            continue;
        }
        if entry.is_dir() {
            found.extend(sources(&entry, extensions));
        } else if entry
            .extension()
            .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
        {
            found.push(entry);
        }
    }
    found
}

/// The Rust files of a crate without its unit tests.
pub fn product_sources(krate: &Path) -> Vec<PathBuf> {
    let mut files = sources(&krate.join("src"), &["rs"]);
    files.retain(|file| name(file) != "tests.rs");
    files
}

pub fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

pub fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

pub fn at(file: &Path, text: &str, offset: usize) -> String {
    let line = text[..offset].matches('\n').count() + 1;
    format!("{}:{line}", shown(file))
}

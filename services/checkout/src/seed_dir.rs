//! The folder campaigns are written in.

use std::path::Path;
use std::{fs, io};

use crate::domain::pricing::seed::SeedFile;

/// Every YAML file in it, by name.
pub fn read(folder: &Path) -> io::Result<Vec<SeedFile>> {
    let named =
        |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| named(folder, error))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| named(&path, error))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        files.push(SeedFile {
            name: name.to_string_lossy().into_owned(),
            text,
        });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

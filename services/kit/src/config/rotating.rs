//! Secrets that are replaced while the process runs.

use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use secrecy::{ExposeSecret, SecretString};

use super::secret_rule::SecretRule;
use super::{file_variable, secret_file};

/// A secret, or several while one replaces another. If it came from a file, the file is read again once it has changed; a file
/// that is missing, empty or weak is logged and the last good values stay. Cheap to clone.
#[derive(Clone)]
pub struct RotatingSecret {
    inner: Arc<Inner>,
}

struct Inner {
    /// `None`: the values never change.
    file: Option<SecretFile>,
    state: RwLock<State>,
}

struct SecretFile {
    variable: String,
    path: PathBuf,
    rule: SecretRule,
}

struct State {
    /// Of the file when it was last read. `None`: not read yet, or missing.
    version: Option<Version>,
    values: Arc<[SecretString]>,
}

/// Changes with the content, however the file is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    inode: u64,
    bytes: u64,
    modified_secs: i64,
    modified_nanos: i64,
}

impl RotatingSecret {
    /// Values that never change, comma separated.
    pub fn fixed(value: &SecretString) -> Self {
        Self::new(None, value)
    }

    /// `value` is the present content of the file.
    pub(super) fn from_file(name: &str, path: PathBuf, rule: SecretRule, value: &SecretString) -> Self {
        let variable = file_variable(name);
        Self::new(Some(SecretFile { variable, path, rule }), value)
    }

    fn new(file: Option<SecretFile>, value: &SecretString) -> Self {
        let state = State {
            version: None,
            values: split(value),
        };
        let inner = Inner {
            file,
            state: RwLock::new(state),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The present values: the first one signs, all of them are accepted. Never empty once the settings are checked.
    pub fn values(&self) -> Arc<[SecretString]> {
        let state = self.inner.state.read().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.inner.file else {
            return state.values.clone();
        };
        // Taken before the content: a change in between is seen by the next use.
        let version = Version::of(&file.path);
        if state.version == version {
            return state.values.clone();
        }
        drop(state);
        self.read_again(file, version)
    }

    /// The value to send to others, such as a provider's API key.
    pub fn first(&self) -> SecretString {
        self.values().first().cloned().unwrap_or_default()
    }

    fn read_again(&self, file: &SecretFile, version: Option<Version>) -> Arc<[SecretString]> {
        let mut state = self.inner.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.version != version {
            let variable = file.variable.as_str();
            match file.read() {
                Ok(values) => {
                    state.values = values;
                    tracing::info!(variable, "secret read");
                }
                Err(error) => tracing::warn!(variable, error, "secret not read; its last value stays"),
            }
            state.version = version;
        }
        state.values.clone()
    }
}

impl SecretFile {
    fn read(&self) -> Result<Arc<[SecretString]>, String> {
        let value = secret_file::read(&self.path).map_err(|error| error.to_string())?;
        if let Some(reason) = self.rule.violations(&value).into_iter().next() {
            return Err(reason);
        }
        let values = split(&value);
        if values.is_empty() {
            return Err("holds no secret".to_owned());
        }
        Ok(values)
    }
}

impl Version {
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self {
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified_secs: metadata.mtime(),
            modified_nanos: metadata.mtime_nsec(),
        })
    }
}

fn split(value: &SecretString) -> Arc<[SecretString]> {
    let parts = value.expose_secret().split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(SecretString::from)
        .collect()
}

impl fmt::Debug for RotatingSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RotatingSecret").finish_non_exhaustive()
    }
}

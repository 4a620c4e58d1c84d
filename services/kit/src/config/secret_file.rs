//! A file that holds a secret, as Kubernetes and Docker mount them.

use std::path::Path;
use std::{fs, io};

use secrecy::SecretString;

#[derive(Debug, thiserror::Error)]
pub(super) enum SecretFileError {
    #[error("`{path}` is not readable: {error}")]
    Unreadable { path: String, error: io::Error },
    #[error("`{path}` is empty")]
    Empty { path: String },
}

/// Without the newline at its end.
pub(super) fn read(path: &Path) -> Result<SecretString, SecretFileError> {
    let shown = || path.display().to_string();
    let text =
        fs::read_to_string(path).map_err(|error| SecretFileError::Unreadable { path: shown(), error })?;
    let secret = text.trim_end_matches(['\n', '\r']);
    if secret.is_empty() {
        return Err(SecretFileError::Empty { path: shown() });
    }
    Ok(SecretString::from(secret))
}

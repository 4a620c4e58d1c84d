//! The error of a command: one sentence with the cause and the remedy.

use std::{fmt, io, path::Path};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The sentence to print.
    Message(String),
    /// Ctrl-C, or another step failed first. Nothing is printed.
    Interrupted,
}

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self::Message(sentence.into())
    }

    /// A file or folder could not be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full, free some space and run this again".to_owned(),
            io::ErrorKind::PermissionDenied => {
                "permission denied, make it yours (chown) or run as its owner".to_owned()
            }
            _ => error.to_string(),
        };
        Self::Message(format!("Cannot use {}: {advice}.", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(sentence) => formatter.write_str(sentence),
            Self::Interrupted => formatter.write_str("Interrupted."),
        }
    }
}

/// The remedy for a known cause in a tool's output.
pub fn advice(output: &str) -> Option<&'static str> {
    const CAUSES: [(&[&str], &str); 5] = [
        (
            &["ENOSPC", "No space left on device", "Disk quota exceeded"],
            "the disk is full: free some space",
        ),
        (
            &["can only install packages when your package.json and package-lock.json"],
            "package-lock.json does not fit package.json: run npm install in that folder and commit the lock file",
        ),
        (
            &["EINTEGRITY", "DO NOT MATCH THE HASHES", "checksum for"],
            "what arrived is not what the lock file names: check for a proxy that alters downloads, then run this again",
        ),
        (
            &["EACCES", "EPERM", "Permission denied"],
            "a file is not writable: make the folder named in the log yours (chown)",
        ),
        (
            &[
                "EAI_AGAIN",
                "ENOTFOUND",
                "ECONNREFUSED",
                "ECONNRESET",
                "ETIMEDOUT",
                "Temporary failure in name resolution",
                "Failed to establish a new connection",
                "Could not resolve host",
                "Couldn't resolve host",
                "download of config.json failed",
                "Network is unreachable",
                "(from versions: none)",
            ],
            "the registry did not answer: check the network and proxy settings, then run this again",
        ),
    ];
    CAUSES
        .iter()
        .find(|(marks, _)| marks.iter().any(|stamp| output.contains(stamp)))
        .map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_named() {
        assert_eq!(
            advice("npm error code ENOSPC\nnpm error nospc"),
            Some("the disk is full: free some space")
        );
    }

    #[test]
    fn an_unreachable_registry_is_named() {
        assert!(
            advice("npm error code EAI_AGAIN").is_some_and(|text| text.starts_with("the registry did not"))
        );
    }

    #[test]
    fn an_altered_download_is_named() {
        let output = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.";
        assert!(advice(output).is_some_and(|text| text.contains("lock file")));
    }

    #[test]
    fn an_ordinary_compiler_error_speaks_for_itself() {
        assert_eq!(advice("error[E0308]: mismatched types"), None);
    }
}

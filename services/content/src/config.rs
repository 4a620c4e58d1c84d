//! What can be set from outside, beyond what every service shares.

use std::path::PathBuf;

use kit::config::{ConfigErrors, Env};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `CONTENT_SEED_DIR`: published at start, file by file where it changed. Unset: nothing is seeded.
    pub seed_dir: Option<PathBuf>,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        let seed_dir = reader.optional("CONTENT_SEED_DIR").map(PathBuf::from);
        if seed_dir.as_ref().is_some_and(|dir| !dir.is_dir()) {
            reader.fail("CONTENT_SEED_DIR", "is not a directory");
        }
        reader.done(Self { seed_dir })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_seeded_unless_asked_for() {
        let config = Config::read(&Env::from_pairs([("CONTENT_SEED_DIR", "")])).unwrap();
        assert_eq!(config.seed_dir, None);
    }

    #[test]
    fn a_seed_directory_that_is_not_there_is_an_error() {
        let errors = Config::read(&Env::from_pairs([("CONTENT_SEED_DIR", "/no/such/place")])).unwrap_err();
        assert!(errors.to_string().contains("CONTENT_SEED_DIR"), "{errors}");
    }
}

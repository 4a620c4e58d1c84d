//! The names of failed tests, for the summary: the end of a long output is all that some CI systems show.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::failure::Failure;

const SHOWN_MAX: usize = 6;
const LINE_WIDTH_MAX: usize = 180;

/// The file to which the reporters of vitest and Playwright write one line per failed test.
pub struct FailedTests {
    file: PathBuf,
}

impl FailedTests {
    /// Deletes the file of the previous run.
    pub fn prepare(folder: &Path) -> Result<Self, Failure> {
        let file = folder.join("failed-tests.txt");
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::file(&file, &error)),
            _ => Ok(Self { file }),
        }
    }

    pub fn add_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("FAILED_TESTS", &self.file)
    }

    /// The sentence, and below it the failed tests.
    pub fn failure(&self, sentence: &str) -> Failure {
        let written = fs::read_to_string(&self.file).unwrap_or_default();
        failure(sentence, written.lines())
    }
}

/// The sentence, and below it the first of the failed tests.
pub fn failure<'a>(sentence: &str, failed: impl IntoIterator<Item = &'a str>) -> Failure {
    let failed: Vec<_> = failed.into_iter().collect();
    let mut text = sentence.to_owned();
    for name in failed.iter().take(SHOWN_MAX) {
        let shown: String = name.chars().take(LINE_WIDTH_MAX).collect();
        let _ = write!(text, "\n- {shown}");
    }
    if let Some(more) = failed.len().checked_sub(SHOWN_MAX).filter(|more| *more > 0) {
        let _ = write!(text, "\n- and {more} more");
    }
    Failure::new(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_without_names_shows_only_its_sentence() {
        assert_eq!(failure("it failed", []).to_string(), "it failed");
    }

    #[test]
    fn failed_tests_are_named_and_the_rest_is_counted() {
        let names: Vec<String> = (0..8).map(|number| format!("test {number}")).collect();
        let text = failure("it failed", names.iter().map(String::as_str)).to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[..2], ["it failed", "- test 0"]);
        assert_eq!(lines[6..], ["- test 5", "- and 2 more"]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = failure("it failed", ["a".repeat(400).as_str()]).to_string();
        assert_eq!(text.lines().last().map(str::len), Some(2 + LINE_WIDTH_MAX));
    }
}

//! A finding: location, message, fix.

use std::fmt;
use std::sync::Arc;

/// A line of a file of the directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LintLocation {
    /// `en/home.yaml`
    pub file: Arc<str>,
    /// From 1.
    pub line: usize,
}

impl LintLocation {
    /// Of a file as a whole.
    pub fn top(file: &Arc<str>) -> Self {
        Self {
            file: Arc::clone(file),
            line: 1,
        }
    }
}

impl fmt::Display for LintLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Keeps its directory from being published.
    Error,
    Warning,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing to mend. Sorts as a reader goes through the files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LintFinding {
    pub location: LintLocation,
    pub severity: Severity,
    /// As `sections[2].plans[0].title`; empty when it is the whole file.
    pub field: String,
    /// Stable.
    pub code: &'static str,
    pub message: String,
    /// What to do about it: a sentence.
    pub fix: String,
}

impl LintFinding {
    pub fn error(spot: LintLocation, field: impl Into<String>, code: &'static str) -> Self {
        Self::new(Severity::Error, spot, field.into(), code)
    }

    pub fn warning(spot: LintLocation, field: impl Into<String>, code: &'static str) -> Self {
        Self::new(Severity::Warning, spot, field.into(), code)
    }

    fn new(severity: Severity, location: LintLocation, field: String, code: &'static str) -> Self {
        Self {
            location,
            severity,
            field,
            code,
            message: String::new(),
            fix: String::new(),
        }
    }

    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = fix.into();
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.location)?;
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "{}. Fix: {}", self.message, self.fix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_as_place_field_message_and_fix() {
        let place = LintLocation {
            file: "en/home.yaml".into(),
            line: 7,
        };
        let finding = LintFinding::error(place.clone(), "seo.title", "REQUIRED")
            .message("must not be empty")
            .fix("write a title.");
        assert_eq!(
            finding.to_string(),
            "en/home.yaml:7: seo.title: must not be empty. Fix: write a title."
        );
        let warning = LintFinding::warning(place, "", "UNTRANSLATED")
            .message("is missing")
            .fix("write it.");
        assert_eq!(
            warning.to_string(),
            "en/home.yaml:7: warning: is missing. Fix: write it."
        );
    }
}

//! Prints findings as text or JSON.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::json;

use crate::seed_dir::LintFinding;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
}

pub fn print(findings: &[LintFinding], files: usize, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => print_text(findings, files, out),
        Format::Json => print_json(findings, out),
    }
}

fn print_text(findings: &[LintFinding], files: usize, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        writeln!(out, "{finding}")?;
    }
    let errors = findings.iter().filter(|finding| finding.is_error()).count();
    match (errors, findings.len() - errors) {
        (0, 0) => writeln!(out, "{}, nothing wrong", counted(files, "file")),
        (errors, warnings) => writeln!(
            out,
            "{}, {}",
            counted(errors, "error"),
            counted(warnings, "warning")
        ),
    }
}

fn print_json(findings: &[LintFinding], out: &mut dyn Write) -> io::Result<()> {
    let one = |finding: &LintFinding| {
        json!({
            "severity": finding.severity.name(), "file": &*finding.location.file, "line": finding.location.line,
            "field": finding.field, "code": finding.code, "message": finding.message, "fix": finding.fix,
        })
    };
    let all: Vec<_> = findings.iter().map(one).collect();
    writeln!(out, "{:#}", serde_json::Value::Array(all))
}

pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

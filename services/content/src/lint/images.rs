//! Words for those who cannot see the pictures. That there are any is a rule of the blocks; here, that they say
//! something.

use super::site::Site;
use crate::seed_dir::LintFinding;

const ENDINGS: [&str; 7] = [".svg", ".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif"];

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        for section in &file.sections {
            for image in &section.found.images {
                let field = section.field(&image.field);
                let alt = format!("{field}.alt");
                if is_file_name(&image.alt) {
                    let finding = file.error(&alt, "ALT_IS_FILE").message("is the name of a file");
                    findings.push(finding.fix("say what the picture shows."));
                }
            }
            for text in &section.found.texts {
                if has_silent_picture(&text.text) {
                    let finding = file.error(&section.field(&text.field), "ALT_MISSING");
                    let finding = finding.message("has a picture without words");
                    findings
                        .push(finding.fix("write what it shows between the brackets: ![a quiet lake](…)."));
                }
            }
        }
    }
}

fn is_file_name(alt: &str) -> bool {
    let alt = alt.to_lowercase();
    !alt.contains(' ') && ENDINGS.iter().any(|ending| alt.ends_with(ending))
}

fn has_silent_picture(text: &str) -> bool {
    let mut pictures = text.split("![").skip(1);
    pictures.any(|rest| {
        rest.split_once(']')
            .is_some_and(|(alt, after)| alt.trim().is_empty() && after.starts_with('('))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_no_description() {
        assert!(is_file_name("Wave-01.SVG"));
        assert!(!is_file_name("Waves at dusk"));
    }

    #[test]
    fn a_picture_in_markdown_needs_words() {
        assert!(has_silent_picture("One ![]( /a.svg) two"));
        assert!(!has_silent_picture("One ![A lake](/a.svg) two [](b) !"));
    }
}

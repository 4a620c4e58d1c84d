//! Notes and filler text.

use super::site::Site;
use crate::seed_dir::LintFinding;

const FILLERS: [&str; 5] = ["lorem ipsum", "TODO", "FIXME", "XXX", "TBD"];

pub fn check(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        for (field, text, _) in file.file.tree.texts() {
            if let Some(filler) = filler(text) {
                let finding = file
                    .error(&field, "FILLER")
                    .message(format!("has “{filler}” in it"));
                findings.push(finding.fix("write the real text."));
            }
        }
    }
}

fn filler(text: &str) -> Option<&'static str> {
    let is_word = |filler: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| word == filler)
    };
    FILLERS.into_iter().find(|filler| match *filler {
        "lorem ipsum" => text.to_lowercase().contains(filler),
        word => is_word(word),
    })
}

#[cfg(test)]
mod tests {
    use super::filler;

    #[test]
    fn filler_is_found_and_words_that_only_look_like_it_are_not() {
        assert_eq!(filler("Lorem ipsum dolor"), Some("lorem ipsum"));
        assert_eq!(filler("TODO: ask Ada"), Some("TODO"));
        assert_eq!(filler("Todo está en calma"), None);
    }
}

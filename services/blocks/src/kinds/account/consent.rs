//! The text beside a required checkbox.

use crate::renderer::Renderer;

/// Value with which an editor hides the checkbox.
const HIDDEN: &str = "none";

/// The checkbox is shown only with text.
pub fn has_words(text: &str) -> bool {
    !text.trim().is_empty() && text.trim() != HIDDEN
}

/// The text as HTML; `None` if the checkbox is hidden.
pub fn rendered(text: Option<&str>, with: &Renderer<'_>) -> Option<String> {
    text.filter(|text| has_words(text)).map(with.markdown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_checkbox_has_no_words() {
        let to_html = |text: &str| format!("<p>{text}</p>");
        let with = Renderer::plain(&to_html);
        assert_eq!(
            rendered(Some("I agree."), &with).as_deref(),
            Some("<p>I agree.</p>")
        );
        assert_eq!(rendered(Some(" none "), &with), None);
        assert_eq!(rendered(Some(" "), &with), None);
        assert_eq!(rendered(None, &with), None);
    }
}

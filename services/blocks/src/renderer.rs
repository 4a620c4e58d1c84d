//! Rendering of texts to HTML. The content service provides both functions.

type ToHtml<'a> = &'a dyn Fn(&str) -> String;

/// Renders texts of editors to safe HTML.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    /// Renders Markdown.
    pub markdown: ToHtml<'a>,
    /// Sanitises any HTML.
    pub html: ToHtml<'a>,
}

#[cfg(test)]
impl<'a> Renderer<'a> {
    /// Uses one function for Markdown and HTML.
    pub fn plain(to_html: ToHtml<'a>) -> Self {
        Self {
            markdown: to_html,
            html: to_html,
        }
    }
}

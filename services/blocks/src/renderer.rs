//! How the texts of a block become HTML. The content service brings both functions.

type ToHtml<'a> = &'a dyn Fn(&str) -> String;

/// Makes safe HTML of what editors write.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    /// Of Markdown.
    pub markdown: ToHtml<'a>,
    /// Of HTML that may hold anything.
    pub html: ToHtml<'a>,
}

#[cfg(test)]
impl<'a> Renderer<'a> {
    /// Treats Markdown and HTML alike.
    pub fn plain(to_html: ToHtml<'a>) -> Self {
        Self {
            markdown: to_html,
            html: to_html,
        }
    }
}

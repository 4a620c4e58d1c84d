//! The members' app, to which a form posts a sign-in token. The page shows the fields and validates nothing.

use axum::{Form, response::Html};

use crate::engine::http::assets::escaped;

pub async fn page(Form(fields): Form<Vec<(String, String)>>) -> Html<String> {
    let rows = fields.iter().map(|(name, value)| {
        let (name, value) = (escaped(name), escaped(value));
        format!("<dt>{name}</dt><dd data-field=\"{name}\">{value}</dd>")
    });
    let rows = rows.collect::<Vec<_>>().concat();
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <link rel=\"icon\" href=\"data:,\"><title>The members' app</title>\
         <h1>The members' app</h1><p>Posted fields:</p><dl>{rows}</dl></html>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn posted_fields_are_shown_escaped() {
        let fields = vec![
            ("lang".to_owned(), "tr".to_owned()),
            ("code".to_owned(), "\"><script>".to_owned()),
        ];
        let Html(html) = page(Form(fields)).await;
        assert!(html.contains("<dd data-field=\"lang\">tr</dd>"), "{html}");
        assert!(!html.contains("<script>"), "{html}");
    }
}

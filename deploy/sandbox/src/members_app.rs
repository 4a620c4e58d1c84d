//! The app of members, which signs in whoever a form brings with a token. It shows what came and believes nothing.

use axum::{Form, response::Html};

pub async fn autologin(Form(fields): Form<Vec<(String, String)>>) -> Html<String> {
    let rows = fields.iter().map(|(name, value)| {
        let (name, value) = (plain(name), plain(value));
        format!("<dt>{name}</dt><dd data-field=\"{name}\">{value}</dd>")
    });
    let rows = rows.collect::<Vec<_>>().concat();
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <link rel=\"icon\" href=\"data:,\"><title>The members' app</title>\
         <h1>The members' app</h1><p>Somebody arrived with this:</p><dl>{rows}</dl></html>"
    ))
}

fn plain(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_came_is_shown_and_nothing_of_it_is_run() {
        let fields = vec![
            ("lang".to_owned(), "tr".to_owned()),
            ("code".to_owned(), "\"><script>".to_owned()),
        ];
        let Html(page) = autologin(Form(fields)).await;
        assert!(page.contains("<dd data-field=\"lang\">tr</dd>"), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
}

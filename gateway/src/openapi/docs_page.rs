//! The readable API documentation, generated from the `OpenAPI` document.
use std::fmt::Write;

use serde_json::{Map, Value, json};

const TEMPLATE: &str = include_str!("docs_page.html");

/// The whole page.
pub fn page(document: &Value) -> String {
    let groups = list(&document["tags"]).iter().map(|tag| group(document, tag));
    TEMPLATE
        .replace("{{title}}", &text(&document["info"]["title"]))
        .replace("{{description}}", &text(&document["info"]["description"]))
        .replace("{{groups}}", &groups.collect::<String>())
}

fn group(document: &Value, tag: &Value) -> String {
    let name = tag["name"].as_str().unwrap_or_default();
    let mut html = format!("<h2 id=\"{name}\">{}</h2>\n", text(&tag["description"]));
    for (path, methods) in entries(&document["paths"]) {
        for (method, operation) in entries(methods) {
            if list(&operation["tags"]).iter().any(|tag| tag == name) {
                html.push_str(&article(
                    document,
                    &format!("{} {path}", method.to_uppercase()),
                    operation,
                ));
            }
        }
    }
    html
}

fn article(document: &Value, title: &str, operation: &Value) -> String {
    let (method, path) = title.split_once(' ').unwrap_or((title, ""));
    let mut html =
        format!("<article>\n<h3><span class=\"method\">{method}</span> <code>{path}</code></h3>\n");
    push(
        &mut html,
        format_args!("<p>{}</p>\n", text(&operation["summary"])),
    );
    let parameters = list(&operation["parameters"])
        .iter()
        .map(|it| named(&text(&it["name"]), &it["description"]));
    section(&mut html, "Parameters", &parameters.collect::<String>());
    for (media_type, content) in entries(&operation["requestBody"]["content"]) {
        let example = example_of(document, &content["schema"]);
        let example = serde_json::to_string_pretty(&example).unwrap_or_default();
        push(
            &mut html,
            format_args!(
                "<h4>{}</h4>\n<pre>{}</pre>\n",
                escaped(media_type),
                escaped(&example)
            ),
        );
    }
    let answers =
        entries(&operation["responses"]).map(|(status, answer)| named(status, &answer["description"]));
    section(&mut html, "Answers", &answers.collect::<String>());
    html.push_str("</article>\n");
    html
}

fn section(html: &mut String, title: &str, items: &str) {
    if !items.is_empty() {
        push(html, format_args!("<h4>{title}</h4>\n<ul>\n{items}</ul>\n"));
    }
}

fn named(name: &str, description: &Value) -> String {
    match text(description) {
        words if words.is_empty() => format!("<li><code>{name}</code></li>\n"),
        words => format!("<li><code>{name}</code> {words}</li>\n"),
    }
}

/// A value of this shape, out of the examples of its fields.
fn example_of(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return example_of(document, &document["components"]["schemas"][name]);
    }
    if let Some(example) = schema.get("example").or_else(|| schema["examples"].get(0)) {
        return example.clone();
    }
    match schema["properties"].as_object() {
        Some(fields) => {
            let field = |(name, schema): (&String, &Value)| (name.clone(), example_of(document, schema));
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
        None if schema["type"] == "array" => json!([example_of(document, &schema["items"])]),
        None if schema["type"] == "object" => json!({}),
        None => Value::Null,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Writing into a `String` cannot fail.
fn push(html: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_on_the_page_with_an_example_of_its_body() {
        let document = serde_json::to_value(crate::openapi()).unwrap();
        let html = page(&document);
        for path in document["paths"].as_object().unwrap().keys() {
            assert!(html.contains(&format!("<code>{path}</code>")), "{path}");
        }
        assert!(html.contains("&quot;email&quot;: &quot;ada@example.org&quot;"));
        assert!(!html.contains("{{"));
    }

    #[test]
    fn words_of_the_document_cannot_become_markup() {
        let document = json!({"info": {"title": "<script>", "description": ""}});
        assert!(!page(&document).contains("<script>"));
    }
}

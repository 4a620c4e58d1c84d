//! What a browser needs first, said in the headers: the style sheet and the face of the body text.
//!
//! As `Link: rel=preload`, because hyper's server cannot send a 103 before the answer, and browsers take a 103 only over
//! HTTP/2 anyway. A proxy in front that speaks HTTP/2 and keeps these headers sends them as 103 Early Hints by itself.
use http::HeaderValue;

const HINTS_MAX: usize = 4;

/// `None` for a page that loads nothing of ours.
pub fn of_html(html: &str) -> Option<HeaderValue> {
    let head = html.split("</head>").next()?;
    let hints: Vec<String> = head
        .split("<link ")
        .skip(1)
        .filter_map(|rest| hint(rest.split('>').next()?))
        .take(HINTS_MAX)
        .collect();
    HeaderValue::try_from(hints.join(", "))
        .ok()
        .filter(|value| !value.is_empty())
}

fn hint(tag: &str) -> Option<String> {
    let href = attribute(tag, "href").filter(|href| is_own(href))?;
    match (attribute(tag, "rel")?, attribute(tag, "as")) {
        ("stylesheet", _) => Some(format!("<{href}>; rel=preload; as=style")),
        ("preload", Some("font")) => Some(format!(
            "<{href}>; rel=preload; as=font; type=\"font/woff2\"; crossorigin"
        )),
        _ => None,
    }
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.split_ascii_whitespace().find_map(|part| {
        let value = part.strip_prefix(name)?.strip_prefix("=\"")?;
        value.split_once('"').map(|(value, _)| value)
    })
}

/// A file of the build, whose name holds nothing that would end the link early.
fn is_own(href: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_');
    href.starts_with("/assets/") && href.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str, expected: Option<&str>) {
        let html = format!(
            "<!doctype html><html><head>{head}</head><body><link rel=\"stylesheet\" href=\"/assets/b.css\"></body>"
        );
        let hints = of_html(&html);
        assert_eq!(
            hints.as_ref().map(|value| value.to_str().unwrap()),
            expected,
            "{head}"
        );
    }

    #[test]
    fn style_sheet_and_font_are_hinted_at() {
        check(
            "<meta charset=\"utf-8\"/><link rel=\"preload\" as=\"font\" type=\"font/woff2\" href=\"/assets/m-1.woff2\" crossorigin=\"anonymous\"/>\
             <link rel=\"stylesheet\" href=\"/assets/app-1.css\"/>",
            Some(
                "</assets/m-1.woff2>; rel=preload; as=font; type=\"font/woff2\"; crossorigin, </assets/app-1.css>; rel=preload; as=style",
            ),
        );
    }

    #[test]
    fn nothing_else_is() {
        for head in [
            "",
            "<link rel=\"canonical\" href=\"/assets/x\">",
            "<link rel=\"stylesheet\" href=\"https://evil.example/a.css\">",
            "<link rel=\"stylesheet\" href=\"/assets/a.css>;evil\">",
            "<link rel=\"preload\" as=\"script\" href=\"/assets/a.js\">",
            "<link rel=\"stylesheet\"",
        ] {
            check(head, None);
        }
    }
}

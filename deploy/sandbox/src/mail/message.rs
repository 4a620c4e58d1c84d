//! A mail's content, parsed from MIME.

use mail_parser::{Message, MessageParser, PartType};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Content {
    pub message_id: String,
    pub subject: String,
    /// In the order they were sent.
    pub headers: Vec<(String, String)>,
    /// Empty if the mail has no such part.
    pub text: String,
    pub html: String,
    /// Distinct URLs in the text and the HTML.
    pub links: Vec<String>,
}

pub fn read(raw: &[u8]) -> Option<Content> {
    let message = MessageParser::default().parse(raw)?;
    let headers = message.headers_raw();
    let headers = headers.map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    let (text, html) = (text_of(&message), html_of(&message));
    Some(Content {
        message_id: message.message_id().unwrap_or_default().to_owned(),
        subject: message.subject().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        links: links(&text, &html),
        text,
        html,
    })
}

fn text_of(message: &Message<'_>) -> String {
    let mut parts = message.text_bodies();
    let found = parts.find_map(|part| match &part.body {
        PartType::Text(text) => Some(text.to_string()),
        _ => None,
    });
    found.unwrap_or_default()
}

fn html_of(message: &Message<'_>) -> String {
    let mut parts = message.html_bodies();
    let found = parts.find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.to_string()),
        _ => None,
    });
    found.unwrap_or_default()
}

fn links(text: &str, html: &str) -> Vec<String> {
    let in_html = html.split("href=\"").skip(1).filter_map(|rest| {
        let (address, _) = rest.split_once('"')?;
        Some(address.replace("&#x2f;", "/").replace("&amp;", "&"))
    });
    let in_text = text.split_whitespace().map(str::to_owned);
    let mut links = Vec::new();
    for address in in_html.chain(in_text) {
        if address.starts_with("http") && address.contains("://") && !links.contains(&address) {
            links.push(address);
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "Message-ID: <1@x>\r\nSubject: =?utf-8?b?xZ5pZnJl?=\r\n\
        Content-Type: multipart/alternative; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        G=C3=BCn ayd=C4=B1n\r\nhttp://x/?a=3D1&b=3D2\r\n\
        --b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<a href=\"http://x/?a=1&amp;b=2\">x</a>\r\n--b--\r\n";

    #[test]
    fn both_parts_are_decoded_and_a_link_is_listed_once() {
        let content = read(MAIL.as_bytes()).unwrap();
        assert_eq!(
            (content.subject.as_str(), content.message_id.as_str()),
            ("Şifre", "1@x")
        );
        assert!(content.text.starts_with("Gün aydın"), "{}", content.text);
        assert!(content.html.starts_with("<a href"), "{}", content.html);
        assert_eq!(content.links, ["http://x/?a=1&b=2"]);
    }

    #[test]
    fn a_mail_with_one_part_has_no_other() {
        let content = read(b"Subject: x\r\n\r\nhello\r\n").unwrap();
        assert_eq!((content.text.trim(), content.html.as_str()), ("hello", ""));
    }
}

//! Platron's XML: one element of texts.

use super::signature::Fields;

pub fn write(root: &str, fields: &[(String, String)]) -> String {
    let elements = fields.iter().map(|(name, value)| {
        let value = value
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        format!("  <{name}>{value}</{name}>\n")
    });
    let inner: String = elements.collect();
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root}>\n{inner}</{root}>\n")
}

/// `None` for what is not one element of texts.
pub fn read(root: &str, text: &str) -> Option<Fields> {
    let (_, rest) = text.split_once(&format!("<{root}>"))?;
    let (mut rest, _) = rest.split_once(&format!("</{root}>"))?;
    let mut fields = Fields::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(fields);
        }
        let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
        if let Some(name) = name.strip_suffix('/') {
            fields.push((name.trim_end().to_owned(), String::new()));
            rest = after;
            continue;
        }
        let (value, after) = after.split_once(&format!("</{name}>"))?;
        fields.push((name.to_owned(), plain(value)));
        rest = after;
    }
}

fn plain(value: &str) -> String {
    let raw = value
        .trim()
        .strip_prefix("<![CDATA[")
        .and_then(|rest| rest.strip_suffix("]]>"));
    if let Some(raw) = raw {
        return raw.to_owned();
    }
    value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let fields = vec![
            ("pg_status".to_owned(), "ok".to_owned()),
            ("pg_description".into(), "1 < 2 & 3".into()),
        ];
        assert_eq!(read("response", &write("response", &fields)), Some(fields));
    }

    #[test]
    fn merchants_write_in_their_own_ways() {
        let text = "<?xml version='1.0'?><response><pg_status><![CDATA[ok]]></pg_status> <pg_description/></response>";
        let expected = vec![
            ("pg_status".to_owned(), "ok".to_owned()),
            ("pg_description".into(), String::new()),
        ];
        assert_eq!(read("response", text), Some(expected));
        for broken in [
            "",
            "ok",
            "<response>ok</response>",
            "<response><a>1</b></response>",
        ] {
            assert_eq!(read("response", broken), None, "{broken}");
        }
    }
}

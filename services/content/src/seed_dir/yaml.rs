//! YAML text to a tree with lines. JSON is read by the same parser: it is YAML, too.
//!
//! Only what an editor needs: no anchors, no tags, one document, no field twice.

use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::finding::{LintFinding, LintLocation};
use super::tree::{Data, Entry, Node};

const DEEPEST: usize = 64;

pub fn parse(file: &Arc<str>, text: &str) -> Result<Node, LintFinding> {
    let mut builder = Builder {
        file,
        open: Vec::new(),
        root: None,
    };
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| {
            let place = builder.place(error.marker().line());
            malformed(place, error.info().to_owned()).fix(hint(error.info()))
        })?;
        builder.take(event, span)?;
    }
    builder.root.ok_or_else(|| {
        malformed(LintLocation::top(file), "is empty")
            .fix("write the page's fields, beginning with `urlPath:`.")
    })
}

struct Builder<'a> {
    file: &'a Arc<str>,
    open: Vec<Open>,
    root: Option<Node>,
}

/// A list or group whose end has not come yet.
struct Open {
    at: LintLocation,
    data: OpenData,
}

enum OpenData {
    List(Vec<Node>),
    Map {
        entries: Vec<Entry>,
        name: Option<(String, LintLocation)>,
    },
}

impl Builder<'_> {
    fn place(&self, line: usize) -> LintLocation {
        LintLocation {
            file: Arc::clone(self.file),
            line: line.max(1),
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), LintFinding> {
        let at = self.place(span.start.line());
        match event {
            Event::Scalar(text, style, _, None) => self.put(scalar(at, &text, style)),
            Event::SequenceStart(_, None) => self.open(at, OpenData::List(Vec::new())),
            Event::MappingStart(_, None) => self.open(
                at,
                OpenData::Map {
                    entries: Vec::new(),
                    name: None,
                },
            ),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::DocumentStart(_) if self.root.is_some() => {
                Err(malformed(at, "a second document begins here").fix("keep one page in one file."))
            }
            Event::Alias(_) => {
                Err(malformed(at, "refers to another place with *").fix("write the value out here."))
            }
            Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) => {
                Err(malformed(at, "has a tag")
                    .fix("take out the word that starts with !, or quote the text."))
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn open(&mut self, at: LintLocation, data: OpenData) -> Result<(), LintFinding> {
        if self.open.len() == DEEPEST {
            return Err(malformed(at, "is nested too deep").fix("put it further out."));
        }
        self.open.push(Open { at, data });
        Ok(())
    }

    fn close(&mut self) -> Result<(), LintFinding> {
        let Some(Open { at, data }) = self.open.pop() else {
            return Ok(());
        };
        let data = match data {
            OpenData::List(items) => Data::List(items),
            OpenData::Map { entries, .. } => Data::Map(entries),
        };
        self.put(Node { at, data })
    }

    fn put(&mut self, node: Node) -> Result<(), LintFinding> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.data {
            OpenData::List(items) => items.push(node),
            OpenData::Map { entries, name } => match name.take() {
                Some((name, at)) => entries.push(Entry {
                    name,
                    at,
                    value: node,
                }),
                None => *name = Some(field_name(node, entries)?),
            },
        }
        Ok(())
    }
}

fn field_name(node: Node, before: &[Entry]) -> Result<(String, LintLocation), LintFinding> {
    let name = match node.data {
        Data::Text(name) => name,
        Data::Number(number) => number.to_string(),
        _ => return Err(malformed(node.at, "is no field name").fix("write a name and a colon before it.")),
    };
    if let Some(first) = before.iter().find(|entry| entry.name == name) {
        let message = format!("`{name}` stands here twice, first in line {}", first.at.line);
        return Err(malformed(node.at, message).fix("keep one of the two."));
    }
    Ok((name, node.at))
}

fn scalar(at: LintLocation, text: &str, style: ScalarStyle) -> Node {
    let data = match text {
        _ if style != ScalarStyle::Plain => Data::Text(text.to_owned()),
        "" | "~" | "null" | "Null" | "NULL" => Data::Null,
        "true" | "True" | "TRUE" => Data::Bool(true),
        "false" | "False" | "FALSE" => Data::Bool(false),
        _ => text
            .parse()
            .map_or_else(|_| Data::Text(text.to_owned()), Data::Number),
    };
    Node { at, data }
}

fn malformed(place: LintLocation, message: impl Into<String>) -> LintFinding {
    LintFinding::error(place, "", "MALFORMED").message(message)
}

/// What usually lies behind what the parser says.
fn hint(info: &str) -> &'static str {
    if info.contains("mapping values") || info.contains("simple key") {
        "put a text that contains a colon and a space in quotes, and keep fields of one group at one indentation."
    } else if info.contains("quoted scalar") {
        "close the quotes; inside double quotes write \\\" for a quote."
    } else if info.contains("tab") {
        "indent with spaces."
    } else {
        "check the indentation and the quotes of this line and the one above."
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<serde_json::Value, String> {
        parse(&"en/a.yaml".into(), text)
            .map(|node| node.to_json())
            .map_err(|finding| finding.to_string())
    }

    #[test]
    fn values_are_what_they_look_like() {
        let yaml = "a: 7\nb: true\nc: \"7\"\nd: 69.99\ne: 2026-11-20\nf:\ng: 0049\nh: [x, 'y: z']\ni: |\n  two\n  lines\n";
        let expected = json!({
            "a": 7, "b": true, "c": "7", "d": 69.99, "e": "2026-11-20", "f": null, "g": "0049", "h": ["x", "y: z"],
            "i": "two\nlines\n",
        });
        assert_eq!(read(yaml), Ok(expected));
    }

    #[test]
    fn json_is_read_as_well() {
        let json =
            "{\"urlPath\": \"/a\", \"seo\": {\"title\": \"A: b\", \"noindex\": true}, \"sections\": [1]}";
        assert_eq!(
            read(json),
            Ok(json!({"urlPath": "/a", "seo": {"title": "A: b", "noindex": true}, "sections": [1]}))
        );
    }

    #[test]
    fn what_cannot_be_read_names_its_line_and_a_fix() {
        for (yaml, start, fix) in [
            ("a: 1\nb: c: d\n", "en/a.yaml:2: ", "quotes"),
            ("a: 1\nb: \"c\nd: 1\n", "en/a.yaml:", "quotes"),
            (
                "a: 1\nb: 2\na: 3\n",
                "en/a.yaml:3: `a` stands here twice, first in line 1",
                "keep one",
            ),
            ("a: &x 1\nb: *x\n", "en/a.yaml:2: ", "write the value out"),
            ("a: !!int 1\n", "en/a.yaml:1: has a tag", "quote"),
            ("a: 1\n---\nb: 1\n", "en/a.yaml:2: a second document", "one file"),
            ("", "en/a.yaml:1: is empty", "urlPath"),
        ] {
            let said = read(yaml).unwrap_err();
            assert!(said.starts_with(start) && said.contains(fix), "{yaml:?}: {said}");
        }
    }

    #[test]
    fn a_file_nested_without_end_is_refused() {
        let deep = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(read(&deep(DEEPEST)).is_ok());
        assert!(read(&deep(DEEPEST + 1)).unwrap_err().contains("too deep"));
        assert!(read(&"[".repeat(50_000)).is_err());
    }
}

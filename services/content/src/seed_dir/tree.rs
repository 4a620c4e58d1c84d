//! Values of a file with their lines.

use serde_json::{Map, Number, Value};

use super::finding::LintLocation;

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub at: LintLocation,
    pub data: Data,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A field with its name, which may stand lines above its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    pub at: LintLocation,
    pub value: Node,
}

impl Node {
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.entry(name).map(|entry| &entry.value)
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        let Data::Map(entries) = &self.data else {
            return None;
        };
        entries.iter().find(|entry| entry.name == name)
    }

    /// The value of a field, to be changed in place.
    pub fn data_of(&mut self, name: &str) -> Option<&mut Data> {
        let Data::Map(entries) = &mut self.data else {
            return None;
        };
        let entry = entries.iter_mut().find(|entry| entry.name == name)?;
        Some(&mut entry.value.data)
    }

    /// Takes a field out.
    pub fn remove(&mut self, name: &str) -> Option<Entry> {
        let Data::Map(entries) = &mut self.data else {
            return None;
        };
        let index = entries.iter().position(|entry| entry.name == name)?;
        Some(entries.remove(index))
    }

    pub fn items(&self) -> &[Self] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What an editor calls it.
    pub fn kind(&self) -> &'static str {
        match &self.data {
            Data::Null => "empty",
            Data::Bool(_) => "true or false",
            Data::Number(_) => "a number",
            Data::Text(_) => "a text",
            Data::List(_) => "a list",
            Data::Map(_) => "a group of fields",
        }
    }

    pub fn to_json(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Bool(value) => Value::Bool(*value),
            Data::Number(number) => Value::Number(number.clone()),
            Data::Text(text) => Value::String(text.clone()),
            Data::List(items) => items.iter().map(Self::to_json).collect(),
            Data::Map(entries) => {
                let fields = entries.iter();
                Value::Object(
                    fields
                        .map(|entry| (entry.name.clone(), entry.value.to_json()))
                        .collect::<Map<_, _>>(),
                )
            }
        }
    }

    /// Where a field stands; of one that is missing, where it would stand.
    pub fn locate(&self, field: &str) -> &LintLocation {
        let mut node = self;
        let mut place = &self.at;
        for step in steps(field) {
            match (step, &node.data) {
                (Step::Field(name), Data::Map(_)) => {
                    let Some(entry) = node.entry(name) else {
                        return place;
                    };
                    (node, place) = (&entry.value, &entry.at);
                }
                (Step::Item(index), Data::List(items)) => {
                    let Some(item) = items.get(index) else {
                        return place;
                    };
                    (node, place) = (item, &item.at);
                }
                _ => return place,
            }
        }
        place
    }

    /// Every text with its field.
    pub fn texts(&self) -> Vec<(String, &str, &LintLocation)> {
        let mut found = Vec::new();
        self.collect_texts(String::new(), &self.at, &mut found);
        found
    }

    fn collect_texts<'a>(
        &'a self,
        field: String,
        at: &'a LintLocation,
        found: &mut Vec<(String, &'a str, &'a LintLocation)>,
    ) {
        match &self.data {
            Data::Text(text) => found.push((field, text, at)),
            Data::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.collect_texts(format!("{field}[{index}]"), &item.at, found);
                }
            }
            Data::Map(entries) => {
                for entry in entries {
                    entry
                        .value
                        .collect_texts(join(&field, &entry.name), &entry.at, found);
                }
            }
            Data::Null | Data::Bool(_) | Data::Number(_) => {}
        }
    }
}

pub fn join(field: &str, name: &str) -> String {
    if field.is_empty() {
        name.to_owned()
    } else {
        format!("{field}.{name}")
    }
}

enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

/// `sections[2].title` as its steps.
fn steps(field: &str) -> impl Iterator<Item = Step<'_>> {
    let parts = field.split(['.', '[']).filter(|part| !part.is_empty());
    parts.map(|part| {
        let index = part.strip_suffix(']').and_then(|index| index.parse().ok());
        index.map_or(Step::Field(part), Step::Item)
    })
}

#[cfg(test)]
mod tests {
    use super::super::yaml;

    const PAGE: &str = "\
seo:
  title: A
sections:
  - id: one
    plans:
      - title: B
      - title: >
          C
          D
";

    fn line(field: &str) -> usize {
        yaml::parse(&"en/a.yaml".into(), PAGE).unwrap().locate(field).line
    }

    #[test]
    fn a_field_is_found_on_its_line() {
        for (field, expected) in [
            ("seo.title", 2),
            ("sections", 3),
            ("sections[0]", 4),
            ("sections[0].plans[1].title", 7),
        ] {
            assert_eq!(line(field), expected, "{field}");
        }
    }

    #[test]
    fn a_missing_field_is_where_it_would_stand() {
        assert_eq!(line("sections[0].plans[0].button.url"), 6);
        assert_eq!(line("sections[4].title"), 3);
        assert_eq!(line("urlPath"), 1);
    }

    #[test]
    fn texts_come_with_their_fields() {
        let tree = yaml::parse(&"en/a.yaml".into(), PAGE).unwrap();
        let texts: Vec<_> = tree
            .texts()
            .into_iter()
            .map(|(field, text, _)| (field, text))
            .collect();
        assert_eq!(texts[0], ("seo.title".to_owned(), "A"));
        assert_eq!(texts[3], ("sections[0].plans[1].title".to_owned(), "C D\n"));
    }
}

//! Line numbers of fields in a seed file: `prices.TRY.amount`, `coupons.2.code`.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};

#[derive(Debug, Default)]
pub struct Lines(HashMap<String, usize>);

/// A group or list that is not closed yet.
enum Open {
    Group { name: Option<String> },
    List { next: usize },
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    lines: HashMap<String, usize>,
}

impl Lines {
    /// Reads as far as the text parses; the document parser reports errors.
    pub fn of(text: &str) -> Self {
        let mut walk = Walk::default();
        let mut parser = Parser::new_from_str(text);
        while let Some(Ok((event, span))) = parser.next_event() {
            let line = span.start.line().max(1);
            match event {
                Event::Scalar(text, ..) => walk.scalar(&text, line),
                Event::Alias(_) => walk.value(line),
                Event::MappingStart(..) => walk.begin(Open::Group { name: None }, line),
                Event::SequenceStart(..) => walk.begin(Open::List { next: 0 }, line),
                Event::MappingEnd | Event::SequenceEnd => walk.end(),
                _ => {}
            }
        }
        Self(walk.lines)
    }

    /// Of the field, or of the nearest group around it.
    pub fn find(&self, field: &str) -> usize {
        let mut field = field;
        loop {
            if let Some(line) = self.0.get(field) {
                return *line;
            }
            match field.rsplit_once('.') {
                Some((around, _)) => field = around,
                None => return 1,
            }
        }
    }

    /// Of the first field with this name, wherever it is.
    pub fn find_named(&self, name: &str) -> Option<usize> {
        let is_it = |field: &str| field == name || field.ends_with(&format!(".{name}"));
        let all = self.0.iter().filter(|(field, _)| is_it(field));
        all.map(|(_, line)| *line).min()
    }
}

impl Walk {
    fn path(&self) -> String {
        let names: Vec<String> = self
            .open
            .iter()
            .filter_map(|open| match open {
                Open::Group { name } => name.clone(),
                Open::List { next } => Some(next.to_string()),
            })
            .collect();
        names.join(".")
    }

    fn scalar(&mut self, text: &str, line: usize) {
        if let Some(Open::Group { name: name @ None }) = self.open.last_mut() {
            *name = Some(text.to_owned());
            self.lines.entry(self.path()).or_insert(line);
        } else {
            self.value(line);
        }
    }

    fn value(&mut self, line: usize) {
        if let Some(Open::List { .. }) = self.open.last() {
            self.lines.entry(self.path()).or_insert(line);
        }
        self.step();
    }

    fn begin(&mut self, open: Open, line: usize) {
        if let Some(Open::List { .. }) = self.open.last() {
            self.lines.entry(self.path()).or_insert(line);
        }
        self.open.push(open);
    }

    fn end(&mut self) {
        self.open.pop();
        self.step();
    }

    /// The value of a name, or an item of a list, is complete.
    fn step(&mut self) {
        match self.open.last_mut() {
            Some(Open::Group { name }) => *name = None,
            Some(Open::List { next }) => *next += 1,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A comment.\nkind: campaign\nprices:\n  USD: { amount: \"1.00\" }\n  TRY:\n    amount: \"2.00\"\n\
                        coupons:\n  - code: ONE\n    percent_off: 5\n  - code: TWO\n";

    #[test]
    fn fields_and_items_are_found_in_their_lines() {
        let lines = Lines::of(TEXT);
        for (field, line) in [
            ("kind", 2),
            ("prices", 3),
            ("prices.USD.amount", 4),
            ("prices.TRY.amount", 6),
            ("coupons.0.percent_off", 9),
            ("coupons.1", 10),
        ] {
            assert_eq!(lines.find(field), line, "{field}");
        }
    }

    #[test]
    fn missing_field_is_found_where_it_should_stand() {
        let lines = Lines::of(TEXT);
        assert_eq!(lines.find("prices.JPY"), 3);
        assert_eq!(lines.find("trial_days"), 1);
        assert_eq!(lines.find_named("percent_off"), Some(9));
    }
}

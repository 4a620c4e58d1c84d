//! Parses a query and rejects expensive ones before validation.
use std::collections::HashMap;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection, SelectionSet};
use async_graphql::{Name, ServerError};
use serde_json::{Map, Value};

/// Brackets inside brackets. The parser calls itself for each, and a thread's stack is small.
const NESTING_MAX: usize = 48;
/// Fields of all operations and fragments, once every fragment is written out: fragments that name fragments double with each
/// step. The site's own page query has some 20,000.
const FIELDS_MAX: usize = 50_000;

pub fn read(query: &str) -> Result<ExecutableDocument, ServerError> {
    if nesting(query) > NESTING_MAX {
        return Err(refusal("Query is nested too deep."));
    }
    let document = parse_query(query)?;
    if Fields::new(&document).of_all() > FIELDS_MAX {
        return Err(refusal("Query is too complex."));
    }
    Ok(document)
}

/// Whether running it could change something. The operation that runs is the named one, or the only one.
pub fn changes_something(document: &ExecutableDocument, chosen: Option<&str>) -> bool {
    document.operations.iter().any(|(name, operation)| {
        let is_chosen = chosen.is_none() || name.map(Name::as_str) == chosen;
        is_chosen && operation.node.ty != OperationType::Query
    })
}

/// What the language asks for before anything runs: the variables that must be there are.
pub fn check_variables(
    document: &ExecutableDocument,
    chosen: Option<&str>,
    variables: &Map<String, Value>,
) -> Result<(), ServerError> {
    let is_chosen = |name: Option<&Name>| chosen.is_none() || name.map(Name::as_str) == chosen;
    let mut definitions = document
        .operations
        .iter()
        .filter(|(name, _)| is_chosen(*name))
        .flat_map(|(_, operation)| &operation.node.variable_definitions);
    let missing = definitions.find(|variable| {
        let variable = &variable.node;
        let given = variables.get(variable.name.node.as_str());
        let must_be_there = !variable.var_type.node.nullable && variable.default_value.is_none();
        must_be_there && given.is_none_or(Value::is_null)
    });
    match missing {
        None => Ok(()),
        Some(variable) => {
            let message = format!("Variable ${} must be given.", variable.node.name.node);
            Err(ServerError::new(message, Some(variable.pos)))
        }
    }
}

fn refusal(message: &str) -> ServerError {
    ServerError::new(message, None)
}

/// Brackets in strings and comments count too.
fn nesting(query: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in query.bytes() {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

struct Fields<'d> {
    document: &'d ExecutableDocument,
    /// Of each fragment; `None` while it is being counted, which is how a circle is noticed.
    of_fragments: HashMap<&'d str, Option<usize>>,
}

impl<'d> Fields<'d> {
    fn new(document: &'d ExecutableDocument) -> Self {
        Self {
            document,
            of_fragments: HashMap::new(),
        }
    }

    fn of_all(&mut self) -> usize {
        let document = self.document;
        let operations = document
            .operations
            .iter()
            .map(|(_, it)| &it.node.selection_set.node);
        let fragments = document.fragments.values().map(|it| &it.node.selection_set.node);
        operations
            .chain(fragments)
            .fold(0_usize, |sum, set| sum.saturating_add(self.of(set)))
    }

    fn of(&mut self, set: &'d SelectionSet) -> usize {
        set.items.iter().fold(0_usize, |sum, item| {
            let inner = match &item.node {
                Selection::Field(field) => 1 + self.of(&field.node.selection_set.node),
                Selection::InlineFragment(fragment) => self.of(&fragment.node.selection_set.node),
                Selection::FragmentSpread(spread) => self.of_fragment(&spread.node.fragment_name.node),
            };
            sum.saturating_add(inner).min(FIELDS_MAX + 1)
        })
    }

    /// A circle counts as nothing here: the rules of the language forbid it, and say so better.
    fn of_fragment(&mut self, name: &'d str) -> usize {
        if let Some(known) = self.of_fragments.get(name) {
            return known.unwrap_or_default();
        }
        self.of_fragments.insert(name, None);
        let document = self.document;
        let fragment = document.fragments.get(name);
        let fields = fragment.map_or(0, |it| self.of(&it.node.selection_set.node));
        self.of_fragments.insert(name, Some(fields));
        fields
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    #[test]
    fn only_the_chosen_operation_counts() {
        let changes = |query: &str, name: Option<&str>| changes_something(&read(query).unwrap(), name);
        assert!(changes("mutation { a }", None));
        assert!(!changes("query A { a } mutation B { b }", Some("A")));
        assert!(changes("query A { a } mutation B { b }", Some("B")));
        assert!(!changes("{ a }", None));
    }

    #[test]
    fn nesting_without_end_is_refused_before_it_is_parsed() {
        for opening in ["{a", "{a(b:[", "{a(b:{c:"] {
            assert!(read(&opening.repeat(20_000)).is_err());
        }
        let usual = format!("{}{}", "{a".repeat(20), "}".repeat(20));
        assert!(read(&usual).is_ok());
    }

    #[test]
    fn fragments_that_double_are_refused() {
        let mut query = String::from("{ ...f0 }");
        for number in 0..28 {
            let next = number + 1;
            write!(query, " fragment f{number} on Query {{ ...f{next} ...f{next} }}").unwrap();
        }
        query.push_str(" fragment f28 on Query { __typename }");
        assert!(read(&query).is_err());
    }

    #[test]
    fn circle_of_fragments_is_left_to_the_rules() {
        assert!(read("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }").is_ok());
    }
}

//! Random queries with aliases, fragments, conditions and repeated fields.
use std::fmt::Write;

use super::Rng;
use crate::graphql::plan::types::{Named, Types, name_of};

/// Enough for nested blocks with plans and prices.
const DEPTH_MAX: usize = 8;

pub fn random(rng: &mut Rng, types: &Types, components: &[&'static str]) -> String {
    let mut made = Made {
        rng,
        types,
        components,
        fragments: String::new(),
        count: 0,
    };
    let page = made.selection("Page", 1);
    let fragments = made.fragments;
    format!(
        "query($path: String!, $locale: String!, $yes: Boolean!, $no: Boolean = true) {{ \
         __typename @skip(if: $yes) kept: page(urlPath: $path, locale: $locale) @include(if: $yes) {page} \
         gone: page(urlPath: \"/b\", locale: \"en\") @include(if: $no) {{ locale }} }}{fragments}"
    )
}

struct Made<'m> {
    rng: &'m mut Rng,
    types: &'m Types,
    components: &'m [&'static str],
    fragments: String,
    count: usize,
}

impl Made<'_> {
    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// The selection with its braces.
    fn selection(&mut self, object: &str, depth: usize) -> String {
        let mut text = String::from("{ ");
        if self.rng.once_in(3) {
            text.push_str("__typename ");
        }
        let fields: Vec<(String, String)> = self
            .types
            .fields_of(object)
            .into_iter()
            .map(|(name, kind)| (name.to_owned(), name_of(kind).to_owned()))
            .collect();
        for (name, kind) in &fields {
            // Blocks and prices are selected more often.
            let matters = matches!(
                name.as_str(),
                "sections" | "plans" | "options" | "price" | "offer"
            );
            if matters || !self.rng.once_in(3) {
                self.field(&mut text, name, kind, depth);
            }
        }
        if self.rng.once_in(4) {
            let (name, kind) = self.rng.one_of(&fields).clone();
            let mut inner = String::from("{ ");
            self.field(&mut inner, &name, &kind, depth);
            inner.push_str("__typename }");
            self.fragment(&mut text, object, &inner);
        }
        text.push_str("t: __typename }");
        text
    }

    fn field(&mut self, text: &mut String, name: &str, kind: &str, depth: usize) {
        let below = match self.types.named(kind) {
            Named::Scalar | Named::Enum(_) => String::new(),
            _ if depth >= DEPTH_MAX => return,
            Named::Object => self.selection(kind, depth + 1),
            Named::Interface(_) => self.blocks(depth + 1),
        };
        if self.rng.once_in(2) {
            // A unique alias: fields of the same name may have different types.
            let number = self.next();
            let _ = write!(text, "a{number}: ");
        } else if depth > 1 {
            let _ = write!(text, "{name}_{}: ", kind.to_lowercase());
        }
        let condition = match self.rng.below(16) {
            0 => " @include(if: $yes)",
            1 => " @skip(if: $yes)",
            2 => " @include(if: false)",
            3 => " @skip(if: $no)",
            4 => " @include(if: true) @skip(if: false)",
            _ => "",
        };
        let _ = write!(text, "{name}{condition} {below} ");
    }

    fn fragment(&mut self, text: &mut String, object: &str, inner: &str) {
        let head = match self.rng.below(4) {
            0 => String::new(),
            1 => format!("on {object} @include(if: $yes)"),
            2 => "@skip(if: $no)".to_owned(),
            _ => {
                let name = format!("F{}", self.next());
                let _ = write!(self.fragments, " fragment {name} on {object} {inner}");
                let _ = write!(text, "...{name} ");
                return;
            }
        };
        // A fragment without a type has only the object's own fields.
        let head = if object == "Page" || head.starts_with("on") {
            head
        } else {
            format!("on {object} {head}")
        };
        let _ = write!(text, "... {head} {inner} ");
    }

    fn blocks(&mut self, depth: usize) -> String {
        let mut text = String::from("{ __typename id componentName ");
        if depth > 3 {
            text.push_str("... on Heading { text } }");
            return text;
        }
        for component in self.components.iter().chain(&["PlanList", "Heading"]) {
            let inner = self.selection(component, depth);
            self.fragment(&mut text, component, &inner);
        }
        text.push_str("... on Block { twice: id } }");
        text
    }
}

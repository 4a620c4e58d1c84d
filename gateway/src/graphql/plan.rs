//! Answers page queries directly from stored documents.
//!
//! A plan lists what to write for one operation. It is compiled after the resolvers have answered the operation once, so
//! the
//! query is known to be valid. If a document or a variable does not match the plan, the resolvers answer.
mod compile;
mod json;
mod project;
mod roots;
mod run;
#[cfg(test)]
mod tests;
mod types;

use std::collections::HashMap;

use crate::cache::tags::CacheTag;

pub use compile::compile;
pub use roots::{Argument, Operation, Variables};
pub use run::run;
pub use types::Types;

use roots::VariableRule;

pub struct Plan {
    roots: Vec<Root>,
    variables: Vec<VariableRule>,
}

impl Plan {
    /// The tags of the response without prices; `None` if they cannot be determined.
    pub fn tags(&self, variables: &Variables) -> Option<Vec<CacheTag>> {
        let mut tags = Vec::new();
        for root in &self.roots {
            match &root.fetch {
                RootFetch::Nothing => {}
                RootFetch::Page { url_path, .. } => tags.push(CacheTag::page(url_path.value(variables)?)),
                RootFetch::Chrome { locale, .. } => tags.extend(CacheTag::chromes(locale.value(variables)?)),
                RootFetch::Record { kind, id, .. } => tags.push(CacheTag::record(kind, id.value(variables)?)),
                RootFetch::Pages => tags.push(CacheTag::sitemap()),
            }
        }
        Some(tags)
    }
}

/// A root field of the query.
struct Root {
    /// Key in the response, as written: `"page":`.
    key: String,
    fetch: RootFetch,
    /// `None` if only the resolvers can answer.
    kind: Option<Kind>,
}

enum RootFetch {
    Nothing,
    Page {
        url_path: Argument,
        locale: Argument,
    },
    Chrome {
        part: ChromePart,
        locale: Argument,
    },
    Record {
        kind: &'static str,
        id: Argument,
        locale: Argument,
    },
    Pages,
}

#[derive(Clone, Copy)]
enum ChromePart {
    Both,
    Navigation,
    Footer,
}

/// The type of a value.
struct Kind {
    nullable: bool,
    shape: Shape,
}

enum Shape {
    Text,
    /// A string or number that is null if it is empty or 0.
    OptionalScalar(Box<Kind>),
    Int,
    Number,
    Boolean,
    /// Names in the schema; stored names differ in case and underscores.
    Enum(Vec<String>),
    List(Box<Kind>),
    Object(Object),
    /// By component name.
    Block(HashMap<String, Object>),
}

/// The fields of an object, in the order of the response.
struct Object {
    fields: Vec<Field>,
}

struct Field {
    /// Key in the response, as written: `"title":`.
    key: String,
    source: Source,
}

enum Source {
    Constant(String),
    Stored {
        name: String,
        kind: Kind,
    },
    /// The price of the object's `campaignName` and `couponCode`.
    Offer(Object),
}

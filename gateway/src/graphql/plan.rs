//! Answers page queries straight from stored documents.
//!
//! A plan says what to write for one operation. It is made once the resolvers have answered that operation, so it need
//! not judge the query; and it gives up on whatever it does not know for certain, so that the resolvers answer then.
mod compile;
mod json;
mod project;
mod roots;
mod run;
#[cfg(test)]
mod tests;
mod types;

use std::collections::HashMap;

use crate::cache::tags::Tag;

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
    /// The tags of the response, prices excluded; `None` where they cannot be determined.
    pub fn tags(&self, variables: &Variables) -> Option<Vec<Tag>> {
        let mut tags = Vec::new();
        for root in &self.roots {
            match &root.fetch {
                RootFetch::Nothing => {}
                RootFetch::Page { url_path, .. } => tags.push(Tag::page(url_path.value(variables)?)),
                RootFetch::Chrome { locale, .. } => tags.extend(Tag::chromes(locale.value(variables)?)),
                RootFetch::Record { kind, id, .. } => tags.push(Tag::record(kind, id.value(variables)?)),
                RootFetch::Pages => tags.push(Tag::sitemap()),
            }
        }
        Some(tags)
    }
}

/// One field of the query itself.
struct Root {
    /// As it is written: `"page":`.
    key: String,
    fetch: RootFetch,
    /// `None` for what only the resolvers can answer.
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

/// What a value must look like.
struct Kind {
    nullable: bool,
    shape: Shape,
}

enum Shape {
    Text,
    /// A text or number that is absent when it is empty or nought.
    OptionalScalar(Box<Kind>),
    Int,
    Number,
    Boolean,
    /// The names the schema has; stored spellings differ in case and underscores.
    Enum(Vec<String>),
    List(Box<Kind>),
    Object(Object),
    /// By component name.
    Block(HashMap<String, Object>),
}

/// What to write of an object, in the order of the answer.
struct Object {
    fields: Vec<Field>,
}

struct Field {
    /// As it is written: `"title":`.
    key: String,
    source: Source,
}

enum Source {
    Constant(String),
    Stored {
        name: String,
        kind: Kind,
    },
    /// The price of what the object's `campaignName` and `couponCode` name.
    Offer(Object),
}

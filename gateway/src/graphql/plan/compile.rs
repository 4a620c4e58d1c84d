//! Compiles an operation to a plan.
use std::collections::HashMap;

use async_graphql::parser::types::{BaseType, Field as Asked, SelectionSet, Type};

use blocks::Locale;

use crate::graphql::plan::roots::{Argument, Operation};
use crate::graphql::plan::types::{Named, Types, name_of};
use crate::graphql::plan::{ChromePart, Field, Kind, Object, Plan, Root, RootFetch, Shape, Source};

const QUERY: &str = "Query";
const BLOCK: &str = "Block";
/// Empty strings and zeros of these types are stored as such and returned as null.
const OPTIONAL_SCALAR_TYPES: [&str; 5] = ["Page", "Seo", "ArticleData", "VideoData", "JobData"];

/// `None` if only the resolvers can answer the operation.
pub fn compile(types: &Types, operation: &Operation<'_>) -> Option<Plan> {
    let compiler = Compiler { types, operation };
    let asked = operation.collect(types, QUERY, &[&operation.definition.selection_set.node])?;
    let roots = asked.into_iter().map(|(key, fields)| compiler.root(key, &fields));
    Some(Plan {
        roots: roots.collect::<Option<_>>()?,
        variables: operation.rules()?,
    })
}

struct Compiler<'c, 'd> {
    types: &'c Types,
    operation: &'c Operation<'d>,
}

impl<'d> Compiler<'_, 'd> {
    fn root(&self, key: &str, fields: &[&'d Asked]) -> Option<Root> {
        let fetch = self.root_fetch(fields.first()?)?;
        let object = match &fetch {
            RootFetch::Nothing | RootFetch::Pages => None,
            RootFetch::Page { .. } => Some("Page"),
            RootFetch::Chrome {
                part: ChromePart::Both,
                ..
            } => Some("Chrome"),
            RootFetch::Chrome {
                part: ChromePart::Navigation,
                ..
            } => Some("Navigation"),
            RootFetch::Chrome {
                part: ChromePart::Footer,
                ..
            } => Some("Footer"),
            RootFetch::Record { kind, .. } => Some(*kind),
        };
        let nullable = !matches!(
            fetch,
            RootFetch::Chrome {
                part: ChromePart::Both,
                ..
            }
        );
        let kind = object.and_then(|object| {
            let shape = Shape::Object(self.object(object, &selections(fields))?);
            Some(Kind { nullable, shape })
        });
        let key = written(key);
        Some(Root { key, fetch, kind })
    }

    fn root_fetch(&self, field: &Asked) -> Option<RootFetch> {
        let argument = |name| self.operation.argument(field, name);
        let chrome = |part| {
            Some(RootFetch::Chrome {
                part,
                locale: argument("locale")?,
            })
        };
        let record = |kind| {
            let locale = match field.get_argument("locale") {
                Some(_) => argument("locale")?,
                None => Argument::Given(Locale::default().code().to_owned()),
            };
            Some(RootFetch::Record {
                kind,
                id: argument("id")?,
                locale,
            })
        };
        match field.name.node.as_str() {
            "__typename" => Some(RootFetch::Nothing),
            "page" => Some(RootFetch::Page {
                url_path: argument("urlPath")?,
                locale: argument("locale")?,
            }),
            "pages" => Some(RootFetch::Pages),
            "chrome" => chrome(ChromePart::Both),
            "navigation" => chrome(ChromePart::Navigation),
            "footer" => chrome(ChromePart::Footer),
            "mdB2bBookADemo" => record("B2bBookADemo"),
            "mdHeroComponent" => record("HeroComponent"),
            "scrollThrough" => record("ScrollThrough"),
            _ => None,
        }
    }

    fn object(&self, object: &str, selections: &[&'d SelectionSet]) -> Option<Object> {
        let asked = self.operation.collect(self.types, object, selections)?;
        let fields = asked.into_iter().map(|(key, fields)| {
            Some(Field {
                key: written(key),
                source: self.source(object, &fields)?,
            })
        });
        Some(Object {
            fields: fields.collect::<Option<_>>()?,
        })
    }

    fn source(&self, object: &str, fields: &[&'d Asked]) -> Option<Source> {
        let name = fields.first()?.name.node.as_str();
        let is_own_name = name == "componentName" && self.types.is(object, BLOCK);
        if name == "__typename" || is_own_name {
            return Some(Source::Constant(format!("\"{object}\"")));
        }
        let kind = self.types.field(object, name)?;
        if name == "offer" && name_of(kind) == "Offer" {
            return Some(Source::Offer(self.object("Offer", &selections(fields))?));
        }
        let mut kind = self.kind(kind, &selections(fields))?;
        if kind.nullable && OPTIONAL_SCALAR_TYPES.contains(&object) {
            kind = Kind {
                nullable: true,
                shape: Shape::OptionalScalar(Box::new(kind)),
            };
        }
        Some(Source::Stored {
            name: name.to_owned(),
            kind,
        })
    }

    fn kind(&self, kind: &Type, selections: &[&'d SelectionSet]) -> Option<Kind> {
        let shape = match &kind.base {
            BaseType::List(inner) => Shape::List(Box::new(self.kind(inner, selections)?)),
            BaseType::Named(name) => self.named(name, selections)?,
        };
        Some(Kind {
            nullable: kind.nullable,
            shape,
        })
    }

    fn named(&self, name: &str, selections: &[&'d SelectionSet]) -> Option<Shape> {
        Some(match self.types.named(name) {
            Named::Object => Shape::Object(self.object(name, selections)?),
            Named::Interface(implementors) => {
                let each = implementors
                    .iter()
                    .map(|object| Some((object.clone(), self.object(object, selections)?)));
                Shape::Block(each.collect::<Option<HashMap<_, _>>>()?)
            }
            Named::Enum(values) => Shape::Enum(values.to_vec()),
            Named::Scalar => match name {
                "String" | "ID" | "DateTime" => Shape::Text,
                "Int" => Shape::Int,
                "Float" | "Decimal" => Shape::Number,
                "Boolean" => Shape::Boolean,
                _ => return None,
            },
        })
    }
}

fn selections<'d>(fields: &[&'d Asked]) -> Vec<&'d SelectionSet> {
    fields.iter().map(|field| &field.selection_set.node).collect()
}

/// Names contain no character that JSON escapes.
fn written(key: &str) -> String {
    format!("\"{key}\":")
}

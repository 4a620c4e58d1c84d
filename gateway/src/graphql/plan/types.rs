//! The types of the schema's fields, as needed by plans.
use std::collections::HashMap;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, FieldDefinition, Type, TypeDefinition, TypeKind, TypeSystemDefinition,
};

#[derive(Default)]
pub struct Types {
    objects: HashMap<String, ObjectType>,
    /// Each interface with the objects that implement it.
    interfaces: HashMap<String, Vec<String>>,
    enums: HashMap<String, Vec<String>>,
}

struct ObjectType {
    interfaces: Vec<String>,
    /// Fields without arguments.
    fields: HashMap<String, Type>,
}

/// A named type.
pub enum Named<'t> {
    Scalar,
    Object,
    Interface(&'t [String]),
    Enum(&'t [String]),
}

impl Types {
    /// Empty if the schema cannot be parsed: then no operation is planned.
    pub fn of(sdl: &str) -> Self {
        let mut types = Self::default();
        let Ok(document) = parse_schema(sdl) else {
            return types;
        };
        for definition in document.definitions {
            if let TypeSystemDefinition::Type(definition) = definition {
                types.add(definition.node);
            }
        }
        types
    }

    fn add(&mut self, definition: TypeDefinition) {
        let name = definition.name.node.to_string();
        match definition.kind {
            TypeKind::Object(object) => {
                let interfaces: Vec<String> =
                    object.implements.iter().map(|it| it.node.to_string()).collect();
                for interface in &interfaces {
                    self.interfaces
                        .entry(interface.clone())
                        .or_default()
                        .push(name.clone());
                }
                let fields = plain_fields(object.fields.into_iter().map(|field| field.node));
                self.objects.insert(name, ObjectType { interfaces, fields });
            }
            TypeKind::Enum(kind) => {
                let values = kind.values.iter().map(|value| value.node.value.node.to_string());
                self.enums.insert(name, values.collect());
            }
            TypeKind::Scalar | TypeKind::Interface(_) | TypeKind::Union(_) | TypeKind::InputObject(_) => {}
        }
    }

    pub fn field(&self, object: &str, field: &str) -> Option<&Type> {
        self.objects.get(object)?.fields.get(field)
    }

    #[cfg(test)]
    pub fn fields_of(&self, object: &str) -> Vec<(&str, &Type)> {
        let mut fields: Vec<_> = self.objects[object]
            .fields
            .iter()
            .map(|(name, kind)| (name.as_str(), kind))
            .collect();
        fields.sort_by_key(|(name, _)| *name);
        fields
    }

    pub fn named(&self, name: &str) -> Named<'_> {
        if self.objects.contains_key(name) {
            Named::Object
        } else if let Some(implementors) = self.interfaces.get(name) {
            Named::Interface(implementors)
        } else if let Some(values) = self.enums.get(name) {
            Named::Enum(values)
        } else {
            Named::Scalar
        }
    }

    /// True if a fragment on `condition` applies to this object.
    pub fn is(&self, object: &str, condition: &str) -> bool {
        let implements = |it: &ObjectType| it.interfaces.iter().any(|interface| interface == condition);
        object == condition || self.objects.get(object).is_some_and(implements)
    }
}

fn plain_fields(fields: impl Iterator<Item = FieldDefinition>) -> HashMap<String, Type> {
    fields
        .filter(|field| field.arguments.is_empty())
        .map(|field| (field.name.node.to_string(), field.ty.node))
        .collect()
}

/// The name inside `[Name!]!` and `Name`.
pub fn name_of(kind: &Type) -> &str {
    match &kind.base {
        BaseType::Named(name) => name,
        BaseType::List(inner) => name_of(inner),
    }
}

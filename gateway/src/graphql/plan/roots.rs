//! The root fields of an operation, with fragments and conditions resolved.
use std::collections::HashMap;

use async_graphql::parser::types::{
    BaseType, Directive, ExecutableDocument, Field, FragmentDefinition, OperationDefinition, OperationType,
    Selection, SelectionSet, VariableDefinition,
};
use async_graphql::{Name, Positioned};
use async_graphql_value::{ConstValue, Value};
use serde_json::Map;

use crate::graphql::plan::types::Types;

pub type Variables = Map<String, serde_json::Value>;

/// Fields by response key; several fields if fragments overlap.
pub type Collected<'d> = Vec<(&'d str, Vec<&'d Field>)>;

/// An operation of a document, with the values of the variables in its `@include` and `@skip` conditions.
pub struct Operation<'d> {
    pub definition: &'d OperationDefinition,
    fragments: &'d HashMap<Name, Positioned<FragmentDefinition>>,
    variables: &'d Variables,
}

impl<'d> Operation<'d> {
    /// The operation to run. `None` if it is not a query, or if it has directives.
    pub fn chosen(
        document: &'d ExecutableDocument,
        name: Option<&str>,
        variables: &'d Variables,
    ) -> Option<Self> {
        let mut operations = document.operations.iter();
        let definition = match name {
            None => operations.next().map(|(_, operation)| operation),
            Some(name) => operations.find_map(|(own, operation)| (own? == name).then_some(operation)),
        };
        let definition = &definition?.node;
        let is_plain = definition.ty == OperationType::Query && definition.directives.is_empty();
        is_plain.then_some(Self {
            definition,
            fragments: &document.fragments,
            variables,
        })
    }

    /// The fields that these selections select on an object, in the order of the response. `None` if a directive is not
    /// `@include`
    /// or `@skip`.
    pub fn collect(
        &self,
        types: &Types,
        object: &str,
        selections: &[&'d SelectionSet],
    ) -> Option<Collected<'d>> {
        let mut collected = Collected::new();
        for selection in selections {
            self.add(types, object, selection, &mut collected)?;
        }
        Some(collected)
    }

    fn add(
        &self,
        types: &Types,
        object: &str,
        selection: &'d SelectionSet,
        collected: &mut Collected<'d>,
    ) -> Option<()> {
        for item in &selection.items {
            if !self.is_included(item.node.directives())? {
                continue;
            }
            let (condition, inner) = match &item.node {
                Selection::Field(field) => {
                    let key = field.node.response_key().node.as_str();
                    match collected.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, fields)) => fields.push(&field.node),
                        None => collected.push((key, vec![&field.node])),
                    }
                    continue;
                }
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref();
                    (
                        condition.map(|on| on.node.on.node.as_str()),
                        &fragment.node.selection_set,
                    )
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = &self.fragments.get(&spread.node.fragment_name.node)?.node;
                    (
                        Some(fragment.type_condition.node.on.node.as_str()),
                        &fragment.selection_set,
                    )
                }
            };
            if condition.is_none_or(|condition| types.is(object, condition)) {
                self.add(types, object, &inner.node, collected)?;
            }
        }
        Some(())
    }

    fn is_included(&self, directives: &[Positioned<Directive>]) -> Option<bool> {
        let mut included = true;
        for directive in directives {
            let condition = match &directive.node.get_argument("if")?.node {
                Value::Boolean(condition) => *condition,
                Value::Variable(name) => self.boolean(name)?,
                _ => return None,
            };
            included &= match directive.node.name.node.as_str() {
                "include" => condition,
                "skip" => !condition,
                _ => return None,
            };
        }
        Some(included)
    }

    fn boolean(&self, name: &str) -> Option<bool> {
        match self.variables.get(name) {
            Some(value) => value.as_bool(),
            None => match self.variable(name)?.default_value.as_ref()?.node {
                ConstValue::Boolean(condition) => Some(condition),
                _ => None,
            },
        }
    }

    fn variable(&self, name: &str) -> Option<&'d VariableDefinition> {
        let mut variables = self.definition.variable_definitions.iter();
        variables.find_map(|variable| (variable.node.name.node == name).then_some(&variable.node))
    }

    pub fn argument(&self, field: &Field, name: &str) -> Option<Argument> {
        match &field.get_argument(name)?.node {
            Value::String(text) => Some(Argument::Given(text.clone())),
            Value::Variable(variable) => {
                let default = match self.variable(variable)?.default_value.as_ref().map(|it| &it.node) {
                    None => None,
                    Some(ConstValue::String(text)) => Some(text.clone()),
                    Some(_) => return None,
                };
                let name = variable.to_string();
                Some(Argument::Variable { name, default })
            }
            _ => None,
        }
    }

    /// The rule of each variable. `None` if a variable is neither a string nor a boolean.
    pub fn rules(&self) -> Option<Vec<VariableRule>> {
        let rule = |variable: &Positioned<VariableDefinition>| {
            let kind = &variable.node.var_type.node;
            let BaseType::Named(base) = &kind.base else {
                return None;
            };
            Some(VariableRule {
                name: variable.node.name.node.to_string(),
                is_text: match base.as_str() {
                    "String" => true,
                    "Boolean" => false,
                    _ => return None,
                },
                may_be_absent: kind.nullable || variable.node.default_value.is_some(),
            })
        };
        self.definition.variable_definitions.iter().map(rule).collect()
    }
}

/// A string in the query or in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Given(String),
    Variable { name: String, default: Option<String> },
}

impl Argument {
    pub fn value<'a>(&'a self, variables: &'a Variables) -> Option<&'a str> {
        match self {
            Self::Given(text) => Some(text),
            Self::Variable { name, default } => match variables.get(name) {
                Some(value) => value.as_str(),
                None => default.as_deref(),
            },
        }
    }
}

/// The values that a variable accepts. Others are left to the resolvers, which reject them.
pub struct VariableRule {
    name: String,
    is_text: bool,
    may_be_absent: bool,
}

impl VariableRule {
    pub fn is_met(&self, variables: &Variables) -> bool {
        match variables.get(&self.name) {
            None => self.may_be_absent,
            Some(value) if self.is_text => value.is_string(),
            Some(value) => value.is_boolean(),
        }
    }
}

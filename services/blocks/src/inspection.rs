//! The inspection of a block. It collects all errors at once, and findings for the lint.
//!
//! A model declares the kind of each field (`at.heading(…)`, `at.link(…)`). Rules and findings follow from the kind.

mod addresses;
pub mod findings;
mod styles;
mod texts;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::block::Block;
use crate::error::{BlockError, BlockErrorCode};
use crate::inspection::findings::{Findings, LinkFound};
use crate::model::Model;
use crate::parts::whole::Whole;

const LONGEST_LIST: usize = 100;
const LONGEST_ID: usize = 100;

/// Holds the path of the inspected field, so a rule names only its own field.
#[derive(Debug)]
pub struct Inspection {
    component: &'static str,
    path: Vec<String>,
    errors: Vec<BlockError>,
    findings: Findings,
    /// The level of the block's heading; of the page's heading if the block has none.
    level: u8,
}

impl Inspection {
    /// Applies every rule of a block or record.
    pub fn of<M: Model>(model: &M) -> Self {
        let mut inspection = Self {
            component: M::NAME,
            path: Vec::new(),
            errors: Vec::new(),
            findings: Findings::default(),
            level: 1,
        };
        model.inspect(&mut inspection);
        inspection
    }

    pub fn errors(self) -> Vec<BlockError> {
        self.errors
    }

    pub fn findings(self) -> Findings {
        self.findings
    }

    pub fn links(self) -> Vec<LinkFound> {
        self.findings.links
    }

    pub(crate) fn error(&mut self, field: &str, code: BlockErrorCode, message: impl Into<String>) {
        let field = self.locate(field);
        self.errors.push(BlockError {
            component: self.component.into(),
            field,
            code,
            message: message.into(),
        });
    }

    pub(crate) fn nested<M: Model>(&mut self, field: &str, model: &M) {
        self.path.push(field.to_owned());
        model.inspect(self);
        self.path.pop();
    }

    pub(crate) fn nested_if_present<M: Model>(&mut self, field: &str, model: Option<&M>) {
        if let Some(model) = model {
            self.nested(field, model);
        }
    }

    pub(crate) fn each<M: Model>(&mut self, field: &str, models: &[M]) {
        if !self.countable(field, models.len()) {
            return;
        }
        for (index, model) in models.iter().enumerate() {
            self.nested(&format!("{field}[{index}]"), model);
        }
    }

    /// A list that must not be empty.
    pub(crate) fn some_of_each<M: Model>(&mut self, field: &str, models: &[M]) {
        self.not_empty(field, models.len());
        self.each(field, models);
    }

    /// The blocks inside a container.
    pub(crate) fn blocks(&mut self, field: &str, blocks: &[Block]) {
        if !self.countable(field, blocks.len()) {
            return;
        }
        for (index, block) in blocks.iter().enumerate() {
            self.block(&format!("{field}[{index}]"), block);
        }
        self.unique_ids(field, blocks.iter().map(Block::own_id));
    }

    pub(crate) fn some_blocks(&mut self, field: &str, blocks: &[Block]) {
        self.not_empty(field, blocks.len());
        self.blocks(field, blocks);
    }

    pub(crate) fn block_if_present(&mut self, field: &str, block: Option<&Block>) {
        if let Some(block) = block {
            self.block(field, block);
        }
    }

    pub(crate) fn block(&mut self, field: &str, block: &Block) {
        self.path.push(field.to_owned());
        let in_an_id = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if block.own_id().len() > LONGEST_ID || !block.own_id().chars().all(in_an_id) {
            self.error(
                "id",
                BlockErrorCode::NotAllowed,
                "must be letters, digits, - and _",
            );
        }
        let around = std::mem::replace(&mut self.level, 1);
        block.inspect(self);
        self.level = around;
        self.path.pop();
    }

    pub(crate) fn unique_ids<'a>(&mut self, field: &str, ids: impl Iterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        for (index, id) in ids.enumerate() {
            if !id.is_empty() && !seen.insert(id) {
                self.error(
                    &format!("{field}[{index}].id"),
                    BlockErrorCode::Duplicate,
                    "another item has this id",
                );
            }
        }
    }

    /// Lower-case words joined by hyphens.
    pub(crate) fn slug(&mut self, field: &str, text: &str) {
        if text.is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else if !is_slug(text) {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                "must be lower-case letters, digits and hyphens",
            );
        }
    }

    pub(crate) fn optional_slug(&mut self, field: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.slug(field, text);
        }
    }

    pub(crate) fn within(&mut self, field: &str, value: Option<i32>, allowed: RangeInclusive<i32>) {
        if value.is_some_and(|value| !allowed.contains(&value)) {
            let (from, to) = allowed.into_inner();
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                format!("must be from {from} to {to}"),
            );
        }
    }

    pub(crate) fn whole(&mut self, field: &str, number: Whole, allowed: RangeInclusive<i32>) {
        if number.given().is_none() {
            self.error(field, BlockErrorCode::Required, "must be a whole number");
        }
        self.within(field, number.given(), allowed);
    }

    fn not_empty(&mut self, field: &str, count: usize) {
        if count == 0 {
            self.error(field, BlockErrorCode::Required, "must have at least one item");
        }
    }

    fn countable(&mut self, field: &str, count: usize) -> bool {
        if count > LONGEST_LIST {
            self.error(
                field,
                BlockErrorCode::TooLong,
                format!("must have at most {LONGEST_LIST} items"),
            );
        }
        count <= LONGEST_LIST
    }

    fn locate(&self, field: &str) -> String {
        let mut place = self.path.join(".");
        if !place.is_empty() && !field.is_empty() {
            place.push('.');
        }
        place.push_str(field);
        place
    }
}

fn is_slug(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && text.bytes().all(allowed)
}

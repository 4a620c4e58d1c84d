//! Surveys and their results.
pub mod survey;
pub mod survey_questions;

//! Surveys: answers, and the order of a personal program.

pub mod survey_answers;
pub mod survey_order;

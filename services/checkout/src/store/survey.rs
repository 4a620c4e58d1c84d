//! Survey answers and orders.

pub mod survey_answers;
pub mod survey_orders;

//! Surveys and their orders.

pub mod claim_survey_order;
pub mod create_survey_order;
pub mod create_survey_playlist;
pub mod get_survey;
pub mod save_survey_answers;
pub mod settle_survey_order;

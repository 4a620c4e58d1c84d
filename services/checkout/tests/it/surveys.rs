//! Survey orders, their answers and their payment.

mod calls;
mod claim_survey_order;
mod create_survey_order;
mod create_survey_playlist;
mod get_survey;
mod save_survey_answers;
mod settle_survey_order;

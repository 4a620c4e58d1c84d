//! Survey orders, their answers and their payment.

mod create_survey_order;
mod save_survey_answers;
mod settle_survey_order;

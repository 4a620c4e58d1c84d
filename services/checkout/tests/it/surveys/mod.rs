//! Survey orders, their answers and their payment.

mod create_survey_order;
mod survey_answers;
mod survey_payment;

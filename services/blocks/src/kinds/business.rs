//! Pages for companies.
pub mod b2b_book_a_demo;
pub mod b2b_calculator;
pub mod b2b_dashboard;
pub mod b2b_from;

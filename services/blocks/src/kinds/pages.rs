//! Blocks that fill a page.
pub mod almost_done_page;
pub mod gympass_page;
pub mod rules_page;
pub mod success_page;

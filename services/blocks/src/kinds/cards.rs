//! Cards, boxes and dialogs.
pub mod app_download_box;
pub mod blog_cards;
pub mod call_to_action_banner;
pub mod comment_box;
pub mod dialogs;
pub mod experts;
pub mod explanation_boxes;
pub mod feature_cards;
pub mod guide_cards;
pub mod job_ad;
pub mod program_scope_card;
pub mod qr;
pub mod read_more_articles;
pub mod testimonials;

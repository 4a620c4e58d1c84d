//! Text, images and arrangement.
pub mod accordion;
pub mod button_row;
pub mod carousel;
pub mod carousel_tabs;
pub mod heading;
pub mod horizontal_rule;
pub mod image_collection;
pub mod markdown_text;
pub mod picture;
pub mod progress_bar;
pub mod scroll_parallax;
pub mod scroll_through;
pub mod tabs;
pub mod tag;

//! Navigation, footer and page metadata.
pub mod footer;
pub mod navigation;
pub mod page_seo;

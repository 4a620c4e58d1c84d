//! Publications, releases and schedules.
pub mod add_to_release;
mod cancel_schedule;
pub mod create_release;
pub mod get_release;
mod list_schedules;
mod publish_chrome;
mod publish_draft;
mod publish_page;
pub mod publish_record;
pub mod publish_release;
mod publish_seed;
pub mod remove_from_release;
pub mod schedule_publish;
mod unpublish;

//! Everything that changes what readers see: publications, releases, schedules.
pub mod add_to_release;
pub mod cancel_schedule;
pub mod create_release;
pub mod get_release;
pub mod publish_chrome;
pub mod publish_draft;
pub mod publish_due;
pub mod publish_page;
pub mod publish_record;
pub mod publish_release;
pub mod publish_seed;
pub mod publish_snapshot;
pub mod remove_from_release;
pub mod schedule_publish;
pub mod unpublish;

//! Publications, releases and schedules.
mod publish_chrome;
mod publish_draft;
mod publish_page;
mod publish_record;
mod publish_release;
mod publish_seed;
mod schedule_publish;
mod unpublish;

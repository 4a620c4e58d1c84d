//! Drafts, versions and previews.
pub mod create_preview;
pub mod diff_draft;
pub mod diff_versions;
pub mod discard_draft;
pub mod get_draft;
pub mod get_preview;
pub mod get_version;
pub mod list_drafts;
pub mod list_schedules;
pub mod list_versions;
pub mod purge_previews;
pub mod restore_version;
pub mod revoke_preview;
pub mod save_draft;
pub mod stale_draft;

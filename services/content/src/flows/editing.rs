//! Drafts, versions and previews.
pub mod create_preview;
pub mod discard_draft;
pub mod purge_previews;
pub mod read_drafts;
pub mod read_preview;
pub mod read_versions;
pub mod restore_version;
pub mod revoke_preview;
pub mod save_draft;
pub mod stale_draft;

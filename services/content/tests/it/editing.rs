//! Drafts, previews and versions.
pub mod create_preview;
pub mod diff_versions;
mod discard_draft;
mod get_draft;
pub mod get_preview;
mod get_version;
mod list_drafts;
pub mod list_versions;
mod restore_version;
mod revoke_preview;
mod save_draft;

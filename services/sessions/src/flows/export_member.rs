//! Export of a member's data. Replies hold no member id, so it is empty.
use proto::export::v1::SessionsExport;

pub fn export_member() -> SessionsExport {
    SessionsExport {}
}

//! Roles of accounts, for the command line of operators.
mod grant_role;
mod list_roles;
mod revoke_role;

pub use grant_role::grant_role;
pub use list_roles::list_roles;
pub use revoke_role::revoke_role;

/// What became of a grant or a revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleChange {
    Done,
    /// The account had the role already, or had it not.
    Unchanged,
    UnknownAccount,
}

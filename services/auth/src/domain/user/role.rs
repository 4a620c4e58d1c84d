//! Roles beyond member, and when a session may use them.
use std::str::FromStr;

use crate::domain::session::step_up::Authentication;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Coach,
    CompanyAdministrator,
    Operator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the roles are coach, company_administrator and operator")]
pub struct UnknownRole;

impl Role {
    pub const ALL: [Self; 3] = [Self::Coach, Self::CompanyAdministrator, Self::Operator];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Coach => "coach",
            Self::CompanyAdministrator => "company_administrator",
            Self::Operator => "operator",
        }
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(name: &str) -> Result<Self, UnknownRole> {
        let mut all = Self::ALL.into_iter();
        all.find(|role| role.as_str() == name).ok_or(UnknownRole)
    }
}

/// The roles that a session may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveRoles {
    pub roles: Vec<Role>,
    /// The account has roles, and this session may not use them.
    pub second_factor_missing: bool,
}

/// A session that the second factor did not verify acts as that of a plain member.
pub fn active_roles(granted: Vec<Role>, authentication: &Authentication) -> ActiveRoles {
    if authentication.is_verified() {
        return ActiveRoles {
            roles: granted,
            second_factor_missing: false,
        };
    }
    ActiveRoles {
        second_factor_missing: !granted.is_empty(),
        roles: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn a_role_is_found_by_its_name() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse::<Role>(), Ok(role));
        }
        assert_eq!("admin".parse::<Role>(), Err(UnknownRole));
    }

    #[test]
    fn roles_are_active_in_sessions_that_the_second_factor_verified() {
        let authentication = |has_second_factor, is_verified: bool| Authentication {
            authenticated_at: None,
            second_factor_at: is_verified.then_some(DateTime::UNIX_EPOCH),
            has_password: true,
            has_second_factor,
        };
        let active = |authentication: &Authentication| active_roles(vec![Role::Coach], authentication);
        let verified = active(&authentication(true, true));
        assert_eq!(
            (verified.roles, verified.second_factor_missing),
            (vec![Role::Coach], false)
        );
        for other in [
            authentication(true, false),
            authentication(false, false),
            authentication(false, true),
        ] {
            let plain = active(&other);
            assert!(plain.roles.is_empty() && plain.second_factor_missing);
        }
        let member = active_roles(Vec::new(), &authentication(false, false));
        assert_eq!(member, ActiveRoles::default());
    }
}

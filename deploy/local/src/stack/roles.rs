//! The roles of the services in our own Postgres: their passwords, and the addresses that each process gets.

use std::{path::Path, process::Command};

use super::{Settings, passwords, setting};
use crate::{command, context::Context, failure::Failure, settings::SERVICES};

/// Beside the password of the superuser.
const PASSWORDS: &str = "role-passwords";

/// The variable of the superuser's address, which no service gets.
const ADMIN: &str = "ADMIN_DATABASE_URL";

pub struct Roles {
    admin_url: String,
    /// The variables of `standalone access postgres`.
    passwords: Settings,
}

impl Roles {
    /// Reads the passwords of this installation, and makes those that are missing. The superuser's address is
    /// `postgres://postgres:…@host/database`.
    pub fn prepare(home: &Path, admin_url: &str) -> Result<Self, Failure> {
        let file = home.join(PASSWORDS);
        let variables = SERVICES.iter().flat_map(|service| {
            let name = service.name.to_uppercase();
            [
                format!("{name}_DATABASE_PASSWORD"),
                format!("{name}_MIGRATION_PASSWORD"),
            ]
        });
        let variables: Vec<_> = variables.collect();
        let passwords = passwords::ensure(&file, variables.iter().map(String::as_str))?;
        Ok(Self {
            admin_url: admin_url.to_owned(),
            passwords,
        })
    }

    /// Makes the roles, or changes their passwords. Arguments are visible to all users of the machine, so secrets are passed in
    /// the environment.
    pub fn create(&self, context: &Context, programs: &Path) -> Result<(), Failure> {
        let mut access = Command::new(programs.join("standalone"));
        access
            .args(["access", "postgres"])
            .env(ADMIN, &self.admin_url)
            .envs(self.passwords.iter().map(|(name, value)| (name, value)));
        command::run_logged(context, "create database roles", &mut access)
    }

    /// The addresses for a process: of its own schema, or of all schemas for `standalone`.
    pub fn settings_of(&self, process: &str) -> Settings {
        SERVICES
            .iter()
            .map(|service| service.name)
            .filter(|service| *service == process || process == "standalone")
            .flat_map(|service| self.addresses(service))
            .collect()
    }

    /// For the tools of developers and operators: the addresses of all roles and of the superuser.
    pub fn settings_of_tools(&self) -> Settings {
        let mut settings = self.settings_of("standalone");
        settings.push(setting(ADMIN, self.admin_url.as_str()));
        settings
    }

    fn addresses(&self, service: &str) -> [(String, String); 2] {
        let name = service.to_uppercase();
        [
            (
                format!("{name}_DATABASE_URL"),
                self.address(service, &format!("{name}_DATABASE_PASSWORD")),
            ),
            (
                format!("{name}_MIGRATION_DATABASE_URL"),
                self.address(
                    &format!("{service}_migrations"),
                    &format!("{name}_MIGRATION_PASSWORD"),
                ),
            ),
        ]
    }

    fn address(&self, role: &str, variable: &str) -> String {
        let password = self.passwords.iter().find(|(name, _)| name == variable);
        let password = password.map_or("", |(_, password)| password.as_str());
        let server = self.admin_url.rsplit_once('@').map_or("", |(_, server)| server);
        format!("postgres://{role}:{password}@{server}")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn passwords_stay_and_each_process_gets_its_own_addresses() {
        let home = std::env::temp_dir().join(format!("stillpoint-roles-{}", std::process::id()));
        fs::create_dir_all(&home).expect("a folder");
        let admin = "postgres://postgres:root@127.0.0.1:5432/stillpoint";
        let roles = Roles::prepare(&home, admin).expect("roles");
        let again = Roles::prepare(&home, admin).expect("roles");
        assert_eq!(roles.passwords, again.passwords);
        let mode = fs::metadata(home.join(PASSWORDS))
            .expect("a file")
            .permissions()
            .mode();
        fs::remove_dir_all(&home).expect("removed");
        assert_eq!(mode & 0o777, 0o600);

        let names = |process: &str| -> Vec<String> {
            let settings = roles.settings_of(process);
            settings.into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(
            names("auth"),
            ["AUTH_DATABASE_URL", "AUTH_MIGRATION_DATABASE_URL"]
        );
        assert_eq!(names("standalone").len(), 2 * SERVICES.len());
        assert!(names("gateway").is_empty() && names("web").is_empty());
        assert!(!names("standalone").contains(&ADMIN.to_owned()));
        let (_, address) = &roles.settings_of("auth")[1];
        assert!(address.starts_with("postgres://auth_migrations:"), "{address}");
        assert!(address.ends_with("@127.0.0.1:5432/stillpoint"), "{address}");
    }
}

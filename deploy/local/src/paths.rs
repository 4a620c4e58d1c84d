//! The folders: the repository, its `.local/`, and a folder the user of Postgres can read.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use nix::{sys::statvfs::statvfs, unistd};

use crate::failure::Failure;

const MEMORY_FOLDER: &str = "/dev/shm";
/// More than the test databases and their log ever need.
const MEMORY_MIN_BYTES: u64 = 4 << 30;

#[derive(Debug, Clone)]
pub struct Paths {
    pub repo: PathBuf,
    /// Fetched programs; safe to delete, fetched again when missing.
    pub tools: PathBuf,
    /// Data, logs and process ids of one instance: `.local/` for `run`, below `.local/test/` for tests.
    pub state: PathBuf,
    /// Like `state`, but readable by the unprivileged user of Postgres when this program runs as root.
    pub postgres_state: PathBuf,
    pub postgres_tools: PathBuf,
}

impl Paths {
    pub fn find() -> Self {
        let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
        let repo = crate_dir.ancestors().nth(2).unwrap_or(crate_dir).to_path_buf();
        let state = repo.join(".local");
        let reachable = if unistd::geteuid().is_root() && !open_to_all(&repo) {
            folder_outside_repository(&repo)
        } else {
            state.clone()
        };
        Self {
            tools: state.join("tools"),
            postgres_tools: reachable.join("tools"),
            postgres_state: reachable,
            state,
            repo,
        }
    }

    /// The paths of another, independent instance.
    pub fn instance(&self, name: &str) -> Self {
        let below = Path::new("test").join(name);
        Self {
            state: self.state.join(&below),
            postgres_state: self.postgres_state.join(&below),
            ..self.clone()
        }
    }

    /// As `instance`, with databases in memory where there is enough of it. Each test creates and drops a database of some
    /// 300 files, which costs a file system on disk more than the test's own statements.
    pub fn test_instance(&self, name: &str) -> Self {
        let instance = self.instance(name);
        let memory = Path::new(MEMORY_FOLDER);
        if free_bytes(memory) < MEMORY_MIN_BYTES {
            return instance;
        }
        Self {
            postgres_state: memory.join(unique_name(&self.repo)).join(name),
            ..instance
        }
    }

    pub fn manifests(&self, tool: &str) -> PathBuf {
        self.repo.join("deploy/local").join(tool)
    }

    pub fn web(&self) -> PathBuf {
        self.repo.join("web")
    }

    /// The tests of Stripe's library against the sandbox.
    pub fn stripe_check(&self) -> PathBuf {
        self.repo.join("deploy/sandbox/node")
    }

    pub fn log(&self, name: &str) -> PathBuf {
        self.state
            .join("logs")
            .join(format!("{}.log", name.replace([' ', '/'], "-")))
    }

    pub fn runtime(&self) -> PathBuf {
        self.state.join("run")
    }

    pub fn postgres_home(&self) -> PathBuf {
        self.postgres_state.join("postgres")
    }

    /// True when the data of Postgres is outside of the repository.
    pub fn is_data_outside_repository(&self) -> bool {
        !self.postgres_state.starts_with(&self.state)
    }

    pub fn prepare(&self) -> Result<(), Failure> {
        for folder in [self.tools.clone(), self.state.join("logs"), self.runtime()] {
            create_dir(&folder)?;
        }
        Ok(())
    }

    /// A path relative to the repository.
    pub fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.repo)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

/// The databases of a test run: deleted at its end, because they may be in memory.
pub struct TestData {
    folder: PathBuf,
}

impl TestData {
    /// Deletes what a killed run left.
    pub fn prepare(paths: &Paths) -> Result<Self, Failure> {
        let folder = paths.postgres_home();
        remove_dir(&folder)?;
        Ok(Self { folder })
    }
}

impl Drop for TestData {
    fn drop(&mut self) {
        let _ = remove_dir(&self.folder);
    }
}

pub fn create_dir(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))
}

/// Replaces a file with secrets. Only its owner may read it, from its creation on.
pub fn write_private(file: &Path, text: &str) -> Result<(), Failure> {
    let written = match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(file)
            .and_then(|mut open| open.write_all(text.as_bytes())),
    };
    written.map_err(|error| Failure::file(file, &error))
}

pub fn remove_dir(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::file(folder, &error)),
        _ => Ok(()),
    }
}

fn open_to_all(folder: &Path) -> bool {
    const OTHERS_MAY_PASS: u32 = 0o001;
    folder.ancestors().all(|ancestor| {
        fs::metadata(ancestor).is_ok_and(|meta| meta.permissions().mode() & OTHERS_MAY_PASS != 0)
    })
}

fn folder_outside_repository(repo: &Path) -> PathBuf {
    Path::new("/var/lib").join(unique_name(repo))
}

fn unique_name(repo: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    repo.hash(&mut hasher);
    format!("stillpoint-{:08x}", hasher.finish() >> 32)
}

/// 0 when there is no such folder.
fn free_bytes(folder: &Path) -> u64 {
    statvfs(folder).map_or(0, |volume| {
        volume.blocks_available().saturating_mul(volume.fragment_size())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_the_one_that_holds_the_workspace() {
        assert!(Paths::find().repo.join("Cargo.toml").is_file());
    }

    #[test]
    fn instances_keep_their_state_apart_and_share_the_tools() {
        let main = Paths::find();
        let other = main.instance("one");
        assert_eq!(other.state, main.state.join("test/one"));
        assert_eq!(other.tools, main.tools);
        assert_ne!(other.postgres_home(), main.postgres_home());
    }

    #[test]
    fn paths_are_shown_from_the_repository() {
        let paths = Paths::find();
        assert_eq!(
            paths.relative(&paths.log("web pages")),
            ".local/logs/web-pages.log"
        );
    }
}

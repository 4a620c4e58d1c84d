//! One long-running child process: it dies with this program, logs to a file, and is identified by pid and start time.

use std::{
    fs::{self, File},
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::{self, Pid},
};

use crate::{command::missing, failure::Failure, paths::Paths};

/// The unprivileged user of Debian. Postgres refuses to run as root.
pub const UNPRIVILEGED: u32 = 65534;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    Caller,
    /// `UNPRIVILEGED` when this program runs as root, its own user otherwise.
    Unprivileged,
}

/// What to start, and how to stop it.
#[derive(Debug, Clone)]
pub struct Launch {
    pub name: &'static str,
    pub program: PathBuf,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub folder: PathBuf,
    pub identity: Identity,
    pub stop_signal: Signal,
    /// Processes of a higher stage are stopped before those of a lower one.
    pub stage: u8,
}

pub struct Process {
    pub name: &'static str,
    pub stage: u8,
    pub log: PathBuf,
    stop_signal: Signal,
    child: Child,
    pid_file: PathBuf,
}

impl Process {
    /// The calling thread must outlive the child: the kernel stops the child when that thread ends.
    pub fn start(launch: &Launch, paths: &Paths) -> Result<Self, Failure> {
        let log = paths.log(launch.name);
        let _ = fs::rename(&log, log.with_extension("old.log"));
        let out = File::create(&log).map_err(|error| Failure::file(&log, &error))?;
        let err = out.try_clone().map_err(|error| Failure::file(&log, &error))?;

        let mut command = bound_to_parent(launch);
        command
            .args(&launch.args)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&launch.folder)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .process_group(0);
        let child = command.spawn().map_err(|error| missing(&command, &error))?;

        let pid_file = paths.runtime().join(format!("{}.pid", launch.name));
        let started_at = start_time(child.id()).unwrap_or_default();
        fs::write(&pid_file, format!("{} {started_at}\n", child.id()))
            .map_err(|error| Failure::file(&pid_file, &error))?;
        Ok(Self {
            name: launch.name,
            stage: launch.stage,
            log,
            stop_signal: launch.stop_signal,
            child,
            pid_file,
        })
    }

    /// The exit status, once the child has ended.
    pub fn exit(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    pub fn terminate(&self) {
        let _ = killpg(self.group(), self.stop_signal);
    }

    pub fn kill(&mut self) {
        let _ = killpg(self.group(), Signal::SIGKILL);
        let _ = self.child.wait();
    }

    pub fn remove_pid_file(&self) {
        let _ = fs::remove_file(&self.pid_file);
    }

    fn group(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).unwrap_or(i32::MAX))
    }
}

// setpriv sets the parent-death signal, which std cannot without unsafe code.
fn bound_to_parent(launch: &Launch) -> Command {
    let mut command = Command::new("setpriv");
    command
        .arg("--pdeathsig")
        .arg(launch.stop_signal.as_str().trim_start_matches("SIG"));
    if launch.identity == Identity::Unprivileged && unistd::geteuid().is_root() {
        let id = UNPRIVILEGED.to_string();
        command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    }
    command.arg("--").arg(&launch.program);
    command
}

/// Stops the children of a previous run that was killed. A pid that belongs to another process by now is ignored.
pub fn stop_leftovers(paths: &Paths) -> Result<Vec<String>, Failure> {
    let folder = paths.runtime();
    let mut ended = Vec::new();
    for entry in fs::read_dir(&folder)
        .map_err(|error| Failure::file(&folder, &error))?
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "pid") {
            continue;
        }
        if let Some(pid) = running_pid(&path) {
            end(pid);
            ended.push(
                entry
                    .file_name()
                    .to_string_lossy()
                    .trim_end_matches(".pid")
                    .to_owned(),
            );
        }
        fs::remove_file(&path).map_err(|error| Failure::file(&path, &error))?;
    }
    Ok(ended)
}

fn running_pid(pid_file: &Path) -> Option<u32> {
    let text = fs::read_to_string(pid_file).ok()?;
    let (pid, started_at) = text.trim().split_once(' ')?;
    let pid = pid.parse().ok()?;
    (start_time(pid)?.to_string() == started_at).then_some(pid)
}

fn end(pid: u32) {
    const POLL: Duration = Duration::from_millis(50);
    const POLLS_MAX: u32 = 60;
    let group = Pid::from_raw(i32::try_from(pid).unwrap_or(i32::MAX));
    // SIGINT stops all our programs fast and cleanly, Postgres included.
    let _ = killpg(group, Signal::SIGINT);
    for _ in 0..POLLS_MAX {
        if start_time(pid).is_none() {
            return;
        }
        std::thread::sleep(POLL);
    }
    let _ = killpg(group, Signal::SIGKILL);
}

/// Clock ticks between boot and the start of the process. With the pid it identifies a process for good.
fn start_time(pid: u32) -> Option<u64> {
    parse_start_time(&read_stat(pid).ok()?)
}

fn read_stat(pid: u32) -> io::Result<String> {
    fs::read_to_string(format!("/proc/{pid}/stat"))
}

fn parse_start_time(stat: &str) -> Option<u64> {
    // The second field, the name in brackets, may itself hold spaces and brackets.
    const FIELDS_FROM_STATE_TO_START: usize = 19;
    let (_, rest) = stat.rsplit_once(") ")?;
    // A zombie has ended; its parent has not collected it yet.
    if rest.starts_with('Z') {
        return None;
    }
    rest.split(' ').nth(FIELDS_FROM_STATE_TO_START)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_time_is_found_behind_a_strange_name() {
        let stat =
            "42 (a) b) S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 2 18446744073709551615";
        assert_eq!(parse_start_time(stat), Some(987_654));
    }

    #[test]
    fn a_zombie_counts_as_ended() {
        assert_eq!(
            parse_start_time("42 (web) Z 1 42 42 0 -1 0 1 0 0 0 0 0 0 0 20 0 1 0 987654 0 0 0"),
            None
        );
    }

    #[test]
    fn a_process_has_one_start_time() {
        let own = std::process::id();
        assert!(start_time(own).is_some());
        assert_eq!(start_time(own), start_time(own));
    }

    #[test]
    fn a_pid_of_another_process_is_left_alone() {
        let file = std::env::temp_dir().join(format!("stillpoint-{}.pid", std::process::id()));
        fs::write(&file, format!("{} 1\n", std::process::id())).expect("temporary file");
        assert_eq!(running_pid(&file), None);
        fs::remove_file(&file).expect("temporary file");
    }
}

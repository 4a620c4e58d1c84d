//! The processes that are measured: when they have started, and their CPU time and memory as the kernel accounts them.

use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use anyhow::{Result, bail};

const STARTS_WITHIN: Duration = Duration::from_secs(5);

pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until `child` listens. Fails when it ends or takes too long.
pub fn wait_until_open(child: &mut Child, name: &str, port: u16) -> Result<()> {
    let give_up_at = Instant::now() + STARTS_WITHIN;
    while Instant::now() < give_up_at {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        if let Some(status) = child.try_wait()? {
            bail!("{name} ended at once: {status}");
        }
        thread::sleep(Duration::from_millis(50));
    }
    bail!("{name} did not open port {port}")
}

/// The CPU time and memory of one process tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// User and system time, ended children included.
    pub cpu_millis: u64,
    /// Proportional set size: shared pages are counted once over all processes.
    pub memory_kib: u64,
}

/// Resets the peak memory of a process.
pub fn reset_peak(pid: u32) -> io::Result<()> {
    const PEAK: &str = "5";
    fs::write(format!("/proc/{pid}/clear_refs"), PEAK)
}

/// The peak resident memory of the process since the reset.
pub fn peak_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    kib_after(&status, "VmHWM:")
}

/// Fields of `/proc/<pid>/stat` after the name: utime and stime, then the same of ended children.
const OWN: std::ops::Range<usize> = 11..13;
const WITH_ENDED_CHILDREN: std::ops::Range<usize> = 11..15;

/// Sums over the process and its descendants.
pub fn usage(pid: u32) -> Usage {
    tree(pid).into_iter().fold(Usage::default(), |sum, member| Usage {
        cpu_millis: sum.cpu_millis
            + cpu_millis(member, if member == pid { WITH_ENDED_CHILDREN } else { OWN }),
        memory_kib: sum.memory_kib + memory_kib(member),
    })
}

fn tree(root: u32) -> Vec<u32> {
    let mut members = vec![root];
    let mut next = 0;
    while next < members.len() {
        members.extend(children(members[next]));
        next += 1;
    }
    members
}

/// Children by every thread of the process: the kernel lists them per thread.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

/// Only the root's ended children are added: an inner process's own are summed when it ends itself.
fn cpu_millis(pid: u32, counted: std::ops::Range<usize>) -> u64 {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return 0;
    };
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return 0;
    };
    let ticks: Vec<u64> = fields
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    ticks
        .get(counted)
        .map_or(0, |used| used.iter().sum::<u64>() * millis_per_tick())
}

fn millis_per_tick() -> u64 {
    let per_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK)
        .ok()
        .flatten()
        .unwrap_or(100);
    1000 / u64::try_from(per_second).unwrap_or(100).max(1)
}

fn memory_kib(pid: u32) -> u64 {
    let Ok(rollup) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
        return 0;
    };
    kib_after(&rollup, "Pss:")
}

fn kib_after(text: &str, label: &str) -> u64 {
    text.lines()
        .find_map(|line| line.strip_prefix(label))
        .and_then(|value| value.split_whitespace().next())
        .and_then(|kib| kib.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_process_uses_memory() {
        assert!(usage(std::process::id()).memory_kib > 0);
    }

    #[test]
    fn a_peak_is_counted_from_when_it_was_forgotten() {
        let own = std::process::id();
        reset_peak(own).unwrap();
        let before = peak_kib(own);
        let filled = std::hint::black_box(vec![1_u8; 64 * 1024 * 1024]);
        assert!(peak_kib(own) >= before + 60 * 1024, "{} {before}", peak_kib(own));
        drop(filled);
    }

    #[test]
    fn a_process_that_is_gone_uses_nothing() {
        assert_eq!(usage(u32::MAX), Usage::default());
    }
}

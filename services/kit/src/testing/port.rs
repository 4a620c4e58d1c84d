//! Ports for servers that need theirs before they start.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ephemeral ranges of Linux (from 32768) and other systems (from 49152): the system could assign a port of those
/// between this call and the server's start.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// A free port; this process does not get it again.
///
/// # Panics
/// When the machine has none.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);

    // Test programs that run side by side begin far from one another.
    let start = u16::try_from(std::process::id().wrapping_mul(617) % u32::from(COUNT)).unwrap_or_default();
    for _ in 0..COUNT {
        let next = NEXT.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (start + next) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no free port from {FIRST} on");
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_port_is_given_once_and_never_by_the_kernel() {
        let ports: BTreeSet<u16> = (0..200).map(|_| free_port()).collect();
        assert_eq!(ports.len(), 200);
        let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
        let lowest = range.split_whitespace().next().and_then(|port| port.parse().ok());
        assert!(
            ports.iter().all(|port| *port < lowest.unwrap_or(32_768)),
            "{ports:?}"
        );
    }
}

//! Checks ports: free, taken and by which process, responding.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    time::Duration,
};

use crate::failure::Failure;

/// `HTTP/1.1 200`
const STATUS_LINE_BYTES: usize = 12;
const CONNECT_TIMEOUT: Duration = Duration::from_millis(300);

/// A port to be used, and the variable that changes it.
pub struct PortUse {
    pub port: u16,
    pub purpose: &'static str,
    pub variable: String,
}

pub fn require_free(wanted: &[PortUse]) -> Result<(), Failure> {
    for want in wanted {
        if TcpListener::bind((Ipv4Addr::LOCALHOST, want.port)).is_ok() {
            continue;
        }
        let by = owner(want.port).map_or_else(|| "another program".to_owned(), |owner| owner.to_string());
        return Err(Failure::new(format!(
            "Port {} ({}) is taken by {by}: stop it, or choose another port with {}=<port>.",
            want.port, want.purpose, want.variable
        )));
    }
    Ok(())
}

pub fn is_listening(port: u16) -> bool {
    TcpStream::connect_timeout(&local(port), CONNECT_TIMEOUT).is_ok()
}

/// The status of `GET path`; `None` without a response within `timeout`.
pub fn http_status(port: u16, path: &str, timeout: Duration) -> Option<u16> {
    let mut stream = TcpStream::connect_timeout(&local(port), CONNECT_TIMEOUT).ok()?;
    stream.set_read_timeout(Some(timeout)).ok()?;
    stream.set_write_timeout(Some(timeout)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;

    let mut start = [0; STATUS_LINE_BYTES];
    stream.read_exact(&mut start).ok()?;
    std::str::from_utf8(&start)
        .ok()?
        .strip_prefix("HTTP/1.1 ")?
        .parse()
        .ok()
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

struct Owner {
    name: String,
    pid: u32,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} (process {})", self.name, self.pid)
    }
}

/// The process that listens on the port, if it is visible to this user.
fn owner(port: u16) -> Option<Owner> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .find_map(|table| listening_inode(&table, port))?;
    let socket = format!("socket:[{inode}]");
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let mut descriptors = fs::read_dir(entry.path().join("fd")).ok()?.flatten();
        descriptors
            .any(|descriptor| {
                fs::read_link(descriptor.path()).is_ok_and(|link| link.as_os_str() == socket.as_str())
            })
            .then_some(())?;
        Some(Owner {
            name: program_name(&entry.path())?,
            pid,
        })
    })
}

fn program_name(process: &Path) -> Option<String> {
    let command = fs::read_to_string(process.join("cmdline")).ok()?;
    let program = Path::new(command.split('\0').next()?);
    Some(program.file_name()?.to_string_lossy().into_owned())
}

fn listening_inode(table: &str, port: u16) -> Option<u64> {
    const LISTEN: &str = "0A";
    let wanted = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let listens = fields.get(1)?.ends_with(&wanted) && *fields.get(3)? == LISTEN;
        listens.then(|| fields.get(9)?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_refused_with_its_owner_and_the_way_out() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let wanted = [PortUse {
            port,
            purpose: "the shop",
            variable: "GATEWAY_PORT".to_owned(),
        }];
        let sentence = require_free(&wanted).expect_err("taken").to_string();
        assert!(
            sentence.contains(&format!("Port {port} (the shop) is taken by")),
            "{sentence}"
        );
        assert!(
            sentence.contains(&format!("(process {})", std::process::id())),
            "{sentence}"
        );
        assert!(sentence.contains("GATEWAY_PORT=<port>"), "{sentence}");
    }

    #[test]
    fn a_free_port_is_fine() {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let wanted = [PortUse {
            port: port.expect("a free port").port(),
            purpose: "the shop",
            variable: "GATEWAY_PORT".to_owned(),
        }];
        assert_eq!(require_free(&wanted), Ok(()));
    }

    #[test]
    fn a_connection_is_not_mistaken_for_a_listener() {
        let table = "  sl  local_address rem_address   st\n\
             0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 11 1\n\
             1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 22 1\n";
        assert_eq!(listening_inode(table, 8080), Some(22));
        assert_eq!(listening_inode(table, 8081), None);
    }
}

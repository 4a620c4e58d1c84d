//! The protocol of NATS on a plain socket. The server answers in order: an error before its `PONG` belongs to what was sent before
//! the `PING`, so that a permission is known without a wait.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use serde_json::json;

use super::broker::{TIMEOUT, password_of};

pub struct Client {
    connection: BufReader<TcpStream>,
    user: String,
    subscriptions: u32,
}

enum Line {
    Pong,
    Error(String),
    Message(String),
    Other,
}

impl Client {
    /// Without a user: anonymous. The error is the server's.
    pub fn connect(port: u16, user: Option<&str>) -> Result<Self, String> {
        let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut client = Self {
            connection: BufReader::new(socket),
            user: user.unwrap_or_default().to_owned(),
            subscriptions: 0,
        };
        let mut options =
            json!({"verbose": false, "pedantic": false, "headers": true, "no_responders": true});
        if let Some(user) = user {
            options["user"] = json!(user);
            options["pass"] = json!(password_of(user));
        }
        match client.errors(&format!("CONNECT {options}\r\n")).pop() {
            None => Ok(client),
            Some(error) => Err(error),
        }
    }

    /// Whether the server permits it.
    pub fn publish(&mut self, subject: &str, payload: &str) -> bool {
        let command = format!("PUB {subject} {}\r\n{payload}\r\n", payload.len());
        self.is_permitted(&command)
    }

    /// Whether the server permits it.
    pub fn subscribe(&mut self, subject: &str) -> bool {
        self.subscriptions += 1;
        let id = self.subscriptions;
        // Its messages are not read.
        self.is_permitted(&format!("SUB {subject} {id}\r\nUNSUB {id}\r\n"))
    }

    /// The response, which is also a message of the stream.
    pub fn request(&mut self, subject: &str, payload: &str) -> String {
        self.subscriptions += 1;
        let id = self.subscriptions;
        let inbox = format!("_INBOX_{}.{id}", self.user);
        let bytes = payload.len();
        self.send(&format!(
            "SUB {inbox} {id}\r\nPUB {subject} {inbox} {bytes}\r\n{payload}\r\n"
        ));
        loop {
            match self.line() {
                Line::Message(message) => return message,
                Line::Error(error) => return error,
                Line::Pong | Line::Other => {}
            }
        }
    }

    fn is_permitted(&mut self, command: &str) -> bool {
        let errors = self.errors(command);
        let are_refusals = errors.iter().all(|error| error.contains("Permissions Violation"));
        assert!(are_refusals, "{command}: {errors:?}");
        errors.is_empty()
    }

    /// The errors that a command causes.
    fn errors(&mut self, command: &str) -> Vec<String> {
        self.send(&format!("{command}PING\r\n"));
        let mut errors = Vec::new();
        loop {
            match self.line() {
                Line::Pong => return errors,
                Line::Error(error) => {
                    let is_last = error.contains("Authorization") || error.contains("closed");
                    errors.push(error);
                    if is_last {
                        return errors;
                    }
                }
                Line::Message(_) | Line::Other => {}
            }
        }
    }

    fn send(&mut self, commands: &str) {
        // A server that has refused the connection may have closed it; the error is read afterwards.
        let _ = self.connection.get_mut().write_all(commands.as_bytes());
    }

    fn line(&mut self) -> Line {
        let mut line = String::new();
        match self.connection.read_line(&mut line) {
            Ok(0) | Err(_) => return Line::Error("the connection is closed".to_owned()),
            Ok(_) => {}
        }
        let line = line.trim_end();
        let kind = line.split(' ').next().unwrap_or_default();
        match kind {
            "PONG" => Line::Pong,
            "-ERR" => Line::Error(line.to_owned()),
            "PING" => {
                self.send("PONG\r\n");
                Line::Other
            }
            "MSG" | "HMSG" => {
                let mut sizes = line.split(' ').rev().map(str::parse::<usize>);
                let bytes = sizes.next().unwrap().unwrap();
                let headers = if kind == "HMSG" {
                    sizes.next().unwrap().unwrap()
                } else {
                    0
                };
                let mut content = vec![0; bytes + "\r\n".len()];
                self.connection.read_exact(&mut content).unwrap();
                let payload = content[headers..bytes].to_vec();
                Line::Message(String::from_utf8(payload).unwrap())
            }
            _ => Line::Other,
        }
    }
}

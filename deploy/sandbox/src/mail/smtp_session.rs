//! An SMTP session (RFC 5321): the commands that a mail client needs, and fault injection.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
};

use super::{
    inbox::{Envelope, Inbox},
    message,
};
use crate::engine::faults::{self, Action, InjectedFailure};

const LINE_MAX: u64 = 4096;
const MAIL_MAX: usize = 1024 * 1024;
const READ_TIMEOUT: Duration = Duration::from_mins(1);
const RECIPIENTS_MAX: usize = 100;

pub struct Session {
    stream: BufStream<TcpStream>,
    inbox: Arc<Inbox>,
    sender: Option<String>,
    recipients: Vec<String>,
}

enum Reply {
    Continue(String),
    /// Replies, then disconnects.
    Quit(String),
    /// Disconnects without a reply.
    Disconnect,
}

fn reply(text: &str) -> Reply {
    Reply::Continue(text.to_owned())
}

impl Session {
    pub fn new(stream: TcpStream, inbox: Arc<Inbox>) -> Self {
        Self {
            stream: BufStream::new(stream),
            inbox,
            sender: None,
            recipients: Vec::new(),
        }
    }

    pub async fn run(mut self) {
        if let Err(error) = self.serve().await {
            tracing::debug!(%error, "SMTP connection ended early");
        }
    }

    async fn serve(&mut self) -> io::Result<()> {
        self.send("220 sandbox.localhost ESMTP").await?;
        while let Some(line) = self.read_line().await? {
            match self.execute(&line).await? {
                Reply::Continue(text) => self.send(&text).await?,
                Reply::Quit(text) => return self.send(&text).await,
                Reply::Disconnect => return Ok(()),
            }
        }
        Ok(())
    }

    async fn execute(&mut self, line: &str) -> io::Result<Reply> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match verb.to_ascii_uppercase().as_str() {
            "EHLO" => reply("250-sandbox.localhost\r\n250-SIZE 1048576\r\n250-8BITMIME\r\n250 SMTPUTF8"),
            "HELO" => reply("250 sandbox.localhost"),
            "MAIL" => self.set_sender(rest).await,
            "RCPT" => self.add_recipient(rest).await,
            "DATA" => self.receive_mail().await?,
            "RSET" => {
                self.reset();
                reply("250 2.0.0 Forgotten")
            }
            "NOOP" => reply("250 2.0.0 Still here"),
            "VRFY" => reply("252 2.5.0 Send it and see"),
            "QUIT" => Reply::Quit("221 2.0.0 Good bye".to_owned()),
            _ => reply("500 5.5.2 Unknown command"),
        })
    }

    async fn set_sender(&mut self, argument: &str) -> Reply {
        let Some(sender) = address(argument, "FROM:") else {
            return reply("501 5.5.4 MAIL FROM:<address>");
        };
        self.reset();
        if let Some(failure) = faults::before(&self.actions("MAIL", &sender)).await {
            return reply_of(failure);
        }
        self.sender = Some(sender);
        reply("250 2.1.0 Go on")
    }

    async fn add_recipient(&mut self, argument: &str) -> Reply {
        if self.sender.is_none() {
            return reply("503 5.5.1 MAIL first");
        }
        let Some(recipient) = address(argument, "TO:").filter(|address| address.contains('@')) else {
            return reply("501 5.1.3 RCPT TO:<address>");
        };
        if self.recipients.len() >= RECIPIENTS_MAX {
            return reply("452 4.5.3 Too many recipients");
        }
        if let Some(failure) = faults::before(&self.actions("RCPT", &recipient)).await {
            return reply_of(failure);
        }
        self.recipients.push(recipient);
        reply("250 2.1.5 Go on")
    }

    async fn receive_mail(&mut self) -> io::Result<Reply> {
        let (Some(from), Some(first)) = (self.sender.take(), self.recipients.first().cloned()) else {
            return Ok(reply("503 5.5.1 RCPT first"));
        };
        self.send("354 End with a dot on a line of its own").await?;
        let Some(raw) = self.read_body().await? else {
            self.reset();
            return Ok(reply("552 5.3.4 Too large"));
        };
        let envelope = Envelope {
            from,
            to: std::mem::take(&mut self.recipients),
        };
        let actions = self.actions("DATA", &first);
        if let Some(failure) = faults::before(&actions).await {
            return Ok(reply_of(failure));
        }
        let Some(content) = message::read(&raw) else {
            return Ok(reply("554 5.6.0 This is no mail"));
        };
        self.inbox.store(envelope, content);
        if faults::after(&actions).await {
            return Ok(Reply::Disconnect);
        }
        Ok(reply("250 2.0.0 Taken"))
    }

    /// The mail up to the final dot, with doubled dots restored. `None` if it is too large.
    async fn read_body(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut raw = Vec::new();
        let mut fits = true;
        loop {
            let line = self.read_bytes().await?;
            match line.as_slice() {
                [] => return Err(io::ErrorKind::UnexpectedEof.into()),
                b".\r\n" => return Ok(fits.then_some(raw)),
                [b'.', rest @ ..] => raw.extend_from_slice(rest),
                whole => raw.extend_from_slice(whole),
            }
            fits &= raw.len() <= MAIL_MAX;
            if !fits {
                raw.clear();
            }
        }
    }

    fn reset(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }

    fn actions(&self, command: &str, address: &str) -> Vec<Action> {
        let path = format!("/smtp/{address}");
        self.inbox.environment.faults.on_request(command, &path)
    }

    async fn read_line(&mut self) -> io::Result<Option<String>> {
        let bytes = self.read_bytes().await?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
    }

    async fn read_bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut bounded = (&mut self.stream).take(LINE_MAX);
        tokio::time::timeout(READ_TIMEOUT, bounded.read_until(b'\n', &mut bytes)).await??;
        Ok(bytes)
    }

    async fn send(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes()).await?;
        self.stream.write_all(b"\r\n").await?;
        self.stream.flush().await
    }
}

/// The reply of an injected failure.
fn reply_of(failure: InjectedFailure) -> Reply {
    match failure {
        InjectedFailure::CutConnection => Reply::Disconnect,
        InjectedFailure::Error { status, body, .. } => {
            let default = match status {
                400..500 => "4.3.0 Try again later",
                _ => "5.1.1 No such mailbox here",
            };
            let text = body.as_ref().and_then(|body| body.as_str()).unwrap_or(default);
            Reply::Continue(format!("{status} {text}"))
        }
    }
}

/// The address in `FROM:<ada@example.com> SIZE=3`; empty for `<>`.
fn address(argument: &str, before: &str) -> Option<String> {
    let head = argument.get(..before.len())?;
    if !head.eq_ignore_ascii_case(before) {
        return None;
    }
    let (address, _) = argument[before.len()..]
        .trim_start()
        .strip_prefix('<')?
        .split_once('>')?;
    Some(address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_read_from_angle_brackets() {
        assert_eq!(address("FROM:<a@b.c> SIZE=1", "FROM:").as_deref(), Some("a@b.c"));
        assert_eq!(address("from: <>", "FROM:").as_deref(), Some(""));
        for wrong in ["", "FROM:a@b.c", "TO:<a@b.c>", "FRO", "FROM:<a@b.c"] {
            assert_eq!(address(wrong, "FROM:"), None, "{wrong}");
        }
    }
}

//! One conversation in SMTP (RFC 5321): as much of it as a client needs that hands over mail, and its faults.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
};

use super::{Envelope, message};
use crate::{faults::Action, world::World};

const LINE_MAX: u64 = 4096;
const MAIL_MAX: usize = 1024 * 1024;
const SILENCE_MAX: Duration = Duration::from_mins(1);
const RECIPIENTS_MAX: usize = 100;

pub struct Session {
    stream: BufStream<TcpStream>,
    world: Arc<World>,
    sender: Option<String>,
    recipients: Vec<String>,
}

enum Reply {
    Say(String),
    /// Says it and hangs up.
    Leave(String),
    /// Hangs up without a word.
    Cut,
}

fn say(words: &str) -> Reply {
    Reply::Say(words.to_owned())
}

impl Session {
    pub fn new(stream: TcpStream, world: Arc<World>) -> Self {
        Self {
            stream: BufStream::new(stream),
            world,
            sender: None,
            recipients: Vec::new(),
        }
    }

    pub async fn run(mut self) {
        if let Err(error) = self.talk().await {
            tracing::debug!(%error, "a mail connection ended early");
        }
    }

    async fn talk(&mut self) -> io::Result<()> {
        self.answer("220 sandbox.localhost ESMTP").await?;
        while let Some(line) = self.line().await? {
            match self.obey(&line).await? {
                Reply::Say(words) => self.answer(&words).await?,
                Reply::Leave(words) => return self.answer(&words).await,
                Reply::Cut => return Ok(()),
            }
        }
        Ok(())
    }

    async fn obey(&mut self, line: &str) -> io::Result<Reply> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(match verb.to_ascii_uppercase().as_str() {
            "EHLO" => say("250-sandbox.localhost\r\n250-SIZE 1048576\r\n250-8BITMIME\r\n250 SMTPUTF8"),
            "HELO" => say("250 sandbox.localhost"),
            "MAIL" => self.begin(rest).await,
            "RCPT" => self.add_recipient(rest).await,
            "DATA" => self.take_mail().await?,
            "RSET" => {
                self.forget();
                say("250 2.0.0 Forgotten")
            }
            "NOOP" => say("250 2.0.0 Still here"),
            "VRFY" => say("252 2.5.0 Send it and see"),
            "QUIT" => Reply::Leave("221 2.0.0 Good bye".to_owned()),
            _ => say("500 5.5.2 Unknown command"),
        })
    }

    async fn begin(&mut self, argument: &str) -> Reply {
        let Some(sender) = address(argument, "FROM:") else {
            return say("501 5.5.4 MAIL FROM:<address>");
        };
        self.forget();
        for action in self.strike("MAIL", &sender) {
            if let Some(reply) = before(&action).await {
                return reply;
            }
        }
        self.sender = Some(sender);
        say("250 2.1.0 Go on")
    }

    async fn add_recipient(&mut self, argument: &str) -> Reply {
        if self.sender.is_none() {
            return say("503 5.5.1 MAIL first");
        }
        let Some(recipient) = address(argument, "TO:").filter(|address| address.contains('@')) else {
            return say("501 5.1.3 RCPT TO:<address>");
        };
        if self.recipients.len() >= RECIPIENTS_MAX {
            return say("452 4.5.3 Too many recipients");
        }
        for action in self.strike("RCPT", &recipient) {
            if let Some(reply) = before(&action).await {
                return reply;
            }
        }
        self.recipients.push(recipient);
        say("250 2.1.5 Go on")
    }

    async fn take_mail(&mut self) -> io::Result<Reply> {
        let (Some(from), Some(first)) = (self.sender.take(), self.recipients.first().cloned()) else {
            return Ok(say("503 5.5.1 RCPT first"));
        };
        self.answer("354 End with a dot on a line of its own").await?;
        let Some(raw) = self.body().await? else {
            self.forget();
            return Ok(say("552 5.3.4 Too large"));
        };
        let envelope = Envelope {
            from,
            to: std::mem::take(&mut self.recipients),
        };
        let actions = self.strike("DATA", &first);
        for action in &actions {
            if let Some(reply) = before(action).await {
                return Ok(reply);
            }
        }
        let Some(content) = message::read(&raw) else {
            return Ok(say("554 5.6.0 This is no mail"));
        };
        self.world.inbox.keep(envelope, content, self.world.clock.now());
        Ok(after(&actions).await)
    }

    /// Up to the lonely dot, without the dots that were doubled on the way. `None` when there is too much of it.
    async fn body(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut raw = Vec::new();
        let mut fits = true;
        loop {
            let line = self.bytes().await?;
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

    fn forget(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }

    fn strike(&self, verb: &str, recipient: &str) -> Vec<Action> {
        let path = format!("/smtp/{recipient}");
        self.world.faults.strike_request(verb, &path)
    }

    async fn line(&mut self) -> io::Result<Option<String>> {
        let bytes = self.bytes().await?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
    }

    async fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut bounded = (&mut self.stream).take(LINE_MAX);
        tokio::time::timeout(SILENCE_MAX, bounded.read_until(b'\n', &mut bytes)).await??;
        Ok(bytes)
    }

    async fn answer(&mut self, words: &str) -> io::Result<()> {
        self.stream.write_all(words.as_bytes()).await?;
        self.stream.write_all(b"\r\n").await?;
        self.stream.flush().await
    }
}

/// What a fault makes of a command instead of its work.
async fn before(action: &Action) -> Option<Reply> {
    match action {
        Action::DelayBefore { ms } => {
            tokio::time::sleep(Duration::from_millis(*ms)).await;
            None
        }
        Action::DropBefore {} => Some(Reply::Cut),
        Action::Error { status, body, .. } => {
            let told = body.as_ref().and_then(|body| body.as_str());
            let usual = match status {
                400..500 => "4.3.0 Try again later",
                _ => "5.1.1 No such mailbox here",
            };
            Some(Reply::Say(format!("{status} {}", told.unwrap_or(usual))))
        }
        _ => None,
    }
}

/// What a fault makes of the answer to a mail that was taken.
async fn after(actions: &[Action]) -> Reply {
    for action in actions {
        match action {
            Action::DelayAfterCommit { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Action::DropAfterCommit {} => return Reply::Cut,
            _ => {}
        }
    }
    say("250 2.0.0 Taken")
}

/// `FROM:<ada@example.com> SIZE=3` without what is around the address; empty for `<>`.
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
    fn an_address_stands_in_angle_brackets() {
        assert_eq!(address("FROM:<a@b.c> SIZE=1", "FROM:").as_deref(), Some("a@b.c"));
        assert_eq!(address("from: <>", "FROM:").as_deref(), Some(""));
        for wrong in ["", "FROM:a@b.c", "TO:<a@b.c>", "FRO", "FROM:<a@b.c"] {
            assert_eq!(address(wrong, "FROM:"), None, "{wrong}");
        }
    }
}

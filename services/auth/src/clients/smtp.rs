//! SMTP delivery: plain, STARTTLS or TLS.
//!
//! One connection per mail. Commands are sent one by one, because only a 5xx reply to the recipient or the message
//! rejects this mail; other errors are retried.
mod address;
mod envelope;

use std::time::Duration;

use async_trait::async_trait;
use lettre::Address;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::{Error, response::Response};

use crate::domain::mail::RenderedMail;
use crate::ports::{Mailer, MailerError};

pub use address::{Security, Server};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const CONVERSATION_TIMEOUT: Duration = Duration::from_secs(20);
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(1);

pub struct Smtp {
    server: Server,
    from: Mailbox,
}

/// Where a conversation broke off.
#[derive(Clone, Copy)]
enum Step {
    Greeting,
    SignIn,
    Sender,
    Recipient,
    Message,
}

impl Smtp {
    pub fn new(server: Server, from: Mailbox) -> Self {
        Self { server, from }
    }

    /// The conversation as it is when the mail was taken.
    async fn transmit_mail(&self, mail: &RenderedMail) -> Result<AsyncSmtpConnection, MailerError> {
        let to = envelope::recipient(mail).ok_or_else(|| rejected("the address cannot be written to"))?;
        let written = envelope::message(mail, &self.from, &to)
            .map_err(|error| rejected(&format!("no message can be made of it: {error}")))?;

        let mut connection = self.connect().await?;
        self.send_commands(&mut connection, to, &written).await?;
        Ok(connection)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, MailerError> {
        let hello = ClientId::Domain(self.from.email.domain().to_owned());
        let tls =
            || TlsParameters::new(self.server.host.clone()).map_err(|error| failed(Step::Greeting, &error));
        let from_the_start = match self.server.security {
            Security::Tls => Some(tls()?),
            Security::StartTls | Security::None => None,
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            (self.server.host.as_str(), self.server.port),
            Some(CONNECT_TIMEOUT),
            &hello,
            from_the_start,
            None,
        )
        .await
        .map_err(|error| failed(Step::Greeting, &error))?;
        if self.server.security == Security::StartTls {
            let started = connection.starttls(tls()?, &hello).await;
            started.map_err(|error| failed(Step::Greeting, &error))?;
        }
        if let Some((user, password)) = &self.server.credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            let known = connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await;
            known.map_err(|error| failed(Step::SignIn, &error))?;
        }
        Ok(connection)
    }

    async fn send_commands(
        &self,
        connection: &mut AsyncSmtpConnection,
        to: Address,
        written: &[u8],
    ) -> Result<(), MailerError> {
        let mut parameters = Vec::new();
        if !AsRef::<str>::as_ref(&to).is_ascii() {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(rejected("the server takes no such addresses"));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        let sender = Mail::new(Some(self.from.email.clone()), parameters);
        accepted(Step::Sender, connection.command(sender).await)?;
        accepted(
            Step::Recipient,
            connection.command(Rcpt::new(to, Vec::new())).await,
        )?;
        accepted(Step::Message, connection.command(Data).await)?;
        accepted(Step::Message, connection.message(written).await)
    }
}

#[async_trait]
impl Mailer for Smtp {
    async fn send(&self, mail: &RenderedMail) -> Result<(), MailerError> {
        let conversation = tokio::time::timeout(CONVERSATION_TIMEOUT, self.transmit_mail(mail)).await;
        let mut connection = conversation
            .unwrap_or_else(|_| Err(MailerError::Deferred("the server is too slow".to_owned())))?;
        // The mail is accepted; errors of QUIT are ignored.
        let _ = tokio::time::timeout(GOODBYE_TIMEOUT, connection.quit()).await;
        Ok(())
    }
}

fn accepted(step: Step, answer: Result<Response, Error>) -> Result<(), MailerError> {
    answer.map(drop).map_err(|error| failed(step, &error))
}

/// Without the server's own words, which may repeat the address.
fn failed(step: Step, error: &Error) -> MailerError {
    let at = match step {
        Step::Greeting => "the greeting",
        Step::SignIn => "the sign-in",
        Step::Sender => "the sender",
        Step::Recipient => "the recipient",
        Step::Message => "the message",
    };
    let what = match error.status() {
        Some(code) => format!("{code} at {at}"),
        None if error.is_tls() => format!("no TLS at {at}"),
        None if error.is_timeout() => format!("no answer at {at}"),
        None if error.is_client() => format!("the server does not offer what is needed at {at}"),
        None => format!("the connection broke off at {at}"),
    };
    if error.is_permanent() && matches!(step, Step::Recipient | Step::Message) {
        MailerError::Rejected(what)
    } else {
        MailerError::Deferred(what)
    }
}

fn rejected(why: &str) -> MailerError {
    MailerError::Rejected(why.to_owned())
}

use sandbox::{Action, Fault};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
};

use crate::support::Fixture;

/// A raw SMTP client.
struct Client(BufStream<TcpStream>);

impl Client {
    async fn greet(fixture: &Fixture) -> Self {
        let url = fixture.sandbox.smtp_url();
        let stream = TcpStream::connect(url.strip_prefix("smtp://").unwrap())
            .await
            .unwrap();
        let mut client = Self(BufStream::new(stream));
        assert!(client.answer().await.starts_with("220 "));
        assert_eq!(client.say("EHLO test").await, "250 SMTPUTF8");
        client
    }

    /// The last line of the answer; empty when the other side has hung up.
    async fn answer(&mut self) -> String {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).await.unwrap_or_default();
            if read == 0 || line.as_bytes()[3] == b' ' {
                return line.trim_end().to_owned();
            }
        }
    }

    async fn say(&mut self, words: &str) -> String {
        self.0.write_all(format!("{words}\r\n").as_bytes()).await.unwrap();
        self.0.flush().await.unwrap();
        self.answer().await
    }

    async fn command(&mut self, words: &str) -> String {
        let answer = self.say(words).await;
        answer.get(..3).unwrap_or_default().to_owned()
    }

    /// The answer to the letter.
    async fn send(&mut self, to: &str, letter: &str) -> String {
        assert_eq!(self.command("MAIL FROM:<hello@stillpoint.example>").await, "250");
        assert_eq!(self.command(&format!("RCPT TO:<{to}>")).await, "250");
        assert_eq!(self.command("DATA").await, "354");
        self.command(&format!("{letter}\r\n.")).await
    }
}

async fn listed(fixture: &Fixture, query: &str) -> Value {
    let url = format!("{}/sandbox/mails{query}", fixture.sandbox.base());
    let body: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    body["mails"].clone()
}

const LETTER: &str =
    "Subject: Hello\r\nMessage-ID: <1@x>\r\n\r\nGood morning\r\n..hidden dot http://localhost/x";

#[tokio::test]
async fn what_was_mailed_is_in_the_inbox() {
    let fixture = Fixture::start().await;
    let mut client = Client::greet(&fixture).await;
    assert_eq!(client.send("ada@example.com", LETTER).await, "250");
    assert_eq!(
        client.send("grace@example.com", "Subject: Second\r\n\r\nx").await,
        "250"
    );
    assert_eq!(client.command("QUIT").await, "221");

    let all = listed(&fixture, "").await;
    assert_eq!(all[0]["subject"], "Second", "newest first");
    let hers = listed(&fixture, "?to=ADA@example.com").await;
    assert_eq!(hers.as_array().unwrap().len(), 1);
    let mail = &hers[0];
    assert_eq!(
        (&mail["from"], &mail["to"][0]),
        (&"hello@stillpoint.example".into(), &"ada@example.com".into())
    );
    assert_eq!(
        (&mail["subject"], &mail["message_id"]),
        (&"Hello".into(), &"1@x".into())
    );
    assert_eq!(mail["links"][0], "http://localhost/x");
    assert!(mail["text"].as_str().unwrap().contains("\n.hidden dot"), "{mail}");
    assert!(
        mail["received_at"]
            .as_str()
            .unwrap()
            .starts_with("2026-11-20T12:00:00")
    );
}

#[tokio::test]
async fn the_inbox_is_emptied_for_one_or_for_all() {
    let fixture = Fixture::start().await;
    let mut client = Client::greet(&fixture).await;
    for to in ["ada@example.com", "grace@example.com", "alan@example.com"] {
        client.send(to, LETTER).await;
    }
    let delete = async |query: &str| {
        let url = format!("{}/sandbox/mails{query}", fixture.sandbox.base());
        reqwest::Client::new()
            .delete(url)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(delete("?to=ada@example.com").await, 204);
    assert_eq!(listed(&fixture, "").await.as_array().unwrap().len(), 2);
    assert_eq!(delete("").await, 204);
    assert_eq!(listed(&fixture, "").await.as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn faults_apply_to_sender_recipient_and_data() {
    let fixture = Fixture::start().await;
    let script = |verb: &str, path: &str, action| fixture.sandbox.faults().add(Fault::on(verb, path, action));
    let refuse = |status| Action::Error {
        status,
        body: None,
        stored: None,
    };
    let mut client = Client::greet(&fixture).await;
    script("MAIL", "/smtp/hello@*", refuse(550));
    assert_eq!(
        client.command("MAIL FROM:<hello@stillpoint.example>").await,
        "550"
    );
    script("RCPT", "/smtp/unknown@example.com", refuse(550));
    assert_eq!(
        client.command("MAIL FROM:<hello@stillpoint.example>").await,
        "250"
    );
    assert_eq!(client.command("RCPT TO:<unknown@example.com>").await, "550");
    script("DATA", "/smtp/ada@example.com", refuse(451));
    assert_eq!(client.send("ada@example.com", LETTER).await, "451");
    assert!(fixture.sandbox.mails().is_empty());
    assert_eq!(client.send("ada@example.com", LETTER).await, "250");
}

#[tokio::test]
async fn a_connection_can_be_cut_with_the_mail_taken_or_not() {
    for (action, taken) in [(Action::DropBefore {}, 0), (Action::DropAfterCommit {}, 1)] {
        let fixture = Fixture::start().await;
        fixture.sandbox.faults().add(Fault::on("DATA", "/smtp/*", action));
        let mut client = Client::greet(&fixture).await;
        assert_eq!(client.send("ada@example.com", LETTER).await, "");
        assert_eq!(fixture.sandbox.mails().len(), taken);
    }
}

#[tokio::test]
async fn commands_out_of_order_and_unknown_ones_are_refused() {
    let fixture = Fixture::start().await;
    let mut client = Client::greet(&fixture).await;
    for (said, answer) in [
        ("RCPT TO:<ada@example.com>", "503"),
        ("DATA", "503"),
        ("MAIL FROM: ada", "501"),
        ("MAIL FROM:<hello@stillpoint.example> SIZE=1", "250"),
        ("RCPT TO:<ada>", "501"),
        ("RCPT TO:<ada@example.com>", "250"),
        ("RSET", "250"),
        ("DATA", "503"),
        ("STARTTLS", "500"),
        ("NOOP", "250"),
        ("VRFY ada", "252"),
    ] {
        assert_eq!(client.command(said).await, answer, "{said}");
    }
}

#[tokio::test]
async fn too_large_a_mail_is_refused_and_the_next_one_is_not() {
    let fixture = Fixture::start().await;
    let mut client = Client::greet(&fixture).await;
    let line = format!("{}\r\n", "x".repeat(998));
    assert_eq!(
        client.send("ada@example.com", line.repeat(1100).trim_end()).await,
        "552"
    );
    assert_eq!(client.send("ada@example.com", LETTER).await, "250");
    assert_eq!(fixture.sandbox.mails().len(), 1);
}

#[tokio::test]
async fn the_inbox_page_shows_a_mail_without_its_scripts() {
    let fixture = Fixture::start().await;
    let html = "Subject: x\r\nContent-Type: text/html\r\n\r\n<html><head></head><script>1</script></html>";
    Client::greet(&fixture).await.send("ada@example.com", html).await;
    for path in ["/sandbox/inbox/", "/sandbox/inbox/inbox.js"] {
        let page = reqwest::get(format!("{}{path}", fixture.sandbox.base()))
            .await
            .unwrap();
        assert_eq!(page.status().as_u16(), 200, "{path}");
    }
    let shown = |id: u64| reqwest::get(format!("{}/sandbox/mails/{id}/html", fixture.sandbox.base()));
    let mail = shown(1).await.unwrap();
    let policy = mail.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(mail.text().await.unwrap().contains("<base target=\"_blank\">"));
    assert_eq!(shown(2).await.unwrap().status().as_u16(), 404);
}

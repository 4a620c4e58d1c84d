//! A model behind the chat completions protocol, streamed: `OpenAI`'s own, or any that speaks it.
//!
//! Not a generated SDK: we make one call, and must know of each fault whether trying again can help.
mod lines;
mod refusal;
mod wire;

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::{BoxStream, try_unfold};
use kit::retry::{Policy, retry_when};
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};

use self::lines::Lines;
use self::wire::{Chunk, Message, Request};
use crate::domain::brief::Brief;
use crate::ports::{Pieces, Writer, WriterError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Of a text of 220 words in any script; the model is told the length as well.
const TOKENS_MAX: u32 = 2_000;

/// Nothing was written yet, and somebody is looking at an empty page.
const POLICY: Policy = Policy {
    attempts: 3,
    first_wait: Duration::from_millis(300),
    longest_wait: Duration::from_secs(1),
};

pub struct Settings {
    /// Without a slash at the end, such as `https://api.openai.com/v1`.
    pub api_base: String,
    pub api_key: SecretString,
    pub model: String,
    /// For the first answer and between any two pieces.
    pub timeout: Duration,
}

pub struct ChatCompletions {
    client: Client,
    settings: Settings,
}

impl ChatCompletions {
    pub fn new(settings: Settings) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(settings.timeout)
            .user_agent(concat!("stillpoint-sessions/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { client, settings })
    }

    async fn ask(&self, brief: &Brief) -> Result<Response, WriterError> {
        let request = Request {
            model: &self.settings.model,
            messages: [
                Message::new("system", &brief.instructions),
                Message::new("user", &brief.question),
            ],
            stream: true,
            max_completion_tokens: TOKENS_MAX,
        };
        let response = self
            .client
            .post(format!("{}/chat/completions", self.settings.api_base))
            .bearer_auth(self.settings.api_key.expose_secret())
            .json(&request)
            .send()
            .await
            .map_err(|fault| WriterError::Unreached(fault.without_url().to_string()))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            status => Err(refusal::of_status(
                status,
                &response.bytes().await.unwrap_or_default(),
            )),
        }
    }
}

#[async_trait]
impl Writer for ChatCompletions {
    async fn write(&self, brief: &Brief) -> Result<Pieces, WriterError> {
        let passes = |error: &WriterError| matches!(error, WriterError::Unreached(_) | WriterError::Busy(_));
        let response = retry_when(POLICY, passes, || self.ask(brief)).await?;
        let arriving = Arriving {
            bytes: response.bytes_stream().boxed(),
            lines: Lines::default(),
            pieces: VecDeque::new(),
            end: End::NotYet,
        };
        Ok(try_unfold(arriving, Arriving::next).boxed())
    }
}

/// An answer on its way.
struct Arriving {
    bytes: BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    lines: Lines,
    pieces: VecDeque<String>,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    NotYet,
    /// The model has said that it has finished; some send more after it.
    Said,
    Reached,
}

impl Arriving {
    async fn next(mut self) -> Result<Option<(String, Self)>, WriterError> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                return Ok(Some((piece, self)));
            }
            if self.end == End::Reached {
                return Ok(None);
            }
            match self.bytes.next().await {
                Some(Ok(bytes)) => self.read(&bytes)?,
                Some(Err(fault)) => return Err(WriterError::BrokenOff(fault.without_url().to_string())),
                None if self.end == End::Said => return Ok(None),
                None => return Err(WriterError::BrokenOff("the stream ended early".to_owned())),
            }
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), WriterError> {
        for data in self.lines.push(bytes)? {
            if data == "[DONE]" {
                self.end = End::Reached;
                return Ok(());
            }
            let chunk: Chunk = serde_json::from_str(&data)
                .map_err(|_| WriterError::BrokenOff("a chunk cannot be read".to_owned()))?;
            self.take(chunk)?;
        }
        Ok(())
    }

    fn take(&mut self, chunk: Chunk) -> Result<(), WriterError> {
        if let Some(error) = chunk.error {
            return Err(refusal::of_error(&error));
        }
        let Some(choice) = chunk.choices.into_iter().next() else {
            return Ok(());
        };
        if choice.delta.refusal.is_some_and(|words| !words.is_empty()) {
            return Err(WriterError::Declined);
        }
        self.pieces
            .extend(choice.delta.content.filter(|piece| !piece.is_empty()));
        match choice.finish_reason.as_deref() {
            None => {}
            Some("content_filter") => return Err(WriterError::Declined),
            Some(_) => self.end = End::Said,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a stream, and how it ends.
    async fn read(text: &'static str) -> (String, Option<WriterError>) {
        // As the network would cut it at its worst.
        let bytes = futures::stream::iter(text.as_bytes().chunks(7).map(|part| Ok(part.into())));
        let arriving = Arriving {
            bytes: bytes.boxed(),
            lines: Lines::default(),
            pieces: VecDeque::new(),
            end: End::NotYet,
        };
        let mut pieces = try_unfold(arriving, Arriving::next).boxed();
        let mut whole = String::new();
        while let Some(piece) = pieces.next().await {
            match piece {
                Ok(piece) => whole.push_str(&piece),
                Err(error) => return (whole, Some(error)),
            }
        }
        (whole, None)
    }

    #[tokio::test]
    async fn a_text_is_what_its_chunks_say_together() {
        let text = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n\
                    : a comment\r\n\r\n\
                    data: {\"choices\":[{\"delta\":{\"content\":\"Şimdi \"}}]}\r\n\r\n\
                    data: {\"choices\":[{\"delta\":{\"content\":\"gel\"},\"finish_reason\":null}]}\n\n\
                    data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
                    data: {\"choices\":[],\"usage\":{}}\n\n\
                    data: [DONE]\n\n";
        assert_eq!(read(text).await, ("Şimdi gel".to_owned(), None));
    }

    #[tokio::test]
    async fn an_end_that_was_said_needs_no_mark() {
        let text = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"length\"}]}\n\n";
        assert_eq!(read(text).await, ("Hi".to_owned(), None));
    }

    #[tokio::test]
    async fn an_end_that_was_not_is_a_break() {
        let (whole, error) = read("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n").await;
        assert_eq!(whole, "Hi");
        assert!(matches!(error, Some(WriterError::BrokenOff(_))), "{error:?}");
    }

    #[tokio::test]
    async fn a_filtered_or_refused_answer_is_declined() {
        for text in [
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"}}]}\n\n",
        ] {
            assert_eq!(read(text).await.1, Some(WriterError::Declined));
        }
    }

    #[tokio::test]
    async fn an_error_in_the_middle_is_told_as_what_it_is() {
        let text = "data: {\"error\":{\"message\":\"slow down\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}\n\n";
        assert!(matches!(read(text).await.1, Some(WriterError::Busy(_))));
        assert!(matches!(
            read("data: {nope\n\n").await.1,
            Some(WriterError::BrokenOff(_))
        ));
    }
}

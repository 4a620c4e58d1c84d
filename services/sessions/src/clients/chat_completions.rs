//! Client of the streamed chat completions protocol of `OpenAI` and compatible providers.
//!
//! Not a generated SDK: it makes one call and classifies every error as retryable or not.
mod errors;
mod sse;
mod wire;

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::{BoxStream, try_unfold};
use kit::backoff::Backoff;
use kit::retry::{Policy, retry_when};
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};

use self::sse::SseParser;
use self::wire::{Chunk, Message, Request};
use crate::domain::prompt::Prompt;
use crate::ports::{LanguageModel, ModelError, TextStream};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Enough for 220 words in any script; the prompt asks for that length.
const MAX_TOKENS: u32 = 2_000;

/// Short waits: the reader sees an empty page meanwhile.
const RETRY_POLICY: Policy = Policy {
    attempts: 3,
    backoff: Backoff::new(Duration::from_millis(300), Duration::from_secs(1)),
};

pub struct Settings {
    /// Without a slash at the end, such as `https://api.openai.com/v1`.
    pub api_base: String,
    pub api_key: SecretString,
    pub model: String,
    /// For the response headers and between any two reads of the body.
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

    async fn request_completion(&self, brief: &Prompt) -> Result<Response, ModelError> {
        let request = Request {
            model: &self.settings.model,
            messages: [
                Message::new("system", &brief.instructions),
                Message::new("user", &brief.question),
            ],
            stream: true,
            max_completion_tokens: MAX_TOKENS,
        };
        let response = self
            .client
            .post(format!("{}/chat/completions", self.settings.api_base))
            .bearer_auth(self.settings.api_key.expose_secret())
            .json(&request)
            .send()
            .await
            .map_err(|error| ModelError::Unreachable(error.without_url().to_string()))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            status => Err(errors::from_status(
                status,
                &response.bytes().await.unwrap_or_default(),
            )),
        }
    }
}

#[async_trait]
impl LanguageModel for ChatCompletions {
    async fn stream_text(&self, brief: &Prompt) -> Result<TextStream, ModelError> {
        let passes = |error: &ModelError| matches!(error, ModelError::Unreachable(_) | ModelError::Busy(_));
        let response = retry_when(RETRY_POLICY, passes, || self.request_completion(brief)).await?;
        let completion = CompletionStream {
            bytes: response.bytes_stream().boxed(),
            lines: SseParser::default(),
            texts: VecDeque::new(),
            end: StreamEnd::Open,
        };
        Ok(try_unfold(completion, CompletionStream::next).boxed())
    }
}

/// A response being read.
struct CompletionStream {
    bytes: BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    lines: SseParser,
    texts: VecDeque<String>,
    end: StreamEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StreamEnd {
    Open,
    /// A chunk had a `finish_reason`; some providers send more chunks after it.
    FinishReasonSeen,
    Closed,
}

impl CompletionStream {
    async fn next(mut self) -> Result<Option<(String, Self)>, ModelError> {
        loop {
            if let Some(text) = self.texts.pop_front() {
                return Ok(Some((text, self)));
            }
            if self.end == StreamEnd::Closed {
                return Ok(None);
            }
            match self.bytes.next().await {
                Some(Ok(bytes)) => self.read(&bytes)?,
                Some(Err(error)) => return Err(ModelError::Incomplete(error.without_url().to_string())),
                None if self.end == StreamEnd::FinishReasonSeen => return Ok(None),
                None => return Err(ModelError::Incomplete("the stream ended early".to_owned())),
            }
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        for data in self.lines.push(bytes)? {
            if data == "[DONE]" {
                self.end = StreamEnd::Closed;
                return Ok(());
            }
            let chunk: Chunk = serde_json::from_str(&data)
                .map_err(|_| ModelError::Incomplete("a chunk cannot be read".to_owned()))?;
            self.apply(chunk)?;
        }
        Ok(())
    }

    fn apply(&mut self, chunk: Chunk) -> Result<(), ModelError> {
        if let Some(error) = chunk.error {
            return Err(errors::from_error(&error));
        }
        let Some(choice) = chunk.choices.into_iter().next() else {
            return Ok(());
        };
        if choice.delta.refusal.is_some_and(|words| !words.is_empty()) {
            return Err(ModelError::Declined);
        }
        self.texts
            .extend(choice.delta.content.filter(|text| !text.is_empty()));
        match choice.finish_reason.as_deref() {
            None => {}
            Some("content_filter") => return Err(ModelError::Declined),
            Some(_) => self.end = StreamEnd::FinishReasonSeen,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a stream, and the error that ended it.
    async fn read(text: &'static str) -> (String, Option<ModelError>) {
        // Seven bytes at a time, so that lines and characters are split.
        let bytes = futures::stream::iter(text.as_bytes().chunks(7).map(|part| Ok(part.into())));
        let completion = CompletionStream {
            bytes: bytes.boxed(),
            lines: SseParser::default(),
            texts: VecDeque::new(),
            end: StreamEnd::Open,
        };
        let mut texts = try_unfold(completion, CompletionStream::next).boxed();
        let mut whole = String::new();
        while let Some(text) = texts.next().await {
            match text {
                Ok(text) => whole.push_str(&text),
                Err(error) => return (whole, Some(error)),
            }
        }
        (whole, None)
    }

    #[tokio::test]
    async fn text_of_all_chunks_is_concatenated() {
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
    async fn stream_with_a_finish_reason_needs_no_done_line() {
        let text = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"length\"}]}\n\n";
        assert_eq!(read(text).await, ("Hi".to_owned(), None));
    }

    #[tokio::test]
    async fn stream_without_a_finish_reason_is_incomplete() {
        let (whole, error) = read("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n").await;
        assert_eq!(whole, "Hi");
        assert!(matches!(error, Some(ModelError::Incomplete(_))), "{error:?}");
    }

    #[tokio::test]
    async fn content_filter_and_refusal_are_declined() {
        for text in [
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"}}]}\n\n",
        ] {
            assert_eq!(read(text).await.1, Some(ModelError::Declined));
        }
    }

    #[tokio::test]
    async fn error_within_the_stream_is_classified() {
        let text = "data: {\"error\":{\"message\":\"slow down\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}\n\n";
        assert!(matches!(read(text).await.1, Some(ModelError::Busy(_))));
        assert!(matches!(
            read("data: {nope\n\n").await.1,
            Some(ModelError::Incomplete(_))
        ));
    }
}

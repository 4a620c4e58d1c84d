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
use kit::config::RotatingSecret;
use kit::http::{
    CallError, ClientError, HttpClient, HttpError, HttpResponse, HttpSettings, Method, Response,
};
use kit::retry::{Policy, retry_when};
use metrics::Histogram;
use secrecy::ExposeSecret;

use self::sse::SseParser;
use self::wire::{Chunk, Message, Request};
use crate::domain::prompt::Prompt;
use crate::ports::{LanguageModel, ModelError, TextStream};

/// Of an error; a text has no limit but its tokens.
const RESPONSE_MAX_BYTES: usize = 64 * 1024;

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
    pub api_key: RotatingSecret,
    pub model: String,
    /// For the response headers and between any two reads of the body.
    pub timeout: Duration,
}

pub struct ChatCompletions {
    http: HttpClient,
    settings: Settings,
}

impl ChatCompletions {
    pub fn new(settings: Settings) -> Result<Self, ClientError> {
        let http = HttpClient::new(HttpSettings {
            base: settings.api_base.clone(),
            user_agent: concat!("stillpoint-sessions/", env!("CARGO_PKG_VERSION")),
            timeout: settings.timeout,
            max_body_bytes: RESPONSE_MAX_BYTES,
        })?;
        Ok(Self { http, settings })
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
        let request = self
            .http
            .request(Method::POST, "/chat/completions")
            .bearer_auth(self.settings.api_key.first().expose_secret())
            .json(&request);
        let refused = |response: HttpResponse| errors::from_status(response.status, &response.body);
        self.http.stream("chat_completions", request, refused).await
    }
}

impl From<HttpError> for ModelError {
    fn from(error: HttpError) -> Self {
        Self::Unreachable(error.to_string())
    }
}

impl CallError for ModelError {
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram {
        metrics::histogram!("sessions_provider_seconds", "call" => call, "outcome" => outcome)
    }

    fn outcome(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Busy(_) => "busy",
            Self::Rejected { .. } => "rejected",
            Self::Declined => "declined",
            Self::Incomplete(_) => "incomplete",
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
    bytes: BoxStream<'static, Result<bytes::Bytes, ClientError>>,
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

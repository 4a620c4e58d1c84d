//! A streamed response: its lines, its pace, and faults in its middle.

use std::{collections::VecDeque, io, time::Duration};

use futures::{Stream, stream::unfold};
use serde_json::{Value, json};

use crate::engine::faults::Action;

pub struct ResponseStream {
    steps: VecDeque<Step>,
}

enum Step {
    Send(String),
    Wait(Duration),
    Disconnect,
}

impl ResponseStream {
    pub fn new(model: &str, created: i64, chunks: &[String], pace: Duration) -> Self {
        let id = format!("chatcmpl-{:016x}", rand::random::<u64>());
        let event = |delta: Value, finish_reason: Option<&str>| {
            let chunk = json!({
                "id": id,
                "object": "chat.completion.chunk",
                "created": created,
                "model": model,
                "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }],
            });
            Step::Send(format!("data: {chunk}\n\n"))
        };
        let mut steps = VecDeque::from([event(json!({ "role": "assistant", "content": "" }), None)]);
        for chunk in chunks {
            steps.push_back(Step::Wait(pace));
            steps.push_back(event(json!({ "content": chunk }), None));
        }
        steps.push_back(event(json!({}), Some("stop")));
        steps.push_back(Step::Send("data: [DONE]\n\n".to_owned()));
        Self { steps }
    }

    /// Faults after the commit apply in the middle of the stream.
    pub fn with_faults(mut self, actions: &[Action]) -> Self {
        let middle = self.steps.len() / 2;
        for action in actions {
            match action {
                Action::DelayAfterCommit { ms } => {
                    self.steps.insert(middle, Step::Wait(Duration::from_millis(*ms)));
                }
                Action::DropAfterCommit {} => self.steps.insert(middle, Step::Disconnect),
                _ => {}
            }
        }
        self
    }

    pub fn into_body(self) -> impl Stream<Item = io::Result<String>> {
        unfold(self.steps, |mut steps| async move {
            loop {
                match steps.pop_front()? {
                    Step::Send(line) => return Some((Ok(line), steps)),
                    Step::Wait(time) => tokio::time::sleep(time).await,
                    Step::Disconnect => {
                        return Some((Err(io::ErrorKind::ConnectionAborted.into()), VecDeque::new()));
                    }
                }
            }
        })
    }
}

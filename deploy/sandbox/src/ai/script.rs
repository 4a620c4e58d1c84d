//! A streamed answer: the lines it consists of, how fast they go, and what goes wrong in the middle.

use std::{collections::VecDeque, io, time::Duration};

use futures::{Stream, stream::unfold};
use serde_json::{Value, json};

use crate::faults::Action;

pub struct Script {
    steps: VecDeque<Step>,
}

enum Step {
    Say(String),
    Wait(Duration),
    Cut,
}

impl Script {
    pub fn new(model: &str, created: i64, pieces: &[String], pace: Duration) -> Self {
        let id = format!("chatcmpl-{:016x}", rand::random::<u64>());
        let event = |delta: Value, finish_reason: Option<&str>| {
            let chunk = json!({
                "id": id,
                "object": "chat.completion.chunk",
                "created": created,
                "model": model,
                "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }],
            });
            Step::Say(format!("data: {chunk}\n\n"))
        };
        let mut steps = VecDeque::from([event(json!({ "role": "assistant", "content": "" }), None)]);
        for piece in pieces {
            steps.push_back(Step::Wait(pace));
            steps.push_back(event(json!({ "content": piece }), None));
        }
        steps.push_back(event(json!({}), Some("stop")));
        steps.push_back(Step::Say("data: [DONE]\n\n".to_owned()));
        Self { steps }
    }

    /// What strikes after the work strikes a stream in its middle.
    pub fn suffering(mut self, actions: &[Action]) -> Self {
        let middle = self.steps.len() / 2;
        for action in actions {
            match action {
                Action::DelayAfterCommit { ms } => {
                    self.steps.insert(middle, Step::Wait(Duration::from_millis(*ms)));
                }
                Action::DropAfterCommit {} => self.steps.insert(middle, Step::Cut),
                _ => {}
            }
        }
        self
    }

    pub fn play(self) -> impl Stream<Item = io::Result<String>> {
        unfold(self.steps, |mut steps| async move {
            loop {
                match steps.pop_front()? {
                    Step::Say(line) => return Some((Ok(line), steps)),
                    Step::Wait(time) => tokio::time::sleep(time).await,
                    Step::Cut => {
                        return Some((Err(io::ErrorKind::ConnectionAborted.into()), VecDeque::new()));
                    }
                }
            }
        })
    }
}

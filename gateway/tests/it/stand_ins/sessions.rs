//! Fake sessions service: streams a text in two chunks; the question selects the course.
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt, unfold};
use kit::error::{ErrorCode, Failure, Kind};
use proto::export::v1::SessionsExport;
use proto::sessions::v1::sessions_service_server::SessionsService;
use proto::sessions::v1::write_ai_text_response::{Crisis, Done, Event, Failed, Helpline};
use proto::sessions::v1::{
    ExportMemberRequest, ExportMemberResponse, WriteAiTextRequest, WriteAiTextResponse,
};
use tonic::{Request, Status};

use super::{Answer, FakeServices, refuse};

pub struct Sessions(pub Arc<FakeServices>);

/// Counts readers that disconnect.
struct Listened(Arc<FakeServices>);

impl Drop for Listened {
    fn drop(&mut self) {
        self.0.listeners_left.fetch_add(1, Ordering::SeqCst);
    }
}

type Chunk = Result<WriteAiTextResponse, Status>;

fn chunk(number: u32, event: Event) -> WriteAiTextResponse {
    WriteAiTextResponse {
        position: format!("air_1.{number}"),
        event: Some(event),
    }
}

/// Chunks, each with the delay before it.
fn script(question: &str) -> Vec<(Duration, Chunk)> {
    let at_once = |chunk| (Duration::ZERO, chunk);
    let first = at_once(Ok(chunk(1, Event::Text("Love\nis".into()))));
    let rest = |wait| (wait, Ok(chunk(2, Event::Text(" here.".into()))));
    let done = at_once(Ok(chunk(3, Event::Done(Done {}))));
    match question {
        "cut" => vec![first, at_once(Err(Status::unavailable("10.0.0.7 went away")))],
        "fails" => vec![first, at_once(Ok(chunk(2, failed())))],
        "slow" => vec![first, rest(Duration::from_millis(2500)), done],
        "endless" => vec![first, rest(Duration::from_mins(1)), done],
        "in danger" => vec![at_once(Ok(chunk(0, crisis()))), first, done],
        _ => vec![first, rest(Duration::ZERO), done],
    }
}

fn failed() -> Event {
    Event::Failed(Failed {
        code: "AI_BUSY".into(),
        message: "Later.".into(),
    })
}

fn crisis() -> Event {
    let line = Helpline {
        name: "988".into(),
        phone: "988".into(),
        url: String::new(),
    };
    Event::Crisis(Crisis {
        helplines: vec![line],
    })
}

#[async_trait]
impl SessionsService for Sessions {
    type WriteAiTextStream = BoxStream<'static, Chunk>;

    async fn write_ai_text(&self, request: Request<WriteAiTextRequest>) -> Answer<Self::WriteAiTextStream> {
        let request = request.into_inner();
        *self.0.asked.lock().unwrap() = Some(request.clone());
        match request.question.as_str() {
            "" => {
                return Err(Failure::new(
                    Kind::Invalid,
                    ErrorCode::ValidationFailed,
                    "Some fields need attention.",
                )
                .field("q", ErrorCode::Required, "Write a question.")
                .into());
            }
            "used" => return refuse(Kind::Conflict, "IDEMPOTENCY_CONFLICT", "Another question."),
            "busy" => return refuse(Kind::Unavailable, "OVERLOADED", "Later."),
            _ => {}
        }
        let skipped = usize::from(request.after == "air_1.1");
        let script = script(&request.question).into_iter().skip(skipped);
        let listened = Listened(self.0.clone());
        let source = unfold((script, listened), |(mut script, listened)| async move {
            let (wait, chunk) = script.next()?;
            tokio::time::sleep(wait).await;
            Some((chunk, (script, listened)))
        });
        Ok(tonic::Response::new(source.boxed()))
    }

    async fn export_member(&self, _: Request<ExportMemberRequest>) -> Answer<ExportMemberResponse> {
        Ok(tonic::Response::new(ExportMemberResponse {
            export: Some(SessionsExport {}),
        }))
    }
}

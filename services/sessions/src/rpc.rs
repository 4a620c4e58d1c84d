//! `stillpoint.sessions.v1.SessionsService` over the flows.
mod convert;

use std::sync::Arc;

use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use proto::sessions::v1::sessions_service_server::SessionsService;
use proto::sessions::v1::{
    ExportMemberRequest, ExportMemberResponse, WriteAiTextRequest, WriteAiTextResponse,
};
use tonic::{Request, Response, Status};

use crate::flows::{self, Context};

pub struct SessionsRpc {
    context: Arc<Context>,
}

impl SessionsRpc {
    pub fn new(context: Arc<Context>) -> Self {
        Self { context }
    }
}

#[tonic::async_trait]
impl SessionsService for SessionsRpc {
    type WriteAiTextStream = BoxStream<'static, Result<WriteAiTextResponse, Status>>;

    async fn write_ai_text(
        &self,
        request: Request<WriteAiTextRequest>,
    ) -> Result<Response<Self::WriteAiTextStream>, Status> {
        let request = request.into_inner();
        let parsed = convert::ai_text_request(&request)?;
        let reader = flows::write_ai_text(&self.context, &parsed).await?;

        // A resumed stream has sent the helplines before.
        let is_first = parsed.after.is_none();
        let first = is_first
            .then(|| convert::crisis(&parsed.question, &request.country, reader.position()))
            .flatten();
        let text = stream::try_unfold(reader, async |mut reader| {
            let event = reader.next_event().await?;
            Ok::<_, crate::error::Error>(event.map(|event| (convert::response(event), reader)))
        });
        let events = stream::iter(first.map(Ok)).chain(text.map_err(Status::from));
        Ok(Response::new(events.boxed()))
    }

    async fn export_member(
        &self,
        _request: Request<ExportMemberRequest>,
    ) -> Result<Response<ExportMemberResponse>, Status> {
        Ok(Response::new(ExportMemberResponse {
            export: Some(flows::export_member()),
        }))
    }
}

//! `stillpoint.analytics.v1.AnalyticsService` over the flows.
mod convert;

use std::sync::Arc;

use futures::stream::{self, TryStreamExt};
use proto::analytics::v1::analytics_service_server::AnalyticsService;
use proto::analytics::v1::{
    ExportMemberRequest, ExportMemberResponse, RecordWebEventsRequest, RecordWebEventsResponse,
    SummarizeRequest, SummarizeResponse,
};
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::flows::{self, Context, MemberExport};

pub struct AnalyticsRpc {
    context: Arc<Context>,
}

impl AnalyticsRpc {
    pub fn new(context: Arc<Context>) -> Self {
        Self { context }
    }
}

#[tonic::async_trait]
impl AnalyticsService for AnalyticsRpc {
    async fn record_web_events(
        &self,
        request: Request<RecordWebEventsRequest>,
    ) -> Result<Response<RecordWebEventsResponse>, Status> {
        let (batch, visitor) = convert::batch(request.into_inner());
        let accepted = flows::record_web_events(&self.context, batch, &visitor).await?;
        Ok(Response::new(convert::recorded(accepted)))
    }

    async fn summarize(
        &self,
        request: Request<SummarizeRequest>,
    ) -> Result<Response<SummarizeResponse>, Status> {
        let counts = flows::summarize(&self.context, request.into_inner().days).await?;
        Ok(Response::new(convert::summary(counts)))
    }

    type ExportMemberStream = BoxStream<ExportMemberResponse>;

    async fn export_member(
        &self,
        request: Request<ExportMemberRequest>,
    ) -> Result<Response<Self::ExportMemberStream>, Status> {
        let context = Arc::clone(&self.context);
        let member = MemberExport::start(context, &request.into_inner().user_id).await?;
        let pages = stream::try_unfold(member, async |mut member| {
            let events = member.next().await?;
            Ok::<_, Error>(events.map(|events| (convert::exported(events), member)))
        });
        Ok(Response::new(Box::pin(pages.map_err(Status::from))))
    }
}

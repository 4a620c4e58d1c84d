//! gRPC in, flows out.

mod convert;

use std::sync::Arc;

use proto::content::v1::content_service_server::{ContentService, ContentServiceServer};
use proto::content::v1::{
    GetChromeRequest, GetChromeResponse, GetPageRequest, GetPageResponse, ListPagesRequest,
    ListPagesResponse, PublishChromeRequest, PublishChromeResponse, PublishPageRequest, PublishPageResponse,
};
use tonic::{Request, Response, Status};

use crate::flows::Flows;

pub fn server(flows: Arc<Flows>) -> ContentServiceServer<Content> {
    ContentServiceServer::new(Content { flows })
}

pub struct Content {
    flows: Arc<Flows>,
}

#[tonic::async_trait]
impl ContentService for Content {
    async fn get_page(&self, request: Request<GetPageRequest>) -> Result<Response<GetPageResponse>, Status> {
        let request = request.into_inner();
        let page = self.flows.get_page(&request.url_path, &request.locale).await?;
        Ok(Response::new(GetPageResponse {
            page: Some(page.into()),
        }))
    }

    async fn get_chrome(
        &self,
        request: Request<GetChromeRequest>,
    ) -> Result<Response<GetChromeResponse>, Status> {
        let chrome = self.flows.get_chrome(&request.into_inner().locale).await?;
        Ok(Response::new(chrome.into()))
    }

    async fn list_pages(
        &self,
        request: Request<ListPagesRequest>,
    ) -> Result<Response<ListPagesResponse>, Status> {
        let filter = convert::list_filter(request.into_inner())?;
        let (pages, next) = self.flows.list_pages(filter).await?;
        Ok(Response::new(convert::list_answer(pages, next)))
    }

    async fn publish_page(
        &self,
        request: Request<PublishPageRequest>,
    ) -> Result<Response<PublishPageResponse>, Status> {
        let published = self.flows.publish_page(request.into_inner().into()).await?;
        let snapshot_id = published.snapshot_id().to_string();
        Ok(Response::new(PublishPageResponse {
            snapshot_id,
            changed: published.changed(),
        }))
    }

    async fn publish_chrome(
        &self,
        request: Request<PublishChromeRequest>,
    ) -> Result<Response<PublishChromeResponse>, Status> {
        let changed = self.flows.publish_chrome(request.into_inner().into()).await?;
        Ok(Response::new(PublishChromeResponse { changed }))
    }
}

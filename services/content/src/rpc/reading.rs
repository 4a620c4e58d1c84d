//! `ContentService` over the flows.

use std::sync::Arc;

use proto::content::v1 as wire;
use proto::content::v1::content_service_server::ContentService;
use tonic::{Request, Response, Status};

use super::{drafts, pages};
use crate::error::Error;
use crate::flows::{DEFAULT_CATEGORY, Flows};

type Answer<T> = Result<Response<T>, Status>;

pub struct Content {
    flows: Arc<Flows>,
}

impl Content {
    pub fn new(flows: Arc<Flows>) -> Self {
        Self { flows }
    }
}

#[tonic::async_trait]
impl ContentService for Content {
    async fn get_page(&self, request: Request<wire::GetPageRequest>) -> Answer<wire::GetPageResponse> {
        let request = request.into_inner();
        let page = self.flows.get_page(&request.url_path, &request.locale).await?;
        let (page, document) = pages::answer(page, request.form())?;
        Ok(Response::new(wire::GetPageResponse {
            page: Some(page),
            document,
        }))
    }

    async fn get_chrome(&self, request: Request<wire::GetChromeRequest>) -> Answer<wire::GetChromeResponse> {
        let chrome = self.flows.get_chrome(&request.into_inner().locale).await?;
        Ok(Response::new(chrome.into()))
    }

    async fn list_pages(&self, request: Request<wire::ListPagesRequest>) -> Answer<wire::ListPagesResponse> {
        let filter = pages::list_filter(request.into_inner())?;
        let (found, next) = self.flows.list_pages(filter).await?;
        Ok(Response::new(wire::ListPagesResponse {
            pages: found.into_iter().map(wire::PageSummary::from).collect(),
            next_page_token: next.map(|token| token.encode()).unwrap_or_default(),
        }))
    }

    async fn publish_page(
        &self,
        request: Request<wire::PublishPageRequest>,
    ) -> Answer<wire::PublishPageResponse> {
        let published = self.flows.publish_page(request.into_inner().into()).await?;
        Ok(Response::new(wire::PublishPageResponse {
            snapshot_id: published.snapshot_id().to_string(),
            changed: published.changed(),
        }))
    }

    async fn publish_chrome(
        &self,
        request: Request<wire::PublishChromeRequest>,
    ) -> Answer<wire::PublishChromeResponse> {
        let published = self.flows.publish_chrome(request.into_inner().into()).await?;
        Ok(Response::new(wire::PublishChromeResponse {
            changed: published.changed(),
        }))
    }

    async fn publish_record(
        &self,
        request: Request<wire::PublishRecordRequest>,
    ) -> Answer<wire::PublishRecordResponse> {
        let published = self.flows.publish_record(request.into_inner().into()).await?;
        Ok(Response::new(wire::PublishRecordResponse {
            snapshot_id: published.snapshot_id().to_string(),
            changed: published.changed(),
        }))
    }

    async fn get_record(&self, request: Request<wire::GetRecordRequest>) -> Answer<wire::GetRecordResponse> {
        let wire::GetRecordRequest { kind, id, locale } = request.into_inner();
        let record = self.flows.get_record(&kind, &id, &locale).await?;
        Ok(Response::new(pages::record(record)?))
    }

    async fn list_samples(
        &self,
        request: Request<wire::ListSamplesRequest>,
    ) -> Answer<wire::ListSamplesResponse> {
        let request = request.into_inner();
        let category = match request.category {
            0 => DEFAULT_CATEGORY,
            category => category,
        };
        let (items, content_locale) = self.flows.samples(&request.locale, category).await?;
        Ok(Response::new(wire::ListSamplesResponse {
            items_json: serde_json::to_string(&items).map_err(Error::from)?,
            content_locale,
        }))
    }

    async fn get_preview(
        &self,
        request: Request<wire::GetPreviewRequest>,
    ) -> Answer<wire::GetPreviewResponse> {
        let request = request.into_inner();
        let view = self.flows.preview(&request.token).await?;
        let (page, document) = pages::answer(view.page, request.form())?;
        Ok(Response::new(wire::GetPreviewResponse {
            page: Some(page),
            document,
            errors: view.errors.into_iter().map(drafts::validation_error).collect(),
            expires_at: Some(view.expires_at.into()),
        }))
    }
}

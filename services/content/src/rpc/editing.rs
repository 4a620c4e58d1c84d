//! `EditingService` over the flows.

use std::sync::Arc;

use proto::content::v1 as wire;
use proto::content::v1::editing_service_server::EditingService;
use tonic::{Request, Response, Status};

use super::{drafts, key, page_size, unless};
use crate::domain::{ContentKey, Locale, SnapshotId};
use crate::error::Error;
use crate::flows::{Flows, SaveDraft};

type Answer<T> = Result<Response<T>, Status>;

const USUAL_TTL_SECS: i32 = 60 * 60;

pub struct Editing {
    flows: Arc<Flows>,
}

impl Editing {
    pub fn new(flows: Arc<Flows>) -> Self {
        Self { flows }
    }
}

#[tonic::async_trait]
impl EditingService for Editing {
    async fn save_draft(&self, request: Request<wire::SaveDraftRequest>) -> Answer<wire::SaveDraftResponse> {
        let request = request.into_inner();
        let key = key("save_draft", &request.idempotency_key, &request)?;
        let base = match request.base_snapshot_id.as_str() {
            "" => None,
            id => Some(drafts::parsed::<SnapshotId>(id, "baseSnapshotId")?),
        };
        let save = SaveDraft {
            draft: drafts::draft(request.body)?,
            expected_revision: request.expected_revision,
            base,
        };
        let saved = self.flows.save_draft(save, key).await?;
        Ok(Response::new(wire::SaveDraftResponse {
            revision: saved.revision,
            errors: saved.errors.into_iter().map(drafts::error_to_wire).collect(),
        }))
    }

    async fn get_draft(&self, request: Request<wire::GetDraftRequest>) -> Answer<wire::GetDraftResponse> {
        let content_key = drafts::content_key(request.into_inner().item)?;
        let view = self.flows.draft(content_key).await?;
        Ok(Response::new(wire::GetDraftResponse {
            draft: Some(view.into()),
        }))
    }

    async fn list_drafts(
        &self,
        request: Request<wire::ListDraftsRequest>,
    ) -> Answer<wire::ListDraftsResponse> {
        let filter = drafts::draft_filter(request.get_ref())?;
        let (found, next) = self.flows.drafts(filter).await?;
        Ok(Response::new(wire::ListDraftsResponse {
            drafts: found.into_iter().map(wire::DraftSummary::from).collect(),
            next_page_token: next.map(|token| token.encode()).unwrap_or_default(),
        }))
    }

    async fn discard_draft(
        &self,
        request: Request<wire::DiscardDraftRequest>,
    ) -> Answer<wire::DiscardDraftResponse> {
        let request = request.into_inner();
        let key = key("discard_draft", &request.idempotency_key, &request)?;
        let content_key = drafts::content_key(request.item)?;
        let revision = self
            .flows
            .discard_draft(&content_key, request.expected_revision, key)
            .await?;
        Ok(Response::new(wire::DiscardDraftResponse { revision }))
    }

    async fn publish_draft(
        &self,
        request: Request<wire::PublishDraftRequest>,
    ) -> Answer<wire::PublishDraftResponse> {
        let request = request.into_inner();
        let key = key("publish_draft", &request.idempotency_key, &request)?;
        let content_key = drafts::content_key(request.item)?;
        let published = self
            .flows
            .publish_draft(&content_key, request.expected_revision, key)
            .await?;
        Ok(Response::new(wire::PublishDraftResponse {
            snapshot_id: published.snapshot_id.to_string(),
            changed: published.changed,
            revision: published.revision,
        }))
    }

    async fn unpublish(&self, request: Request<wire::UnpublishRequest>) -> Answer<wire::UnpublishResponse> {
        let request = request.into_inner();
        let key = key("unpublish", &request.idempotency_key, &request)?;
        let changed = self
            .flows
            .unpublish(&drafts::content_key(request.item)?, key)
            .await?;
        Ok(Response::new(wire::UnpublishResponse { changed }))
    }

    async fn list_versions(
        &self,
        request: Request<wire::ListVersionsRequest>,
    ) -> Answer<wire::ListVersionsResponse> {
        let request = request.into_inner();
        let size = length(request.page_size)?;
        let before = match request.before_version {
            0 => i32::MAX,
            version => version,
        };
        let content_key = drafts::content_key(request.item)?;
        let versions = self.flows.versions(&content_key, before, size).await?;
        Ok(Response::new(wire::ListVersionsResponse {
            versions: versions.into_iter().map(wire::Version::from).collect(),
        }))
    }

    async fn get_version(
        &self,
        request: Request<wire::GetVersionRequest>,
    ) -> Answer<wire::GetVersionResponse> {
        let request = request.into_inner();
        let content_key = drafts::content_key(request.item)?;
        let (version, draft) = self.flows.version(&content_key, request.version).await?;
        Ok(Response::new(wire::GetVersionResponse {
            version: Some(version.into()),
            body: Some(drafts::body(draft)),
        }))
    }

    async fn diff_versions(
        &self,
        request: Request<wire::DiffVersionsRequest>,
    ) -> Answer<wire::DiffVersionsResponse> {
        let request = request.into_inner();
        let content_key = drafts::content_key(request.item)?;
        let changes = self
            .flows
            .diff_versions(&content_key, request.from_version, request.to_version)
            .await?;
        Ok(Response::new(wire::DiffVersionsResponse {
            changes: changes.into_iter().map(wire::Change::from).collect(),
        }))
    }

    async fn restore_version(
        &self,
        request: Request<wire::RestoreVersionRequest>,
    ) -> Answer<wire::RestoreVersionResponse> {
        let request = request.into_inner();
        let key = key("restore_version", &request.idempotency_key, &request)?;
        let content_key = drafts::content_key(request.item)?;
        let (snapshot, changed) = self
            .flows
            .restore_version(&content_key, request.version, key)
            .await?;
        Ok(Response::new(wire::RestoreVersionResponse {
            snapshot_id: snapshot.to_string(),
            changed,
        }))
    }

    async fn schedule_publish(
        &self,
        request: Request<wire::SchedulePublishRequest>,
    ) -> Answer<wire::SchedulePublishResponse> {
        let request = request.into_inner();
        let key = key("schedule_publish", &request.idempotency_key, &request)?;
        let what = drafts::scheduled(request.what)?;
        let (schedule, note) = self
            .flows
            .schedule_publish(what, &request.local_time, &request.time_zone, key)
            .await?;
        Ok(Response::new(wire::SchedulePublishResponse {
            schedule: Some(schedule.into()),
            note: note.unwrap_or_default(),
        }))
    }

    async fn cancel_schedule(
        &self,
        request: Request<wire::CancelScheduleRequest>,
    ) -> Answer<wire::CancelScheduleResponse> {
        let id = drafts::parsed(&request.into_inner().schedule_id, "scheduleId")?;
        let changed = self.flows.cancel_schedule(id).await?;
        Ok(Response::new(wire::CancelScheduleResponse { changed }))
    }

    async fn list_schedules(
        &self,
        request: Request<wire::ListSchedulesRequest>,
    ) -> Answer<wire::ListSchedulesResponse> {
        let request = request.into_inner();
        let size = length(request.page_size)?;
        let schedules = self.flows.schedules(drafts::state(request.state()), size).await?;
        Ok(Response::new(wire::ListSchedulesResponse {
            schedules: schedules.into_iter().map(wire::Schedule::from).collect(),
        }))
    }

    async fn create_release(
        &self,
        request: Request<wire::CreateReleaseRequest>,
    ) -> Answer<wire::CreateReleaseResponse> {
        let request = request.into_inner();
        let key = key("create_release", &request.idempotency_key, &request)?;
        let release = self.flows.create_release(&request.name, key).await?;
        Ok(Response::new(wire::CreateReleaseResponse {
            release: Some(release.into()),
        }))
    }

    async fn add_to_release(
        &self,
        request: Request<wire::AddToReleaseRequest>,
    ) -> Answer<wire::AddToReleaseResponse> {
        let request = request.into_inner();
        let id = drafts::parsed(&request.release_id, "releaseId")?;
        let places = drafts::places(&request.items)?;
        let release = self.flows.add_to_release(id, &places).await?;
        Ok(Response::new(wire::AddToReleaseResponse {
            release: Some(release.into()),
        }))
    }

    async fn remove_from_release(
        &self,
        request: Request<wire::RemoveFromReleaseRequest>,
    ) -> Answer<wire::RemoveFromReleaseResponse> {
        let request = request.into_inner();
        let id = drafts::parsed(&request.release_id, "releaseId")?;
        let places = drafts::places(&request.items)?;
        let release = self.flows.remove_from_release(id, &places).await?;
        Ok(Response::new(wire::RemoveFromReleaseResponse {
            release: Some(release.into()),
        }))
    }

    async fn get_release(
        &self,
        request: Request<wire::GetReleaseRequest>,
    ) -> Answer<wire::GetReleaseResponse> {
        let id = drafts::parsed(&request.into_inner().release_id, "releaseId")?;
        let release = self.flows.release(id).await?;
        Ok(Response::new(wire::GetReleaseResponse {
            release: Some(release.into()),
        }))
    }

    async fn publish_release(
        &self,
        request: Request<wire::PublishReleaseRequest>,
    ) -> Answer<wire::PublishReleaseResponse> {
        let request = request.into_inner();
        let key = key("publish_release", &request.idempotency_key, &request)?;
        let id = drafts::parsed(&request.release_id, "releaseId")?;
        let changed = self.flows.publish_release(id, key).await?;
        Ok(Response::new(wire::PublishReleaseResponse {
            changed: i32::try_from(changed).unwrap_or(i32::MAX),
        }))
    }

    async fn create_preview(
        &self,
        request: Request<wire::CreatePreviewRequest>,
    ) -> Answer<wire::CreatePreviewResponse> {
        let request = request.into_inner();
        let ttl_secs = match request.ttl_secs {
            0 => USUAL_TTL_SECS,
            secs => secs,
        };
        let content_key = ContentKey::page(
            drafts::parsed(&request.url_path, "urlPath")?,
            drafts::parsed::<Locale>(&request.locale, "locale")?,
        );
        let created = self.flows.create_preview(content_key, ttl_secs).await?;
        Ok(Response::new(wire::CreatePreviewResponse {
            preview_id: created.preview.id.to_string(),
            token: created.token,
            expires_at: Some(created.preview.expires_at.into()),
        }))
    }

    async fn revoke_preview(
        &self,
        request: Request<wire::RevokePreviewRequest>,
    ) -> Answer<wire::RevokePreviewResponse> {
        let id = drafts::parsed(&request.into_inner().preview_id, "previewId")?;
        self.flows.revoke_preview(id).await?;
        Ok(Response::new(wire::RevokePreviewResponse {}))
    }
}

fn length(size: i32) -> Result<i64, Error> {
    let mut errors = Vec::new();
    let size = page_size(size, &mut errors);
    unless(errors)?;
    Ok(i64::from(size))
}

//! Drafts, versions, schedules and releases: messages to domain types and back.

use std::str::FromStr;

use proto::content::v1 as wire;
use proto::content::v1::draft_body::Content;

use crate::domain::{
    Change, ChangeKind, ContentKey, Draft, DraftFilter, DraftSummary, DraftView, Item, Release, Schedule,
    ScheduleState, Scheduled, StoredValidationError, ValidationError, Version,
};
use crate::error::Error;

use super::{optional_locale, page_size, page_token, unless};

pub fn draft(body: Option<wire::DraftBody>) -> Result<Draft, Error> {
    let content = body.and_then(|body| body.content);
    let content = content.ok_or_else(|| Error::Invalid(vec![ValidationError::required("body")]))?;
    Ok(match content {
        Content::Page(page) => Draft::Page(Box::new(page.into())),
        Content::Chrome(chrome) => Draft::Chrome(chrome.into()),
        Content::Record(record) => Draft::Record(record.into()),
    })
}

pub fn body(draft: Draft) -> wire::DraftBody {
    let content = match draft {
        Draft::Page(page) => Content::Page((*page).into()),
        Draft::Chrome(chrome) => Content::Chrome(chrome.into()),
        Draft::Record(record) => Content::Record(record.into()),
    };
    wire::DraftBody {
        content: Some(content),
    }
}

pub fn content_key(item: Option<wire::Item>) -> Result<ContentKey, Error> {
    let item = item.ok_or_else(|| Error::Invalid(vec![ValidationError::required("item")]))?;
    read_place(&item, "item").map_err(Error::Invalid)
}

pub fn places(items: &[wire::Item]) -> Result<Vec<ContentKey>, Error> {
    let mut errors = Vec::new();
    let mut places = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match read_place(item, &format!("items[{index}]")) {
            Ok(content_key) => places.push(content_key),
            Err(mut found) => errors.append(&mut found),
        }
    }
    if places.is_empty() && errors.is_empty() {
        errors.push(ValidationError::required("items"));
    }
    unless(errors)?;
    Ok(places)
}

fn read_place(item: &wire::Item, field: &str) -> Result<ContentKey, Vec<ValidationError>> {
    let mut errors = Vec::new();
    let locale = read(&item.locale, &format!("{field}.locale"), &mut errors);
    let name = format!("{field}.name");
    let what = match item.kind() {
        wire::ItemKind::Page => read(&item.name, &name, &mut errors).map(Item::Page),
        wire::ItemKind::Record => read(&item.name, &name, &mut errors).map(Item::Record),
        wire::ItemKind::Chrome => Some(Item::Chrome),
        wire::ItemKind::Unspecified => {
            errors.push(ValidationError::required(format!("{field}.kind")));
            None
        }
    };
    match (what, locale) {
        (Some(item), Some(locale)) => Ok(ContentKey { item, locale }),
        _ => Err(errors),
    }
}

fn read<T: FromStr<Err: ToString>>(text: &str, field: &str, errors: &mut Vec<ValidationError>) -> Option<T> {
    let parsed = text.parse::<T>();
    parsed
        .map_err(|error| errors.push(ValidationError::not_allowed(field, error.to_string())))
        .ok()
}

/// An id, path or locale.
pub fn parsed<T: FromStr<Err: ToString>>(text: &str, field: &str) -> Result<T, Error> {
    let mut errors = Vec::new();
    read(text, field, &mut errors).ok_or(Error::Invalid(errors))
}

pub fn item(content_key: &ContentKey) -> wire::Item {
    let (kind, name) = match &content_key.item {
        Item::Page(path) => (wire::ItemKind::Page, path.to_string()),
        Item::Chrome => (wire::ItemKind::Chrome, String::new()),
        Item::Record(key) => (wire::ItemKind::Record, key.to_string()),
    };
    wire::Item {
        kind: kind.into(),
        locale: content_key.locale.to_string(),
        name,
    }
}

pub fn validation_error(error: ValidationError) -> wire::ValidationError {
    error_to_wire(error.into())
}

pub fn error_to_wire(error: StoredValidationError) -> wire::ValidationError {
    wire::ValidationError {
        field: error.field,
        code: error.code,
        message: error.message,
    }
}

pub fn draft_filter(request: &wire::ListDraftsRequest) -> Result<DraftFilter, Error> {
    let mut errors = Vec::new();
    let locale = optional_locale(&request.locale, &mut errors);
    let after = page_token(&request.page_token, &mut errors);
    let size = page_size(request.page_size, &mut errors);
    unless(errors)?;
    Ok(DraftFilter {
        locale,
        after,
        limit: usize::try_from(size).unwrap_or_default(),
    })
}

impl From<DraftView> for wire::Draft {
    fn from(view: DraftView) -> Self {
        Self {
            item: Some(item(&view.content_key)),
            revision: view.revision,
            body: Some(body(view.draft)),
            errors: view.errors.into_iter().map(validation_error).collect(),
            base_snapshot_id: view.base.map(|id| id.to_string()).unwrap_or_default(),
            saved_at: view.saved_at.map(Into::into),
        }
    }
}

impl From<DraftSummary> for wire::DraftSummary {
    fn from(summary: DraftSummary) -> Self {
        Self {
            item: Some(item(&summary.content_key)),
            revision: summary.revision,
            saved_at: Some(summary.saved_at.into()),
        }
    }
}

impl From<Version> for wire::Version {
    fn from(version: Version) -> Self {
        Self {
            version: version.number,
            snapshot_id: version.snapshot_id.to_string(),
            published_at: Some(version.published_at.into()),
            current: version.current,
        }
    }
}

impl From<Change> for wire::Change {
    fn from(change: Change) -> Self {
        let kind = match change.kind {
            ChangeKind::Added => wire::ChangeKind::Added,
            ChangeKind::Removed => wire::ChangeKind::Removed,
            ChangeKind::Moved => wire::ChangeKind::Moved,
            ChangeKind::Changed => wire::ChangeKind::Changed,
        };
        Self {
            kind: kind.into(),
            field: change.field,
            before: change.before,
            after: change.after,
        }
    }
}

pub fn scheduled(what: Option<wire::schedule_publish_request::What>) -> Result<Scheduled, Error> {
    use wire::schedule_publish_request::What;
    match what {
        None => Err(Error::Invalid(vec![ValidationError::required("item")])),
        Some(What::Item(item)) => content_key(Some(item)).map(Scheduled::Draft),
        Some(What::ReleaseId(release)) => parsed(&release, "releaseId").map(Scheduled::Release),
    }
}

impl From<Schedule> for wire::Schedule {
    fn from(schedule: Schedule) -> Self {
        use wire::schedule::What;
        let what = match schedule.what {
            Scheduled::Draft(content_key) => What::Item(item(&content_key)),
            Scheduled::Release(id) => What::ReleaseId(id.to_string()),
        };
        Self {
            schedule_id: schedule.id.to_string(),
            what: Some(what),
            local_time: schedule.local_time,
            time_zone: schedule.time_zone,
            at: Some(schedule.at.into()),
            state: wire_state(schedule.state).into(),
            errors: schedule.errors.into_iter().map(error_to_wire).collect(),
        }
    }
}

fn wire_state(state: ScheduleState) -> wire::ScheduleState {
    match state {
        ScheduleState::Pending => wire::ScheduleState::Pending,
        ScheduleState::Done => wire::ScheduleState::Done,
        ScheduleState::Failed => wire::ScheduleState::Failed,
        ScheduleState::Cancelled => wire::ScheduleState::Cancelled,
    }
}

/// Unspecified: all.
pub fn state(state: wire::ScheduleState) -> Option<ScheduleState> {
    match state {
        wire::ScheduleState::Unspecified => None,
        wire::ScheduleState::Pending => Some(ScheduleState::Pending),
        wire::ScheduleState::Done => Some(ScheduleState::Done),
        wire::ScheduleState::Failed => Some(ScheduleState::Failed),
        wire::ScheduleState::Cancelled => Some(ScheduleState::Cancelled),
    }
}

impl From<Release> for wire::Release {
    fn from(release: Release) -> Self {
        Self {
            release_id: release.id.to_string(),
            name: release.name,
            items: release.places.iter().map(item).collect(),
            created_at: Some(release.created_at.into()),
            published_at: release.published_at.map(Into::into),
        }
    }
}

use proto::content::v1::draft_body::Content;
use proto::content::v1::{ListSchedulesRequest, Schedule, ScheduleState};

use crate::fixture::{Editor, page, save, start_editing};
use crate::publishing::schedule_publish::{at, plan};

async fn list(editor: &mut Editor, state: ScheduleState) -> Vec<Schedule> {
    let request = ListSchedulesRequest {
        state: state.into(),
        ..ListSchedulesRequest::default()
    };
    editor
        .list_schedules(request)
        .await
        .unwrap()
        .into_inner()
        .schedules
}

#[tokio::test]
async fn schedules_are_listed_by_state() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let planned = plan(&mut editor, at("2026-11-20T16:00")).await.unwrap();
    let pending = list(&mut editor, ScheduleState::Pending).await;
    assert_eq!(pending, [planned.schedule.unwrap()]);
    assert_eq!(list(&mut editor, ScheduleState::Cancelled).await, []);
}

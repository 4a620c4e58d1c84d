use chrono::TimeDelta;
use proto::content::v1::draft_body::Content;
use proto::content::v1::{CancelScheduleRequest, ScheduleState};

use crate::fixture::{page, save, start_editing};
use crate::publishing::schedule_publish::{all, at, plan, shown};

#[tokio::test]
async fn what_is_cancelled_does_not_take_place() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let planned = plan(&mut editor, at("2026-11-20T16:00")).await.unwrap();
    let cancel = || CancelScheduleRequest {
        schedule_id: planned.schedule.clone().unwrap().schedule_id,
    };
    assert!(
        editor
            .cancel_schedule(cancel())
            .await
            .unwrap()
            .into_inner()
            .changed
    );
    assert!(
        !editor
            .cancel_schedule(cancel())
            .await
            .unwrap()
            .into_inner()
            .changed
    );
    host.advance_past_round(TimeDelta::hours(2), "publish-due").await;
    assert_eq!(shown(&mut client).await, None);
    assert_eq!(all(&mut editor).await[0].state(), ScheduleState::Cancelled);
}

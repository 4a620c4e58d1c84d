use std::time::Duration;

use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::content::v1::draft_body::Content;
use proto::content::v1::schedule_publish_request::What;
use proto::content::v1::{
    ListSchedulesRequest, Schedule, SchedulePublishRequest, SchedulePublishResponse, ScheduleState,
};
use serde_json::json;

use crate::fixture::{
    Client, Editor, answer, block, database, editor, error_fields, fields, get, heading, of_page, page,
    publish, run, save, start_editing, try_get,
};

const TIMEOUT: Duration = Duration::from_mins(1);

/// The clock of the tests begins at 12:00 UTC, which is 15:00 in Istanbul.
pub fn at(local_time: &str) -> SchedulePublishRequest {
    SchedulePublishRequest {
        what: of_page("/calm", "en").map(What::Item),
        local_time: local_time.to_owned(),
        time_zone: "Europe/Istanbul".to_owned(),
        ..SchedulePublishRequest::default()
    }
}

pub async fn plan(
    editor: &mut Editor,
    request: SchedulePublishRequest,
) -> Result<SchedulePublishResponse, Failure> {
    answer(editor.schedule_publish(request).await)
}

pub async fn all(editor: &mut Editor) -> Vec<Schedule> {
    let request = ListSchedulesRequest::default();
    editor
        .list_schedules(request)
        .await
        .unwrap()
        .into_inner()
        .schedules
}

/// Waits until none is pending.
async fn ended(editor: &mut Editor) -> Vec<Schedule> {
    let waiting = async {
        loop {
            let schedules = all(editor).await;
            let pending = |schedule: &Schedule| schedule.state() == ScheduleState::Pending;
            if !schedules.iter().any(pending) {
                return schedules;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting)
        .await
        .expect("no schedule stays pending")
}

pub async fn shown(client: &mut Client) -> Option<String> {
    try_get(client, "/calm", "en")
        .await
        .ok()
        .map(|page| heading(&page))
}

#[tokio::test]
async fn a_draft_goes_live_at_its_time_on_that_wall_and_not_before() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let planned = plan(&mut editor, at("2026-11-20T16:00")).await.unwrap();
    let schedule = planned.schedule.unwrap();
    assert_eq!(
        schedule.at,
        Some((host.clock().now() + TimeDelta::hours(1)).into())
    );
    assert_eq!(
        (schedule.time_zone.as_str(), planned.note.as_str()),
        ("Europe/Istanbul", "")
    );

    host.advance_past_round(TimeDelta::minutes(59), "publish-due")
        .await;
    assert_eq!(shown(&mut client).await, None);
    host.clock().advance(TimeDelta::minutes(1));
    let schedules = ended(&mut editor).await;
    assert_eq!(schedules[0].state(), ScheduleState::Done);
    assert_eq!(shown(&mut client).await.as_deref(), Some("calm"));
}

#[tokio::test]
async fn it_takes_place_once_however_many_are_at_it() {
    let (host, mut client, mut editor_one) = start_editing().await;
    for number in 0..8 {
        let path = format!("/page-{number}");
        save(&mut editor_one, Content::Page(page(&path, "en", "calm")), 0).await;
        let request = SchedulePublishRequest {
            what: of_page(&path, "en").map(What::Item),
            ..at("2026-11-20T16:00")
        };
        plan(&mut editor_one, request).await.unwrap();
    }
    // Three are at it at once.
    run(&host).await;
    run(&host).await;
    host.clock().advance(TimeDelta::hours(2));
    let mut editor = editor(&host);
    let schedules = ended(&mut editor).await;
    assert!(
        schedules
            .iter()
            .all(|schedule| schedule.state() == ScheduleState::Done)
    );
    for number in 0..8 {
        assert_eq!(
            heading(&get(&mut client, &format!("/page-{number}"), "en").await),
            "calm"
        );
    }
    host.events("stillpoint.content.page.published", 8).await;
    let written: i64 = sqlx::query_scalar("select count(*) from outbox")
        .fetch_one(&mut database(&host).await)
        .await
        .unwrap();
    assert_eq!(written, 8);
}

#[tokio::test]
async fn what_came_due_while_the_service_was_down_takes_place_at_the_next_start() {
    let host = kit::testing::TestHost::start_for(&[content::definition()]).await;
    let running = host.run(content::definition()).await;
    let mut first = editor(&host);
    save(&mut first, Content::Page(page("/calm", "en", "calm")), 0).await;
    plan(&mut first, at("2026-11-20T16:00")).await.unwrap();
    host.kill(running).await;
    host.clock().advance(TimeDelta::days(1));

    let mut client = run(&host).await;
    ended(&mut editor(&host)).await;
    assert_eq!(shown(&mut client).await.as_deref(), Some("calm"));
}

#[tokio::test]
async fn an_invalid_draft_does_not_take_place_and_says_why() {
    let (host, mut client, mut editor) = start_editing().await;
    let mut invalid = page("/calm", "en", "calm");
    invalid.sections.push(block("Hero", &json!({})));
    save(&mut editor, Content::Page(invalid), 0).await;
    plan(&mut editor, at("2026-11-20T16:00")).await.unwrap();
    host.clock().advance(TimeDelta::hours(2));
    let schedules = ended(&mut editor).await;
    assert_eq!(schedules[0].state(), ScheduleState::Failed);
    assert_eq!(error_fields(&schedules[0].errors), ["sections[2].title"]);
    assert_eq!(shown(&mut client).await, None);
}

#[tokio::test]
async fn what_was_published_past_the_draft_is_not_overwritten_at_night() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    plan(&mut editor, at("2026-11-20T16:00")).await.unwrap();
    publish(&mut client, page("/calm", "en", "hotfix")).await;
    host.clock().advance(TimeDelta::hours(2));
    let schedules = ended(&mut editor).await;
    assert_eq!(schedules[0].errors[0].code, "STALE_DRAFT");
    assert_eq!(shown(&mut client).await.as_deref(), Some("hotfix"));
}

#[tokio::test]
async fn times_that_do_not_exist_or_are_over_are_refused_and_doubtful_ones_noted() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let berlin = |local_time: &str| SchedulePublishRequest {
        time_zone: "Europe/Berlin".to_owned(),
        ..at(local_time)
    };
    let skipped = plan(&mut editor, berlin("2027-03-28T02:30")).await.unwrap_err();
    assert_eq!(
        (skipped.kind, fields(&skipped)),
        (Kind::Invalid, vec!["localTime"])
    );
    let twice = plan(&mut editor, berlin("2027-10-31T02:30")).await.unwrap();
    assert!(twice.note.contains("earlier"), "{}", twice.note);
    let over = plan(&mut editor, at("2026-11-20T15:00")).await.unwrap_err();
    assert_eq!(fields(&over), ["localTime"]);
    let nowhere = SchedulePublishRequest {
        time_zone: "Mars".to_owned(),
        ..at("later")
    };
    let nowhere = plan(&mut editor, nowhere).await.unwrap_err();
    assert_eq!(fields(&nowhere), ["localTime", "timeZone"]);
    let nothing = SchedulePublishRequest {
        what: of_page("/other", "en").map(What::Item),
        ..at("2026-11-20T16:00")
    };
    assert_eq!(
        plan(&mut editor, nothing).await.unwrap_err().code,
        "DRAFT_NOT_FOUND"
    );
}

#[tokio::test]
async fn a_repeat_with_its_key_plans_once() {
    let (_host, _client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let request = || SchedulePublishRequest {
        idempotency_key: "k1".to_owned(),
        ..at("2026-11-20T16:00")
    };
    let first = plan(&mut editor, request()).await.unwrap();
    assert_eq!(plan(&mut editor, request()).await.unwrap(), first);
    assert_eq!(all(&mut editor).await.len(), 1);
}

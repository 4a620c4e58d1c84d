use chrono::TimeDelta;

use crate::world::{World, after, question};

#[tokio::test]
async fn a_reply_is_kept_for_a_day_and_then_gone() {
    let world = World::start().await;
    let whole = world.hear(question("k")).await;
    world.test.clock().advance(TimeDelta::hours(23));
    assert!(world.hear(after(&whole.position)).await.is_done);

    world.test.clock().advance(TimeDelta::hours(2));
    world.settles_at("select count(*) from ai_reply", 0).await;
    world.settles_at("select count(*) from ai_piece", 0).await;
    let gone = world.open(after(&whole.position)).await;
    assert_eq!(gone.unwrap_err().code, "UNKNOWN_REPLY");
}

use std::time::Duration;

use chrono::TimeDelta;

use crate::world::{World, after, question};

#[tokio::test]
async fn a_reply_is_kept_for_a_day_and_then_gone() {
    let world = World::start().await;
    let whole = world.hear(question("k")).await;
    world.test.clock().advance(TimeDelta::hours(23));
    assert!(world.hear(after(&whole.position)).await.is_done);

    let time_goes_on = async {
        // Not once: whoever is still deleting after the first advance goes to sleep after this one.
        loop {
            world.test.clock().advance(TimeDelta::hours(2));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = time_goes_on => {}
        () = world.settles_at("select count(*) from ai_reply", 0) => {}
    }
    assert_eq!(world.count("select count(*) from ai_piece").await, 0);
    let gone = world.open(after(&whole.position)).await;
    assert_eq!(gone.unwrap_err().code, "UNKNOWN_REPLY");
}

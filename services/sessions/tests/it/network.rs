use std::time::Duration;

use kit::deadline;
use sandbox::Action;

use crate::world::{Heard, World, after, question};

/// The deadline of the call that opens the stream.
const DEADLINE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_text_may_take_longer_than_the_call_that_asks_for_it() {
    for world in [World::start().await, World::start_apart().await] {
        world.sabotage(Action::DelayAfterCommit { ms: 2_000 });
        let opened = deadline::within(DEADLINE, world.open(question("k"))).await;
        let mut source = opened.unwrap().unwrap();
        let mut heard = Heard::default();
        while heard.take(&mut source).await {}
        assert!(heard.is_done, "{heard:?}");
    }
}

#[tokio::test]
async fn over_the_network_all_is_as_in_one_process() {
    let world = World::start_apart().await;
    let whole = world.hear(question("k")).await;
    assert!(whole.is_done && whole.pieces > 3);
    let refused = world.open(question("not ascii: ş")).await.unwrap_err();
    assert_eq!(refused.fields[0].field, "idempotency_key");
    assert!(world.hear(after(&whole.position)).await.is_done);
}

use std::time::Duration;

use chrono::TimeDelta;

use crate::test_env::{TestEnv, after, question};

#[tokio::test]
async fn reply_is_purged_after_a_day() {
    let env = TestEnv::start().await;
    let whole = env.read_all(question("k")).await;
    env.test.clock().advance(TimeDelta::hours(23));
    assert!(env.read_all(after(&whole.position)).await.is_done);

    let advance_clock = async {
        // Repeatedly: a purge that is still running at one advance waits for the next.
        loop {
            env.test.clock().advance(TimeDelta::hours(2));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = advance_clock => {}
        () = env.wait_until_count("select count(*) from ai_reply", 0) => {}
    }
    assert_eq!(env.count("select count(*) from ai_reply_chunk").await, 0);
    let gone = env.open(after(&whole.position)).await;
    assert_eq!(gone.unwrap_err().code, "UNKNOWN_REPLY");
}

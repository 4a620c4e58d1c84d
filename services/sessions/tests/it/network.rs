use std::time::Duration;

use kit::deadline;
use sandbox::Action;

use crate::test_env::{Received, TestEnv, after, question};

/// The deadline of the call that opens the stream.
const DEADLINE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn stream_may_outlive_the_deadline_of_its_call() {
    for env in [TestEnv::start().await, TestEnv::start_over_network().await] {
        env.inject_fault(Action::DelayAfterCommit { ms: 2_000 });
        let opened = deadline::within(DEADLINE, env.open(question("k"))).await;
        let mut source = opened.unwrap().unwrap();
        let mut received = Received::default();
        while received.next(&mut source).await {}
        assert!(received.is_done, "{received:?}");
    }
}

#[tokio::test]
async fn works_over_the_network_as_in_one_process() {
    let env = TestEnv::start_over_network().await;
    let whole = env.read_all(question("k")).await;
    assert!(whole.is_done && whole.chunks > 3);
    let refused = env.open(question("not ascii: ş")).await.unwrap_err();
    assert_eq!(refused.fields[0].field, "idempotency_key");
    assert!(env.read_all(after(&whole.position)).await.is_done);
}

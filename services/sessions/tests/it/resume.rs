use proto::sessions::v1::WriteAiTextRequest;
use sandbox::Action;

use crate::test_env::{Received, TestEnv, after, question};

#[tokio::test]
async fn resumed_stream_repeats_and_loses_nothing() {
    let env = TestEnv::start().await;
    env.inject_fault(Action::DelayAfterCommit { ms: 300 });
    for received_before in [1, 2, 5] {
        let key = format!("cut-{received_before}");
        let mut source = env.open(question(&key)).await.unwrap();
        let mut received = Received::default();
        for _ in 0..received_before {
            assert!(received.next(&mut source).await);
        }
        drop(source);

        let rest = env.read_all(after(&received.position)).await;
        let whole = env.read_all(question(&key)).await;
        assert!(rest.is_done);
        assert_eq!(received.text + &rest.text, whole.text);
        assert_eq!(
            received_before + rest.chunks,
            whole.chunks,
            "every reader gets the same chunks"
        );
    }
}

#[tokio::test]
async fn generation_continues_without_readers() {
    let env = TestEnv::start().await;
    env.inject_fault(Action::DelayAfterCommit { ms: 200 });
    drop(env.open(question("k")).await.unwrap());
    env.wait_until_count("select count(*) from ai_reply where state = 'finished'", 1)
        .await;
    assert!(env.read_all(question("k")).await.is_done);
    assert_eq!(env.model.requests().len(), 1);
}

#[tokio::test]
async fn resume_after_the_end_sends_only_the_end() {
    let env = TestEnv::start().await;
    let whole = env.read_all(question("k")).await;
    let rest = env.read_all(after(&whole.position)).await;
    assert_eq!((rest.text.as_str(), rest.is_done), ("", true));
}

#[tokio::test]
async fn resumed_stream_does_not_repeat_helplines() {
    let env = TestEnv::start().await;
    let asked = WriteAiTextRequest {
        question: "quiero morir".into(),
        lang: "es".into(),
        ..Default::default()
    };
    let mut source = env.open(asked.clone()).await.unwrap();
    let mut received = Received::default();
    received.next(&mut source).await;
    assert_eq!(received.helplines[0].phone, "024");
    let rest = WriteAiTextRequest {
        after: received.position,
        ..asked
    };
    let rest = env.read_all(rest).await;
    assert!(rest.helplines.is_empty() && rest.is_done);
}

#[tokio::test]
async fn resume_requires_the_question_of_the_reply() {
    let env = TestEnv::start().await;
    let whole = env.read_all(question("")).await;
    let other = WriteAiTextRequest {
        question: "What did they ask?".into(),
        ..after(&whole.position)
    };
    assert_eq!(env.open(other).await.unwrap_err().code, "UNKNOWN_REPLY");
    let unknown = after("air_0193a1b200007000800000000000000a.3");
    assert_eq!(env.open(unknown).await.unwrap_err().code, "UNKNOWN_REPLY");
}

use proto::sessions::v1::WriteAiTextRequest;
use sandbox::Action;

use crate::world::{Heard, World, after, question};

#[tokio::test]
async fn who_is_cut_off_hears_the_rest_and_nothing_twice() {
    let world = World::start().await;
    world.sabotage(Action::DelayAfterCommit { ms: 300 });
    for cut_after in [1, 2, 5] {
        let key = format!("cut-{cut_after}");
        let mut source = world.open(question(&key)).await.unwrap();
        let mut heard = Heard::default();
        for _ in 0..cut_after {
            assert!(heard.take(&mut source).await);
        }
        drop(source);

        let rest = world.hear(after(&heard.position)).await;
        let whole = world.hear(question(&key)).await;
        assert!(rest.is_done);
        assert_eq!(heard.text + &rest.text, whole.text);
        assert_eq!(
            cut_after + rest.pieces,
            whole.pieces,
            "every reader hears the same pieces"
        );
    }
}

#[tokio::test]
async fn a_text_is_written_to_its_end_when_nobody_listens() {
    let world = World::start().await;
    world.sabotage(Action::DelayAfterCommit { ms: 200 });
    drop(world.open(question("k")).await.unwrap());
    world
        .settles_at("select count(*) from ai_reply where state = 'finished'", 1)
        .await;
    assert!(world.hear(question("k")).await.is_done);
    assert_eq!(world.model.requests().len(), 1);
}

#[tokio::test]
async fn after_the_end_there_is_only_the_end() {
    let world = World::start().await;
    let whole = world.hear(question("k")).await;
    let rest = world.hear(after(&whole.position)).await;
    assert_eq!((rest.text.as_str(), rest.is_done), ("", true));
}

#[tokio::test]
async fn help_is_not_named_twice() {
    let world = World::start().await;
    let asked = WriteAiTextRequest {
        question: "quiero morir".into(),
        lang: "es".into(),
        ..Default::default()
    };
    let mut source = world.open(asked.clone()).await.unwrap();
    let mut heard = Heard::default();
    heard.take(&mut source).await;
    assert_eq!(heard.helplines[0].phone, "024");
    let rest = WriteAiTextRequest {
        after: heard.position,
        ..asked
    };
    let rest = world.hear(rest).await;
    assert!(rest.helplines.is_empty() && rest.is_done);
}

#[tokio::test]
async fn a_reply_is_told_only_to_who_knows_its_question() {
    let world = World::start().await;
    let whole = world.hear(question("")).await;
    let other = WriteAiTextRequest {
        question: "What did they ask?".into(),
        ..after(&whole.position)
    };
    assert_eq!(world.open(other).await.unwrap_err().code, "UNKNOWN_REPLY");
    let unknown = after("air_0193a1b200007000800000000000000a.3");
    assert_eq!(world.open(unknown).await.unwrap_err().code, "UNKNOWN_REPLY");
}

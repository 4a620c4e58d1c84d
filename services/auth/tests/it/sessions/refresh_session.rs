use chrono::TimeDelta;
use futures::future::join_all;

use crate::sessions::{EMAIL, is_over, renewed, signed_in};

#[tokio::test]
async fn a_token_is_replaced_once_an_hour() {
    let (auth, first) = signed_in().await;
    assert_eq!(renewed(&auth, &first).await, None);

    auth.test.clock().advance(TimeDelta::hours(1));
    let second = renewed(&auth, &first).await.unwrap();
    assert_ne!(first, second);
    assert_eq!(renewed(&auth, &second).await, None);
    assert_eq!(
        auth.authenticate(&second).await.unwrap().user.unwrap().email,
        EMAIL
    );
}

#[tokio::test]
async fn lost_response_signs_no_user_out() {
    let (auth, first) = signed_in().await;
    auth.test.clock().advance(TimeDelta::hours(1));
    let lost = renewed(&auth, &first).await.unwrap();

    auth.test.clock().advance(TimeDelta::hours(5));
    assert!(!is_over(&auth, &first).await);
    let second = renewed(&auth, &first).await.unwrap();
    assert!(!is_over(&auth, &second).await);
    assert!(
        is_over(&auth, &lost).await,
        "what was offered before is no token any more"
    );
    assert!(!is_over(&auth, &second).await, "and trying it ends nothing");
}

#[tokio::test]
async fn calls_that_were_under_way_are_still_answered() {
    let (auth, first) = signed_in().await;
    auth.test.clock().advance(TimeDelta::hours(1));
    let second = renewed(&auth, &first).await.unwrap();
    auth.authenticate(&second).await.unwrap();

    auth.test.clock().advance(TimeDelta::seconds(59));
    assert!(!is_over(&auth, &first).await);
    assert_eq!(
        renewed(&auth, &first).await,
        None,
        "a token in its grace gets no successor"
    );
}

#[tokio::test]
async fn a_former_token_used_again_ends_the_session_for_both() {
    let (auth, first) = signed_in().await;
    let elsewhere = auth.token_elsewhere().await;
    auth.test.clock().advance(TimeDelta::hours(1));
    let second = renewed(&auth, &first).await.unwrap();
    auth.authenticate(&second).await.unwrap();

    auth.test.clock().advance(TimeDelta::seconds(61));
    assert!(is_over(&auth, &first).await);
    assert!(is_over(&auth, &second).await);
    assert!(
        !is_over(&auth, &elsewhere).await,
        "other sessions have other tokens"
    );
}

#[tokio::test]
async fn of_calls_at_once_one_gets_the_next_token_and_all_are_answered() {
    let (auth, mut token) = signed_in().await;
    for _ in 0..10 {
        auth.test.clock().advance(TimeDelta::hours(1));
        let answers = join_all((0..8).map(|_| auth.refresh(&token))).await;
        let tokens: Vec<_> = answers
            .into_iter()
            .filter_map(|answer| answer.unwrap().renewed)
            .collect();
        assert_eq!(tokens.len(), 1);

        let uses = join_all((0..8).map(|_| auth.authenticate(&tokens[0].token))).await;
        assert!(uses.iter().all(Result::is_ok));
        assert!(!is_over(&auth, &token).await);
        token.clone_from(&tokens[0].token);
    }
}

#[tokio::test]
async fn signing_out_works_with_any_token_of_the_session() {
    let (auth, first) = signed_in().await;
    auth.test.clock().advance(TimeDelta::hours(1));
    let second = renewed(&auth, &first).await.unwrap();
    auth.sign_out(&second).await.unwrap();
    assert!(is_over(&auth, &first).await && is_over(&auth, &second).await);
}

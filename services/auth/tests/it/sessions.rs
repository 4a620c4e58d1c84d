mod access_token;
mod authenticate;
mod handoff;
mod sign_out;

use chrono::TimeDelta;
use futures::future::join_all;
use proto::auth::v1::{
    Caller, Device, ListDevicesRequest, RegisterRequest, SignOutDeviceRequest, SignOutEverywhereRequest,
};

use crate::fixture::{Auth, PASSWORD, ada, answered, token};

const EMAIL: &str = "ada@example.com";
const PHONE: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

async fn signed_in() -> (Auth, String) {
    let auth = Auth::start().await;
    let token = token(&auth.register(ada()).await.unwrap());
    (auth, token)
}

async fn renewed(auth: &Auth, token: &str) -> Option<String> {
    auth.refresh(token)
        .await
        .unwrap()
        .renewed
        .map(|session| session.token)
}

async fn is_over(auth: &Auth, token: &str) -> bool {
    auth.authenticate(token)
        .await
        .is_err_and(|refused| refused.code == "SESSION_EXPIRED")
}

async fn devices(auth: &Auth, token: &str) -> Vec<Device> {
    let token = token.to_owned();
    answered(auth.client().list_devices(ListDevicesRequest { token }).await)
        .unwrap()
        .devices
}

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

#[tokio::test]
async fn devices_are_listed_coarsely_and_latest_first() {
    let (auth, here) = signed_in().await;
    let phone = Caller {
        user_agent: PHONE.to_owned(),
        address: "203.0.113.7".to_owned(),
        device_cookie: String::new(),
        ..Caller::default()
    };
    auth.test.clock().advance(TimeDelta::minutes(90));
    let there = auth
        .sign_in_from(EMAIL, PASSWORD, phone)
        .await
        .unwrap()
        .session
        .unwrap()
        .token;

    let list = devices(&auth, &here).await;
    assert_eq!(list.len(), 2);
    assert_eq!(
        (
            list[0].browser.as_str(),
            list[0].system.as_str(),
            list[0].is_current
        ),
        ("Chrome", "Android", false)
    );
    assert!(list[1].is_current);
    assert_eq!(list[0].signed_in_at.unwrap().seconds % 3600, 0);
    assert!(devices(&auth, &there).await[0].is_current);

    let stored: String = sqlx::query_scalar("select string_agg(t::text, ' ') from session t")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert!(
        !stored.contains("Mozilla") && !stored.contains("203.0.113"),
        "{stored}"
    );
}

#[tokio::test]
async fn the_latest_use_is_seen_by_the_hour() {
    let (auth, here) = signed_in().await;
    let first_seen = devices(&auth, &here).await[0].last_seen_at.unwrap();
    auth.test.clock().advance(TimeDelta::hours(3));
    auth.authenticate(&here).await.unwrap();
    let seen = devices(&auth, &here).await[0].last_seen_at.unwrap();
    assert_eq!(seen.seconds - first_seen.seconds, 3 * 3600);
}

#[tokio::test]
async fn one_device_is_signed_out_and_no_other() {
    let (auth, here) = signed_in().await;
    let there = auth.token_elsewhere().await;
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    let graces = token(&auth.register(grace).await.unwrap());
    let sign_out = async |token: &str, session_id: &str| {
        let request = SignOutDeviceRequest {
            token: token.to_owned(),
            session_id: session_id.to_owned(),
        };
        answered(auth.client().sign_out_device(request).await)
    };
    let other = devices(&auth, &here)
        .await
        .into_iter()
        .find(|device| !device.is_current)
        .unwrap();

    sign_out(&graces, &other.session_id).await.unwrap();
    assert!(
        !is_over(&auth, &there).await,
        "another member's session is not theirs to end"
    );
    sign_out(&here, "ses_nonsense").await.unwrap();
    sign_out(&here, &other.session_id).await.unwrap();
    assert!(is_over(&auth, &there).await && !is_over(&auth, &here).await);
    assert_eq!(
        sign_out(&there, &other.session_id).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

#[tokio::test]
async fn everywhere_is_here_too_and_at_once() {
    let (auth, here) = signed_in().await;
    let there = auth.token_elsewhere().await;
    let request = SignOutEverywhereRequest { token: here.clone() };
    answered(auth.client().sign_out_everywhere(request).await).unwrap();
    assert!(is_over(&auth, &here).await && is_over(&auth, &there).await);
}

#[tokio::test]
async fn a_new_sign_in_ends_the_session_the_browser_had() {
    let auth = Auth::start().await;
    let former = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;
    let same_browser = || Caller {
        session: former.clone(),
        ..Caller::default()
    };
    auth.sign_in_from("ada@example.com", "a guess", same_browser())
        .await
        .unwrap_err();
    assert!(auth.authenticate(&former).await.is_ok(), "a failure ends nothing");
    let answer = auth
        .sign_in_from("ada@example.com", PASSWORD, same_browser())
        .await;
    let fresh = answer.unwrap().session.unwrap().token;
    let refused = auth.authenticate(&former).await.unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
    assert!(auth.authenticate(&fresh).await.is_ok() && auth.authenticate(&elsewhere).await.is_ok());

    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        caller: Some(Caller {
            session: fresh.clone(),
            ..Caller::default()
        }),
        ..ada()
    };
    auth.register(grace).await.unwrap();
    assert_eq!(
        auth.authenticate(&fresh).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
}

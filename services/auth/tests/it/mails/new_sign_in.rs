//! Mails about sign-ins from new browsers.
use chrono::TimeDelta;
use kit::requester::{self, Requester};
use proto::auth::v1::{Caller, EndSessionRequest};
use sandbox::Sandbox;

use crate::fixture::{Auth, PASSWORD, ada, answered, eventually};
use crate::mails::{EMAIL, with_account};
use crate::second_factor::{enable, next_code, verify};
use crate::sessions::PHONE;

fn from_phone(device_cookie: &str) -> Caller {
    Caller {
        user_agent: PHONE.to_owned(),
        device_cookie: device_cookie.to_owned(),
        ..Caller::default()
    }
}

async fn arrived(post: &Sandbox, count: usize) {
    eventually(async || post.mails().len() >= count).await;
    assert_eq!(post.mails().len(), count);
}

#[tokio::test]
async fn a_sign_in_from_a_new_browser_is_mailed_with_a_link_that_ends_it() {
    let (auth, post) = with_account().await;
    let visitor = Requester::new("de", "AT");
    let signing_in = auth.sign_in_from(EMAIL, PASSWORD, from_phone(""));
    let session = requester::scope(visitor, signing_in)
        .await
        .unwrap()
        .session
        .unwrap();
    arrived(&post, 1).await;
    let mail = &post.mails()[0];
    assert_eq!(mail.to, [EMAIL]);
    assert_eq!(mail.content.subject, "New sign-in to your account");
    for part in ["Device: Chrome, Android", "Country: AT", " UTC"] {
        assert!(mail.content.text.contains(part), "{part}: {}", mail.content.text);
    }
    let page = "http://localhost:8080/en/account/end-session/?token=";
    let token = mail.content.links[0].strip_prefix(page).unwrap();
    let request = EndSessionRequest {
        token: token.to_owned(),
    };
    answered(auth.client().end_session(request).await).unwrap();
    let refused = auth.authenticate(&session.token).await.unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
}

#[tokio::test]
async fn a_known_browser_is_not_mailed_about() {
    let (auth, post) = Auth::with_post().await;
    let registered = auth.register(ada()).await.unwrap();
    let known = auth
        .sign_in_from(EMAIL, PASSWORD, from_phone(&registered.device_cookie))
        .await
        .unwrap();
    auth.sign_in_from(EMAIL, PASSWORD, from_phone(&known.device_cookie))
        .await
        .unwrap();
    auth.test.rounds("send-mails", 1).await;
    assert!(post.mails().is_empty());
    auth.sign_in_from(EMAIL, PASSWORD, from_phone("made up"))
        .await
        .unwrap();
    arrived(&post, 1).await;
}

#[tokio::test]
async fn the_browser_of_the_first_factor_decides() {
    let (auth, post) = Auth::with_post().await;
    let registered = auth.register(ada()).await.unwrap();
    let enabled = enable(&auth, &registered.session.unwrap().token).await;
    arrived(&post, 1).await;
    for (cookie, mails) in [(registered.device_cookie.as_str(), 1), ("", 2)] {
        auth.test.clock().advance(TimeDelta::minutes(1));
        let answer = auth
            .sign_in_from(EMAIL, PASSWORD, from_phone(cookie))
            .await
            .unwrap();
        auth.test.rounds("send-mails", 1).await;
        arrived(&post, 1).await;
        verify(&auth, &answer.challenge, &next_code(&auth, &enabled.secret))
            .await
            .unwrap();
        arrived(&post, mails).await;
    }
}

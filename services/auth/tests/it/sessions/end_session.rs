use chrono::TimeDelta;
use kit::error::{Failure, Kind};
use proto::auth::v1::EndSessionRequest;

use crate::fixture::{Auth, PASSWORD, answered};
use crate::sessions::{EMAIL, is_over, signed_in};

async fn end(auth: &Auth, token: &str) -> Result<(), Failure> {
    let token = token.to_owned();
    answered(auth.client().end_session(EndSessionRequest { token }).await).map(|_| ())
}

#[tokio::test]
async fn the_mailed_link_ends_exactly_its_session_once() {
    let (auth, registered) = signed_in().await;
    let stranger = auth.token_elsewhere().await;
    let link = auth.mailed_token("new_sign_in").await;
    auth.test.clock().advance(TimeDelta::minutes(1));
    let later = auth.token_elsewhere().await;

    end(&auth, &link).await.unwrap();
    assert!(is_over(&auth, &stranger).await);
    assert!(!is_over(&auth, &registered).await && !is_over(&auth, &later).await);
    let again = end(&auth, &link).await.unwrap_err();
    assert_eq!(
        (again.kind, again.code.as_str()),
        (Kind::NotFound, "LINK_INVALID")
    );
}

#[tokio::test]
async fn a_link_is_over_after_seven_days_and_other_tokens_end_nothing() {
    let (auth, _) = signed_in().await;
    let session = auth.token_elsewhere().await;
    let link = auth.mailed_token("new_sign_in").await;
    auth.forgot(EMAIL).await.unwrap();
    let reset = auth.mailed_token("reset_password").await;
    for other in ["", "nonsense", session.as_str(), reset.as_str(), &"0".repeat(64)] {
        assert_eq!(
            end(&auth, other).await.unwrap_err().code,
            "LINK_INVALID",
            "{other}"
        );
    }
    assert!(!is_over(&auth, &session).await);
    auth.test.clock().advance(TimeDelta::days(7));
    assert_eq!(end(&auth, &link).await.unwrap_err().code, "LINK_INVALID");
}

#[tokio::test]
async fn the_link_sets_no_password_and_survives_a_changed_one() {
    let (auth, registered) = signed_in().await;
    let stranger = auth.token_elsewhere().await;
    let link = auth.mailed_token("new_sign_in").await;
    let refused = auth.reset(&link, "a new quiet place").await.unwrap_err();
    assert_eq!(refused.code, "LINK_EXPIRED");
    // The session itself cannot take the link away by another password.
    let request = proto::auth::v1::UpdateProfileRequest {
        token: stranger.clone(),
        full_name: "Ada Lovelace".to_owned(),
        email: EMAIL.to_owned(),
        password: "a new quiet place".to_owned(),
        ..Default::default()
    };
    answered(auth.client().update_profile(request).await).unwrap();
    assert!(is_over(&auth, &registered).await);
    end(&auth, &link).await.unwrap();
    assert!(is_over(&auth, &stranger).await);
    auth.sign_in(EMAIL, PASSWORD).await.unwrap_err();
}

#[tokio::test]
async fn the_link_of_an_ended_session_is_used_up_quietly() {
    let (auth, _) = signed_in().await;
    let session = auth.token_elsewhere().await;
    let link = auth.mailed_token("new_sign_in").await;
    auth.sign_out(&session).await.unwrap();
    let mails = "select count(*) from mail_outbox where template = 'new_sign_in'";
    assert_eq!(auth.count(mails).await, 1, "a sign-out takes no mail away");
    end(&auth, &link).await.unwrap();
}

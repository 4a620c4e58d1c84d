use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::{
    Caller, IssueHandoffTokenRequest, IssueHandoffTokenResponse, RedeemHandoffTokenRequest,
    RedeemHandoffTokenResponse, RegisterRequest,
};

use crate::fixture::{Auth, ada, answered, eventually, token};

pub async fn signed_in() -> (Auth, String) {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    (auth, session)
}

pub async fn issue(auth: &Auth, session: &str, purpose: &str) -> Result<IssueHandoffTokenResponse, Failure> {
    let request = IssueHandoffTokenRequest {
        token: session.to_owned(),
        purpose: purpose.to_owned(),
    };
    answered(auth.client().issue_handoff_token(request).await)
}

async fn redeem(auth: &Auth, token: &str) -> Result<RedeemHandoffTokenResponse, Failure> {
    redeem_beside(auth, token, "").await
}

/// In a browser that has a session.
async fn redeem_beside(
    auth: &Auth,
    token: &str,
    session: &str,
) -> Result<RedeemHandoffTokenResponse, Failure> {
    let request = RedeemHandoffTokenRequest {
        handoff_token: token.to_owned(),
        caller: Some(Caller {
            session: session.to_owned(),
            ..Caller::default()
        }),
    };
    answered(auth.client().redeem_handoff_token(request).await)
}

#[tokio::test]
async fn a_token_signs_its_owner_in_once() {
    let (auth, session) = signed_in().await;
    let handoff = issue(&auth, &session, "autologin").await.unwrap().handoff_token;
    let taken = redeem(&auth, &handoff).await.unwrap();
    let fresh = taken.session.unwrap().token;
    assert_ne!(fresh, session);
    assert_eq!(auth.authenticate(&fresh).await.unwrap().user, taken.user);
    assert_eq!(redeem(&auth, &handoff).await.unwrap_err().code, "TOKEN_EXPIRED");

    let signed_in = auth.test.events("stillpoint.auth.user.signed_in", 1).await;
    assert_eq!(signed_in[0].data["method"], "auto_signin");
    let issued = auth.test.events("stillpoint.auth.handoff_token.issued", 1).await;
    assert_eq!(issued[0].data["purpose"], "autologin");
    let validated = auth.test.events("stillpoint.auth.token.validated", 2).await;
    // Of two events about different things, either may be published first.
    let (refused, taken): (Vec<_>, Vec<_>) = validated
        .iter()
        .partition(|event| event.data["errorCode"] == "TOKEN_EXPIRED");
    assert_eq!((refused.len(), taken.len()), (1, 1), "{validated:?}");
    assert_eq!(taken[0].data["userId"], issued[0].data["userId"]);
}

#[tokio::test]
async fn it_is_over_after_five_minutes_and_forgotten_after_a_day() {
    let (auth, session) = signed_in().await;
    let handoff = issue(&auth, &session, "survey").await.unwrap().handoff_token;
    auth.test.clock().advance(TimeDelta::minutes(5));
    assert_eq!(redeem(&auth, &handoff).await.unwrap_err().code, "TOKEN_EXPIRED");

    auth.test.clock().advance(TimeDelta::days(1));
    eventually(async || {
        // A round that was under way goes by the time it began with.
        auth.test.clock().advance(TimeDelta::minutes(1));
        auth.count("select count(*) from handoff_token").await == 0
    })
    .await;
}

#[tokio::test]
async fn of_two_uses_at_once_one_counts() {
    let (auth, session) = signed_in().await;
    let handoff = issue(&auth, &session, "chat").await.unwrap().handoff_token;
    let (one, other) = tokio::join!(redeem(&auth, &handoff), redeem(&auth, &handoff));
    assert!(one.is_ok() != other.is_ok());
}

#[tokio::test]
async fn what_was_never_given_out_is_unknown() {
    let (auth, session) = signed_in().await;
    for made_up in ["", "nonsense", &"0".repeat(64), session.as_str()] {
        assert_eq!(
            redeem(&auth, made_up).await.unwrap_err().code,
            "TOKEN_UNKNOWN",
            "{made_up}"
        );
    }
}

#[tokio::test]
async fn beside_a_session_a_token_is_judged_and_no_session_is_replaced() {
    let (auth, session) = signed_in().await;
    let handoff = issue(&auth, &session, "survey").await.unwrap().handoff_token;
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    let other = token(&auth.register(grace).await.unwrap());

    for (brought, code) in [
        ("rubbish", "TOKEN_UNKNOWN"),
        (handoff.as_str(), "TOKEN_OTHER_MEMBER"),
    ] {
        let refused = redeem_beside(&auth, brought, &other).await.unwrap_err();
        assert_eq!(refused.code, code);
    }
    let own = redeem_beside(&auth, &handoff, &session).await.unwrap();
    assert_eq!(own.user.unwrap().email, "ada@example.com");
    assert!(own.session.is_none(), "the browser keeps the session it has");
    let again = redeem_beside(&auth, &handoff, &session).await.unwrap_err();
    assert_eq!(again.code, "TOKEN_EXPIRED");
    for live in [&session, &other] {
        auth.authenticate(live).await.unwrap();
    }
}

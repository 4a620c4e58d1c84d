use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::{
    IssueHandoffTokenRequest, RedeemHandoffTokenRequest, RegisterRequest, UpdateProfileRequest,
    UpdateProfileResponse,
};
use serde_json::json;

use crate::fixture::{self, Auth, PASSWORD, ada, answered, eventually, paid, token};

pub const EMAIL: &str = "ada@example.com";

pub const NEW_EMAIL: &str = "king@example.com";

pub const NEW: &str = "a new quiet place";

fn form(token: &str, fields: [&str; 3]) -> UpdateProfileRequest {
    let [full_name, email, password] = fields.map(str::to_owned);
    UpdateProfileRequest {
        token: token.to_owned(),
        full_name,
        email,
        password,
        ..UpdateProfileRequest::default()
    }
}

pub async fn update(auth: &Auth, token: &str, fields: [&str; 3]) -> Result<UpdateProfileResponse, Failure> {
    answered(auth.client().update_profile(form(token, fields)).await)
}

async fn with_current(auth: &Auth, token: &str, current: &str) -> Result<UpdateProfileResponse, Failure> {
    let request = UpdateProfileRequest {
        current_password: current.to_owned(),
        ..form(token, ["Ada Lovelace", NEW_EMAIL, NEW])
    };
    answered(auth.client().update_profile(request).await)
}

#[tokio::test]
async fn name_and_password_change_at_once_and_the_address_when_it_is_confirmed() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;

    let answer = update(&auth, &here, ["Ada King", "King@example.com", NEW])
        .await
        .unwrap();
    assert_eq!(answer.pending_email, NEW_EMAIL);
    let user = answer.user.unwrap();
    assert_eq!(
        (
            user.full_name.as_str(),
            user.first_name.as_str(),
            user.last_name.as_str(),
            user.email.as_str()
        ),
        ("Ada King", "Ada", "King", EMAIL)
    );
    assert_eq!(auth.authenticate(&here).await.unwrap().user.unwrap(), user);
    assert_eq!(
        auth.authenticate(&elsewhere).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    auth.sign_in(EMAIL, NEW).await.unwrap();
    assert_eq!(
        auth.sign_in(NEW_EMAIL, NEW).await.unwrap_err().code,
        "INVALID_CREDENTIALS"
    );

    let link = auth.mailed_token("confirm_email").await;
    auth.confirm_email(&link).await.unwrap();
    assert_eq!(auth.confirm_email(&link).await.unwrap_err().code, "LINK_EXPIRED");
    auth.sign_in(NEW_EMAIL, NEW).await.unwrap();
    assert_eq!(
        auth.authenticate(&here).await.unwrap().user.unwrap().email,
        NEW_EMAIL
    );

    let events = auth.test.events("stillpoint.auth.profile.updated", 2).await;
    assert_eq!(events[0].data["changedFields"], json!(["fullname", "password"]));
    assert_eq!(events[1].data["changedFields"], json!(["email"]));
    let whole = serde_json::to_string(&events[1]).unwrap().to_lowercase();
    assert!(!whole.contains("king"), "{whole}");
    let query: Vec<(String, Option<String>)> = sqlx::query_as(
        "select template, former_email from mail_outbox where template <> 'new_sign_in' order by template",
    )
    .fetch_all(auth.pool())
    .await
    .unwrap();
    let expected = [
        ("email_changed".to_owned(), Some(EMAIL.to_owned())),
        ("password_changed".to_owned(), None),
    ];
    assert_eq!(query, expected);
}

#[tokio::test]
async fn a_browser_left_open_needs_the_current_password_for_address_and_password() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    auth.test.clock().advance(TimeDelta::minutes(11));

    let refused = update(&auth, &here, ["Ada Lovelace", NEW_EMAIL, NEW])
        .await
        .unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.details["methods"].as_str()),
        ("STEP_UP_REQUIRED", "password")
    );
    let wrong = with_current(&auth, &here, "a guess").await.unwrap_err();
    assert_eq!(
        (wrong.code.as_str(), wrong.fields[0].field.as_str()),
        ("WRONG_PASSWORD", "currentPassword")
    );
    assert_eq!(auth.count("select count(*) from mail_outbox").await, 0);
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();

    with_current(&auth, &here, PASSWORD).await.unwrap();
    auth.sign_in(EMAIL, NEW).await.unwrap();
    // The password in the form is itself the proof where it is still the account's.
    update(&auth, &here, ["Ada Lovelace", "countess@example.com", NEW])
        .await
        .unwrap();
}

#[tokio::test]
async fn a_session_that_a_handoff_token_opened_proves_nothing() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let handoff = IssueHandoffTokenRequest {
        token: here,
        purpose: "survey".to_owned(),
    };
    let handoff = answered(auth.client().issue_handoff_token(handoff).await).unwrap();
    let redeemed = RedeemHandoffTokenRequest {
        handoff_token: handoff.handoff_token,
        caller: None,
    };
    let redeemed = answered(auth.client().redeem_handoff_token(redeemed).await).unwrap();
    let carried = redeemed.session.unwrap().token;
    let refused = update(&auth, &carried, ["Ada Lovelace", NEW_EMAIL, NEW])
        .await
        .unwrap_err();
    assert_eq!(refused.code, "STEP_UP_REQUIRED");
}

#[tokio::test]
async fn guesses_at_the_current_password_are_counted_and_lock_no_sign_in() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    auth.test.clock().advance(TimeDelta::minutes(11));
    for _ in 0..10 {
        let refused = with_current(&auth, &here, "a guess").await.unwrap_err();
        assert_eq!(refused.code, "WRONG_PASSWORD");
    }
    let refused = with_current(&auth, &here, PASSWORD).await.unwrap_err();
    assert_eq!(refused.code, "TOO_MANY_ATTEMPTS");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

/// Mallory has the password, or a fresh session.
async fn taken_over(auth: &Auth) -> (String, String) {
    let mallory = token(&auth.register(ada()).await.unwrap());
    for email in ["mallory@example.com", "mallory2@example.com"] {
        update(auth, &mallory, ["Ada Lovelace", email, NEW])
            .await
            .unwrap();
        let link = auth.mailed_token("confirm_email").await;
        auth.confirm_email(&link).await.unwrap();
        auth.test.clock().advance(TimeDelta::minutes(1));
    }
    (mallory, restoring(auth, EMAIL).await)
}

/// The token of the link that went to a former address.
async fn restoring(auth: &Auth, email: &str) -> String {
    let link_id: sqlx::types::Uuid =
        sqlx::query_scalar("select link_id from account_link where former_email = $1")
            .bind(email)
            .fetch_one(auth.pool())
            .await
            .unwrap();
    fixture::token_of(link_id)
}

#[tokio::test]
async fn the_former_address_gets_the_account_back_for_good() {
    let auth = Auth::start().await;
    let (mallory, restore) = taken_over(&auth).await;
    let later = restoring(&auth, "mallory@example.com").await;
    let thief = RegisterRequest {
        email: EMAIL.to_owned(),
        ..ada()
    };
    let refused = auth.register(thief).await.unwrap_err();
    assert_eq!(refused.code, "R100", "the address is kept for its owner");
    // Another password of Mallory's does not take the way back away.
    update(
        &auth,
        &mallory,
        ["Ada Lovelace", "mallory2@example.com", "yet another place"],
    )
    .await
    .unwrap();

    auth.reset(&restore, "a place of my own").await.unwrap();
    auth.sign_in(EMAIL, "a place of my own").await.unwrap();
    assert_eq!(
        auth.authenticate(&mallory).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    for email in ["mallory@example.com", "mallory2@example.com"] {
        auth.sign_in(email, "yet another place").await.unwrap_err();
    }
    let refused = auth.reset(&later, NEW).await.unwrap_err();
    assert_eq!(refused.code, "LINK_EXPIRED", "nor does Mallory get it back");
    let events = auth.test.events("stillpoint.auth.profile.updated", 5).await;
    assert_eq!(events[4].data["changedFields"], json!(["email", "password"]));
}

#[tokio::test]
async fn a_later_address_does_not_outlive_the_first_ones_way_back() {
    let auth = Auth::start().await;
    let (_, restore) = taken_over(&auth).await;
    let later = restoring(&auth, "mallory@example.com").await;
    auth.reset(&later, "a place of mallorys").await.unwrap();
    auth.reset(&restore, "a place of my own").await.unwrap();
    auth.sign_in(EMAIL, "a place of my own").await.unwrap();
}

#[tokio::test]
async fn a_way_back_is_good_for_seven_days_and_then_the_address_is_free() {
    let auth = Auth::start().await;
    let (_, restore) = taken_over(&auth).await;
    auth.test.clock().advance(TimeDelta::days(7));
    assert_eq!(auth.reset(&restore, NEW).await.unwrap_err().code, "LINK_EXPIRED");
    auth.register(ada()).await.unwrap();
}

#[tokio::test]
async fn the_form_sent_as_it_was_changes_nothing_and_ends_no_session() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;
    update(&auth, &here, ["Ada Lovelace", EMAIL, PASSWORD])
        .await
        .unwrap();
    assert!(auth.authenticate(&elsewhere).await.is_ok());
    let mails = "select count(*) from mail_outbox where template <> 'new_sign_in'";
    assert_eq!(auth.count(mails).await, 0);
    assert_eq!(
        auth.count("select count(*) from outbox where event->>'type' like '%profile%'")
            .await,
        0
    );
}

#[tokio::test]
async fn a_link_on_its_way_to_the_former_address_is_closed() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    update(&auth, &here, ["Ada Lovelace", NEW_EMAIL, PASSWORD])
        .await
        .unwrap();
    let confirmation = auth.mailed_token("confirm_email").await;
    auth.confirm_email(&confirmation).await.unwrap();
    assert_eq!(
        auth.reset(&link, "a new quiet place").await.unwrap_err().code,
        "LINK_EXPIRED"
    );
}

#[tokio::test]
async fn address_of_another_account_is_refused_and_nothing_changes() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    auth.register(grace).await.unwrap();
    let refused = update(
        &auth,
        &here,
        ["Ada King", "Grace@example.com", "a new quiet place"],
    )
    .await
    .unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.fields[0].field.as_str()),
        ("R100", "email")
    );
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn each_bad_field_is_named() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let refused = update(&auth, &here, [" ", "a@", "12345"]).await.unwrap_err();
    let named: Vec<_> = refused
        .fields
        .iter()
        .map(|error| (error.field.as_str(), error.code.as_str()))
        .collect();
    assert_eq!(
        named,
        [
            ("fullname", "REQUIRED"),
            ("email", "INVALID"),
            ("password", "TOO_SHORT")
        ]
    );
    assert_eq!(
        update(&auth, "nonsense", ["Ada", EMAIL, PASSWORD])
            .await
            .unwrap_err()
            .code,
        "SESSION_EXPIRED"
    );
}

#[tokio::test]
async fn a_paid_product_opens_coaching_or_therapy() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let here = token(&registered);
    let user_id = registered.user.unwrap().user_id;
    let flags = async || {
        let user = auth.authenticate(&here).await.unwrap().user.unwrap();
        (user.is_coaching_user, user.is_therapy_user)
    };
    paid(&auth, "e-1", &user_id, &["premium"]).await;
    paid(&auth, "e-2", &user_id, &["therapy"]).await;
    eventually(async || flags().await == (false, true)).await;
    paid(&auth, "e-3", &user_id, &["coaching"]).await;
    paid(&auth, "e-3", &user_id, &["coaching"]).await;
    eventually(async || flags().await == (true, true)).await;

    paid(&auth, "e-4", "unknown", &["coaching"]).await;
    eventually(async || auth.count("select count(*) from dead_letter").await == 1).await;
}

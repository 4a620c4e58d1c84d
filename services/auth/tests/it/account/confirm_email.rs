use chrono::TimeDelta;
use proto::auth::v1::RegisterRequest;

use crate::account::update_profile::{EMAIL, NEW, NEW_EMAIL, update};
use crate::fixture::{Auth, PASSWORD, ada, token};

#[tokio::test]
async fn only_the_latest_address_asked_for_can_be_confirmed_and_only_for_a_day() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let ask = async |email: &str| {
        update(&auth, &here, ["Ada Lovelace", email, PASSWORD])
            .await
            .unwrap();
        auth.mailed_token("confirm_email").await
    };
    let first = ask("first@example.com").await;
    let second = ask("second@example.com").await;
    assert_eq!(auth.confirm_email(&first).await.unwrap_err().code, "LINK_EXPIRED");
    let refused = auth.reset(&second, NEW).await.unwrap_err();
    assert_eq!(refused.code, "LINK_EXPIRED", "it sets no password");
    auth.test.clock().advance(TimeDelta::days(1));
    assert_eq!(
        auth.confirm_email(&second).await.unwrap_err().code,
        "LINK_EXPIRED"
    );
    for made_up in ["", "nonsense", &"0".repeat(64)] {
        assert_eq!(
            auth.confirm_email(made_up).await.unwrap_err().code,
            "LINK_EXPIRED"
        );
    }
}

#[tokio::test]
async fn an_address_that_was_taken_meanwhile_is_not_confirmed() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    update(&auth, &here, ["Ada Lovelace", NEW_EMAIL, PASSWORD])
        .await
        .unwrap();
    let link = auth.mailed_token("confirm_email").await;
    let king = RegisterRequest {
        email: NEW_EMAIL.to_owned(),
        ..ada()
    };
    auth.register(king).await.unwrap();
    assert_eq!(auth.confirm_email(&link).await.unwrap_err().code, "R100");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

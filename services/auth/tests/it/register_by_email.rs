use kit::error::Failure;
use proto::auth::v1::{RegisterByEmailRequest, RegisterByEmailResponse};

use crate::fixture::{Auth, ada, answered};

const EMAIL: &str = "ada@example.com";

async fn register(auth: &Auth, email: &str, key: &str) -> Result<RegisterByEmailResponse, Failure> {
    let request = RegisterByEmailRequest {
        email: email.to_owned(),
        lang: "tr".to_owned(),
        idempotency_key: key.to_owned(),
        ..RegisterByEmailRequest::default()
    };
    answered(auth.client().register_by_email(request).await)
}

#[tokio::test]
async fn an_address_alone_makes_an_account_and_a_session() {
    let auth = Auth::start().await;
    let answer = register(&auth, EMAIL, "").await.unwrap();
    assert_eq!(answer.user.clone().unwrap().full_name, "User");
    let session = answer.session.unwrap().token;
    assert_eq!(auth.authenticate(&session).await.unwrap().user, answer.user);
    let events = auth.test.events("stillpoint.auth.user.registered", 1).await;
    assert_eq!(events[0].data["method"], "email_only");
}

#[tokio::test]
async fn no_password_opens_it_until_one_is_chosen_with_the_mailed_link() {
    let auth = Auth::start().await;
    register(&auth, EMAIL, "").await.unwrap();
    for guess in ["placeholder", "User123456", "password"] {
        assert_eq!(
            auth.sign_in(EMAIL, guess).await.unwrap_err().code,
            "INVALID_CREDENTIALS"
        );
    }
    let lang: String = sqlx::query_scalar("select lang from mail_outbox")
        .fetch_one(auth.pool())
        .await
        .unwrap();
    assert_eq!(lang, "tr");
    let link = auth.mailed_token("set_password").await;
    auth.reset(&link, "a new quiet place").await.unwrap();
    auth.sign_in(EMAIL, "a new quiet place").await.unwrap();
}

#[tokio::test]
async fn an_address_that_has_an_account_is_refused() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    assert_eq!(register(&auth, EMAIL, "").await.unwrap_err().code, "R100");
    assert_eq!(
        register(&auth, "", "").await.unwrap_err().fields[0].field,
        "email"
    );
    assert_eq!(auth.count("select count(*) from mail_outbox").await, 0);
}

#[tokio::test]
async fn a_repeat_is_the_same_account_until_it_has_a_password() {
    let auth = Auth::start().await;
    let first = register(&auth, EMAIL, "key-1").await.unwrap();
    let second = register(&auth, EMAIL, "key-1").await.unwrap();
    assert_eq!(first.user, second.user);
    assert_eq!(auth.count("select count(*) from mail_outbox").await, 1);

    let link = auth.mailed_token("set_password").await;
    auth.reset(&link, "a new quiet place").await.unwrap();
    assert_eq!(
        register(&auth, EMAIL, "key-1").await.unwrap_err().code,
        "IDEMPOTENCY_CONFLICT"
    );
}

use kit::error::Failure;
use proto::auth::v1::{RegisterRequest, UpdateProfileRequest, User};
use serde_json::json;

use crate::fixture::{Auth, PASSWORD, ada, answered, eventually, paid, token};

const EMAIL: &str = "ada@example.com";

async fn update(auth: &Auth, token: &str, fields: [&str; 3]) -> Result<User, Failure> {
    let [full_name, email, password] = fields.map(str::to_owned);
    let request = UpdateProfileRequest {
        token: token.to_owned(),
        full_name,
        email,
        password,
    };
    Ok(answered(auth.client().update_profile(request).await)?
        .user
        .unwrap())
}

#[tokio::test]
async fn name_address_and_password_change_together() {
    let auth = Auth::start().await;
    let here = token(&auth.register(ada()).await.unwrap());
    let elsewhere = auth.token_elsewhere().await;

    let user = update(
        &auth,
        &here,
        ["Ada King", "King@example.com", "a new quiet place"],
    )
    .await
    .unwrap();
    assert_eq!(
        (
            user.full_name.as_str(),
            user.first_name.as_str(),
            user.last_name.as_str(),
            user.email.as_str()
        ),
        ("Ada King", "Ada", "King", "king@example.com")
    );
    assert_eq!(auth.authenticate(&here).await.unwrap().user.unwrap(), user);
    assert_eq!(
        auth.authenticate(&elsewhere).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    auth.sign_in("king@example.com", "a new quiet place")
        .await
        .unwrap();
    assert_eq!(
        auth.sign_in(EMAIL, PASSWORD).await.unwrap_err().code,
        "INVALID_CREDENTIALS"
    );

    let events = auth.test.events("stillpoint.auth.profile.updated", 1).await;
    assert_eq!(
        events[0].data["changedFields"],
        json!(["fullname", "email", "password"])
    );
    let whole = serde_json::to_string(&events[0]).unwrap().to_lowercase();
    assert!(!whole.contains("king"), "{whole}");
    let told: Vec<(String, Option<String>)> =
        sqlx::query_as("select template, former_email from mail_outbox order by template")
            .fetch_all(auth.pool())
            .await
            .unwrap();
    let expected = [
        ("email_changed".to_owned(), Some(EMAIL.to_owned())),
        ("password_changed".to_owned(), None),
    ];
    assert_eq!(told, expected);
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
    assert_eq!(auth.count("select count(*) from mail_outbox").await, 0);
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
    update(&auth, &here, ["Ada Lovelace", "king@example.com", PASSWORD])
        .await
        .unwrap();
    assert_eq!(
        auth.reset(&link, "a new quiet place").await.unwrap_err().code,
        "LINK_EXPIRED"
    );
}

#[tokio::test]
async fn an_address_of_somebody_else_is_refused_and_nothing_changes() {
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
        .map(|fault| (fault.field.as_str(), fault.code.as_str()))
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

    paid(&auth, "e-4", "nobody", &["coaching"]).await;
    eventually(async || auth.count("select count(*) from dead_letter").await == 1).await;
}

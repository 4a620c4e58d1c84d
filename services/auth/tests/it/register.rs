use futures::future::join_all;
use proto::auth::v1::RegisterRequest;

use crate::fixture::{Auth, PASSWORD, ada, token};

fn with_key(key: &str) -> RegisterRequest {
    RegisterRequest {
        idempotency_key: key.to_owned(),
        ..ada()
    }
}

#[tokio::test]
async fn a_new_person_gets_an_account_and_a_session() {
    let auth = Auth::start().await;
    let answer = auth.register(ada()).await.unwrap();

    let user = answer.user.clone().unwrap();
    assert!(user.user_id.starts_with("usr_"));
    assert_eq!(
        (user.full_name.as_str(), user.email.as_str()),
        ("Ada Lovelace", "ada@example.com")
    );
    assert!(!user.is_coaching_user && !user.is_therapy_user);

    let authenticated = auth.authenticate(&token(&answer)).await.unwrap();
    assert_eq!(authenticated.user, Some(user));
}

#[tokio::test]
async fn event_carries_the_id_and_no_personal_data() {
    let auth = Auth::start().await;
    let user = auth.register(ada()).await.unwrap().user.unwrap();

    let events = auth.test.events("stillpoint.auth.user.registered", 1).await;
    let event = &events[0];
    assert_eq!(event.data["userId"], user.user_id);
    assert_eq!(event.data["method"], "form");
    assert_eq!(event.data["orderId"], "md-1");
    assert_eq!(event.data["emailHash"].as_str().unwrap().len(), 64);
    assert_eq!(
        (event.lang.as_deref(), event.country.as_deref()),
        (Some("en"), Some("GB"))
    );

    let whole = serde_json::to_string(event).unwrap().to_lowercase();
    // Not "ada" alone: that is a number as well, and identifiers hold it now and then.
    assert!(!whole.contains("ada@") && !whole.contains("lovelace"), "{whole}");
}

#[tokio::test]
async fn an_address_has_one_account_however_it_is_written() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();

    let again = RegisterRequest {
        email: "  ADA@Example.com ".to_owned(),
        ..ada()
    };
    let refused = auth.register(again).await.unwrap_err();
    assert_eq!(refused.code, "R100");
    assert_eq!(refused.fields[0].field, "email");
    assert_eq!(auth.count("select count(*) from account").await, 1);
}

#[tokio::test]
async fn of_many_at_once_exactly_one_gets_the_address() {
    let auth = Auth::start().await;
    let answers = join_all((0..8).map(|_| auth.register(ada()))).await;

    let (created, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(created.len(), 1);
    assert!(
        refused
            .into_iter()
            .all(|answer| answer.unwrap_err().code == "R100")
    );
    assert_eq!(
        auth.test.events("stillpoint.auth.user.registered", 1).await.len(),
        1
    );
    assert_eq!(auth.count("select count(*) from session").await, 1);
}

#[tokio::test]
async fn every_bad_field_is_named_and_nothing_is_stored() {
    let auth = Auth::start().await;
    let bad = RegisterRequest {
        name: " ".to_owned(),
        email: "a@".to_owned(),
        password: "12345".to_owned(),
        country: "Neverland".to_owned(),
        ..ada()
    };
    let refused = auth.register(bad).await.unwrap_err();
    assert_eq!(refused.code, "VALIDATION_FAILED");
    let named: Vec<_> = refused
        .fields
        .iter()
        .map(|error| (error.field.as_str(), error.code.as_str()))
        .collect();
    let expected = [
        ("name", "REQUIRED"),
        ("email", "INVALID"),
        ("password", "TOO_SHORT"),
        ("country", "INVALID"),
    ];
    assert_eq!(named, expected);
    assert_eq!(auth.count("select count(*) from account").await, 0);
}

#[tokio::test]
async fn a_common_password_is_refused() {
    let auth = Auth::start().await;
    let common = RegisterRequest {
        password: "Password123".to_owned(),
        ..ada()
    };
    let refused = auth.register(common).await.unwrap_err();
    assert_eq!(refused.fields[0].code, "PASSWORD_BREACHED");
}

#[tokio::test]
async fn a_repeat_is_the_same_account_with_a_fresh_session() {
    let auth = Auth::start().await;
    let first = auth.register(with_key("key-1")).await.unwrap();
    let second = auth.register(with_key("key-1")).await.unwrap();

    assert_eq!(first.user, second.user);
    assert_ne!(token(&first), token(&second));
    assert!(auth.authenticate(&token(&second)).await.is_ok());
    assert_eq!(
        auth.test.events("stillpoint.auth.user.registered", 1).await.len(),
        1
    );
    assert_eq!(auth.count("select count(*) from account").await, 1);
}

#[tokio::test]
async fn repeats_at_once_make_one_account() {
    let auth = Auth::start().await;
    let answers = join_all((0..8).map(|_| auth.register(with_key("key-1")))).await;

    let users: Vec<_> = answers
        .into_iter()
        .map(|answer| answer.unwrap().user.unwrap().user_id)
        .collect();
    assert!(users.iter().all(|user| *user == users[0]));
    assert_eq!(auth.count("select count(*) from account").await, 1);
}

#[tokio::test]
async fn the_key_alone_does_not_open_the_account() {
    let auth = Auth::start().await;
    auth.register(with_key("key-1")).await.unwrap();

    let guess = RegisterRequest {
        password: "another password".to_owned(),
        ..with_key("key-1")
    };
    assert_eq!(
        auth.register(guess).await.unwrap_err().code,
        "IDEMPOTENCY_CONFLICT"
    );
    assert_eq!(auth.count("select count(*) from session").await, 1);
}

#[tokio::test]
async fn a_key_used_for_another_form_is_a_conflict() {
    let auth = Auth::start().await;
    auth.register(with_key("key-1")).await.unwrap();

    let other = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..with_key("key-1")
    };
    assert_eq!(
        auth.register(other).await.unwrap_err().code,
        "IDEMPOTENCY_CONFLICT"
    );
    assert_eq!(auth.count("select count(*) from account").await, 1);
}

#[tokio::test]
async fn a_refused_registration_leaves_its_key_free() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();

    assert_eq!(auth.register(with_key("key-1")).await.unwrap_err().code, "R100");
    let other = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..with_key("key-1")
    };
    assert!(auth.register(other).await.is_ok());
}

#[tokio::test]
async fn no_table_but_account_holds_the_address_and_none_the_password_or_token() {
    let auth = Auth::start().await;
    let answer = auth.register(with_key("key-1")).await.unwrap();
    auth.sign_in("ada@example.com", "not the password")
        .await
        .unwrap_err();

    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables where table_schema = 'auth'",
    )
    .fetch_all(auth.pool())
    .await
    .unwrap();
    assert!(tables.iter().any(|table| table == "outbox"));
    for table in tables {
        let dump = sqlx::AssertSqlSafe(format!(
            "select coalesce(string_agg(t::text, ' '), '') from {table} t"
        ));
        let rows: String = sqlx::query_scalar(dump).fetch_one(auth.pool()).await.unwrap();
        assert!(
            !rows.contains(PASSWORD) && !rows.contains(&token(&answer)),
            "{table}"
        );
        assert!(table == "account" || !rows.contains("ada@example.com"), "{table}");
    }
}

/// Postgres logs a unique violation with the address. One leaves a dead row behind; a refusal before the index leaves none.
#[tokio::test]
async fn a_taken_address_is_refused_before_the_index_that_would_log_it() {
    let auth = Auth::start().await;
    let answers = join_all((0..8).map(|_| auth.register(ada()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    let grace = RegisterRequest {
        email: "grace@example.com".to_owned(),
        ..ada()
    };
    auth.register(grace).await.unwrap();
    let rows: Vec<String> = sqlx::query_scalar("select ctid::text from account order by ctid")
        .fetch_all(auth.pool())
        .await
        .unwrap();
    assert_eq!(rows, ["(0,1)", "(0,2)"]);
}

//! Mails carry no secrets; logs carry no personal data.
use chrono::TimeDelta;
use proto::auth::v1::Caller;
use sandbox::{Action, Fault};

use crate::fixture::{Auth, PASSWORD, ada, eventually};
use crate::logs;
use crate::mails::{EMAIL, attempts, given_back, mails, refuse, strike, token_in, waiting, with_account};

#[tokio::test]
async fn a_name_or_an_address_can_add_nothing_to_a_mail() {
    let (auth, post) = with_account().await;
    let name = "Ada\r\nBcc: eve@example.com\r\n\r\nCall 0900-HOTLINE";
    sqlx::query("update account set full_name = $1")
        .bind(name)
        .execute(auth.pool())
        .await
        .unwrap();
    auth.forgot(EMAIL).await.unwrap();
    let mail = &mails(&post, 1).await[0];
    assert_eq!(mail.to, [EMAIL]);
    let whole = format!("{:?}", mail.content);
    assert!(!whole.contains("eve@") && !whole.contains("HOTLINE"), "{whole}");

    let address = format!("{EMAIL}\r\nBcc: eve@example.com");
    sqlx::query("update account set email = $1")
        .bind(&address)
        .execute(auth.pool())
        .await
        .unwrap();
    auth.forgot(&address).await.unwrap_err();
    sqlx::query(
        "insert into mail_outbox (mail_id, template, lang, former_email, created_at, next_attempt_at)
         values (gen_random_uuid(), 'account_erased', 'en', $1, $2, $2)",
    )
    .bind(&address)
    .bind(auth.test.clock().now())
    .execute(auth.pool())
    .await
    .unwrap();
    eventually(async || waiting(&auth).await == 0).await;
    assert_eq!(post.mails().len(), 1, "it is given up");
}

#[tokio::test]
async fn without_a_mail_server_all_else_goes_on() {
    let auth = Auth::start().await;
    auth.register(ada()).await.unwrap();
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    given_back(&auth).await;
    assert_eq!(waiting(&auth).await, 2, "the link, and the notice of the sign-in");
}

#[tokio::test]
async fn nothing_is_said_in_the_clear_where_tls_is_required() {
    let (auth, post) = with_account().await;
    let secured = format!("{}?tls=required", post.smtp_url());
    let auth = auth.restart_with(&[("SMTP_URL", &secured)]).await;
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    given_back(&auth).await;
    assert_eq!((post.mails().len(), waiting(&auth).await), (0, 1));
}

#[tokio::test]
async fn logs_record_mails_and_refused_sign_ins_without_personal_data() {
    logs::capture();
    let (auth, post) = with_account().await;
    strike(&post, "DATA", refuse(451));
    let lost = Fault::on("DATA", "/smtp/*", Action::DropAfterCommit {});
    post.faults().add(lost.nth(2));
    for email in [EMAIL, "unknown@example.com"] {
        let stranger = Caller {
            address: "203.0.113.7".to_owned(),
            ..Caller::default()
        };
        auth.sign_in_from(email, "xylophone-7", stranger)
            .await
            .unwrap_err();
    }
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    given_back(&auth).await;
    auth.test.clock().advance(TimeDelta::seconds(5));
    let token = token_in(&mails(&post, 1).await[0]);
    strike(&post, "RCPT", refuse(550));
    eventually(async || {
        auth.test.clock().advance(TimeDelta::seconds(10));
        waiting(&auth).await == 0
    })
    .await;

    let said = logs::captured();
    assert!(
        said.contains("mail deferred") && said.contains("451 at the message"),
        "{said}"
    );
    assert!(said.contains("550 at the recipient"), "{said}");
    let refused: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("sign-in refused"))
        .collect();
    assert_eq!(refused.len(), 2, "{said}");
    assert!(
        refused[0].contains("usr_") && !refused[1].contains("usr_"),
        "{refused:?}"
    );
    for personal in [EMAIL, "unknown@", "Lovelace", "203.0.113", "xylophone-7", &token] {
        assert!(!said.contains(personal), "{personal}");
    }
}

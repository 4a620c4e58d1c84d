//! The mails as they arrive at a mail server, and what becomes of those that do not.
mod mail_privacy;
mod new_sign_in;
mod refund_mails;
mod subscription_mails;

use chrono::TimeDelta;
use proto::auth::v1::{RegisterByEmailRequest, UpdateProfileRequest};
use sandbox::mail::Mail;
use sandbox::{Action, Fault, Sandbox};

use crate::fixture::{Auth, PASSWORD, ada, answered, eventually, token};

pub const EMAIL: &str = "ada@example.com";
const NEW: &str = "a new quiet place";

pub async fn with_account() -> (Auth, Sandbox) {
    let (auth, post) = Auth::with_post().await;
    auth.register(ada()).await.unwrap();
    (auth, post)
}

/// Without those about new sign-ins, which the tests' sign-ins cause: `mails/new_sign_in.rs` reads them.
pub fn arrived(post: &Sandbox) -> Vec<Mail> {
    let of_sign_in = |mail: &Mail| mail.content.text.contains("/account/end-session/");
    post.mails()
        .into_iter()
        .filter(|mail| !of_sign_in(mail))
        .collect()
}

pub async fn mails(post: &Sandbox, count: usize) -> Vec<Mail> {
    eventually(async || arrived(post).len() >= count).await;
    let mails = arrived(post);
    assert_eq!(mails.len(), count);
    mails
}

/// Every mail that is due now has been sent or postponed.
async fn due_mails_done(auth: &Auth) {
    auth.test.rounds("send-mails", 1).await;
}

pub async fn waiting(auth: &Auth) -> i64 {
    auth.count("select count(*) from mail_outbox").await
}

/// Until the outbox has been tried so often.
pub async fn attempts(auth: &Auth, count: i64) {
    let tried = "select coalesce(sum(attempts), 0) from mail_outbox";
    eventually(async || auth.count(tried).await == count).await;
}

/// Until what was being sent is given back to wait for its next attempt.
pub async fn given_back(auth: &Auth) {
    let latest = "select count(*) from mail_outbox where next_attempt_at > created_at + interval '1 minute'";
    eventually(async || auth.count(latest).await == 0).await;
}

pub fn strike(post: &Sandbox, command: &str, action: Action) -> u64 {
    post.faults().add(Fault::on(command, "/smtp/*", action))
}

pub fn refuse(status: u16) -> Action {
    Action::Error {
        status,
        body: Some(format!("5.1.1 <{EMAIL}> says no").into()),
        stored: None,
    }
}

pub fn token_in(mail: &Mail) -> String {
    let (_, token) = mail.content.links[0].split_once("?token=").unwrap();
    token.to_owned()
}

async fn profile(auth: &Auth, session: &str, email: &str, password: &str) {
    let request = UpdateProfileRequest {
        token: session.to_owned(),
        full_name: "Ada Lovelace".to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
        ..UpdateProfileRequest::default()
    };
    answered(auth.client().update_profile(request).await).unwrap();
}

#[tokio::test]
async fn a_forgotten_password_is_chosen_again_with_what_arrives() {
    let (auth, post) = with_account().await;
    auth.forgot(EMAIL).await.unwrap();
    let mail = &mails(&post, 1).await[0];
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("hello@stillpoint.example", &[EMAIL.to_owned()][..])
    );
    assert_eq!(mail.content.subject, "Wähle ein neues Passwort");
    let page = "http://localhost:8080/de/forgot-password/?token=";
    assert!(
        mail.content.links[0].starts_with(page),
        "{:?}",
        mail.content.links
    );
    assert_eq!(mail.content.links.len(), 1, "text and HTML have the same one");
    assert!(mail.content.text.contains(page) && mail.content.html.contains("<html lang=\"de\""));

    auth.reset(&token_in(mail), NEW).await.unwrap();
    auth.sign_in(EMAIL, NEW).await.unwrap();
    let again = auth.reset(&token_in(mail), PASSWORD).await.unwrap_err();
    assert_eq!(again.code, "LINK_EXPIRED");

    let notice = &mails(&post, 2).await[1];
    assert_eq!(notice.content.subject, "Your password was changed");
    eventually(async || waiting(&auth).await == 0).await;
    due_mails_done(&auth).await;
    assert_eq!(arrived(&post).len(), 2, "each is sent once");
}

#[tokio::test]
async fn unknown_address_gets_no_mail() {
    let (auth, post) = with_account().await;
    auth.forgot("unknown@example.com").await.unwrap();
    due_mails_done(&auth).await;
    assert!(post.mails().is_empty());
}

#[tokio::test]
async fn what_the_server_cannot_take_now_is_sent_later() {
    for command in ["RCPT", "DATA"] {
        let (auth, post) = with_account().await;
        strike(&post, command, refuse(451));
        auth.forgot(EMAIL).await.unwrap();
        attempts(&auth, 1).await;
        given_back(&auth).await;
        due_mails_done(&auth).await;
        assert!(post.mails().is_empty(), "it waits");
        auth.test.clock().advance(TimeDelta::seconds(5));
        mails(&post, 1).await;
        eventually(async || waiting(&auth).await == 0).await;
    }
}

#[tokio::test]
async fn what_the_server_will_never_take_is_given_up() {
    for command in ["RCPT", "DATA"] {
        let (auth, post) = with_account().await;
        let fault = strike(&post, command, refuse(550));
        auth.forgot(EMAIL).await.unwrap();
        let struck = || {
            post.faults()
                .list()
                .iter()
                .any(|scripted| scripted.id == fault && scripted.calls_affected == 1)
        };
        eventually(async || struck() && waiting(&auth).await == 0).await;
        auth.test.clock().advance(TimeDelta::minutes(10));
        due_mails_done(&auth).await;
        assert!(post.mails().is_empty());
        assert_eq!(
            post.faults().list()[0].calls_matched,
            1,
            "a permanent failure is not retried"
        );
    }
}

#[tokio::test]
async fn a_server_that_does_not_want_us_loses_no_mail() {
    let (auth, post) = with_account().await;
    strike(&post, "MAIL", refuse(550));
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    given_back(&auth).await;
    auth.test.clock().advance(TimeDelta::seconds(5));
    mails(&post, 1).await;
}

#[tokio::test]
async fn an_answer_that_is_lost_loses_no_mail_and_a_second_one_is_known_by_its_id() {
    let (auth, post) = with_account().await;
    strike(&post, "DATA", Action::DropAfterCommit {});
    auth.forgot(EMAIL).await.unwrap();
    mails(&post, 1).await;
    given_back(&auth).await;
    assert_eq!(waiting(&auth).await, 1);

    auth.test.clock().advance(TimeDelta::seconds(5));
    let mails = mails(&post, 2).await;
    let (first, second) = (&mails[0].content, &mails[1].content);
    assert!(first.message_id.starts_with("mal_"), "{}", first.message_id);
    assert_eq!(
        (&first.message_id, &first.headers),
        (&second.message_id, &second.headers)
    );
    assert_eq!((&first.text, &first.html), (&second.text, &second.html));
    eventually(async || waiting(&auth).await == 0).await;
}

#[tokio::test]
async fn a_sender_that_was_killed_leaves_its_mail_to_the_next() {
    let (auth, post) = with_account().await;
    strike(&post, "DATA", Action::DelayBefore { ms: 60_000 });
    auth.forgot(EMAIL).await.unwrap();
    // In the hands of the server: killed any earlier, it would leave the delay to the next as well.
    eventually(async || post.faults().list().iter().any(|fault| fault.calls_affected > 0)).await;
    let auth = auth.restart_with(&[]).await;
    auth.test.clock().advance(TimeDelta::minutes(2));
    mails(&post, 1).await;
}

#[tokio::test]
async fn two_senders_share_the_work() {
    let (auth, post) = Auth::with_post().await;
    auth.test.run(auth::definition()).await;
    for number in 0..40 {
        let request = RegisterByEmailRequest {
            email: format!("person-{number}@example.com"),
            lang: "ar".to_owned(),
            ..RegisterByEmailRequest::default()
        };
        answered(auth.client().register_by_email(request).await).unwrap();
    }
    let mut recipients: Vec<_> = mails(&post, 40).await.into_iter().map(|mail| mail.to).collect();
    recipients.sort();
    recipients.dedup();
    assert_eq!(recipients.len(), 40);
    due_mails_done(&auth).await;
    assert_eq!(post.mails().len(), 40, "none was sent twice");
    let html = &post.mails()[0].content.html;
    assert!(html.contains("<html lang=\"ar\" dir=\"rtl\">"), "{html}");
}

#[tokio::test]
async fn a_link_that_was_used_is_not_mailed_any_more() {
    let (auth, post) = with_account().await;
    strike(&post, "RCPT", refuse(451));
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    given_back(&auth).await;
    auth.reset(&auth.mailed_token("reset_password").await, NEW)
        .await
        .unwrap();
    auth.test.clock().advance(TimeDelta::minutes(5));
    assert_eq!(
        mails(&post, 1).await[0].content.subject,
        "Your password was changed"
    );
    due_mails_done(&auth).await;
    mails(&post, 1).await;
}

#[tokio::test]
async fn a_link_that_is_over_is_not_mailed_any_more() {
    let (auth, post) = with_account().await;
    strike(&post, "RCPT", refuse(451));
    auth.forgot(EMAIL).await.unwrap();
    attempts(&auth, 1).await;
    given_back(&auth).await;
    auth.test.clock().advance(TimeDelta::minutes(60));
    eventually(async || waiting(&auth).await == 0).await;
    assert!(post.mails().is_empty());
}

#[tokio::test]
async fn mail_that_fails_for_three_days_is_given_up() {
    let (auth, post) = Auth::with_post().await;
    let session = token(&auth.register(ada()).await.unwrap());
    post.faults()
        .add(Fault::on("RCPT", "/smtp/*", refuse(451)).times(0));
    profile(&auth, &session, EMAIL, NEW).await;
    attempts(&auth, 1).await;
    given_back(&auth).await;
    auth.test.clock().advance(TimeDelta::days(3));
    eventually(async || waiting(&auth).await == 0).await;
    assert!(post.mails().is_empty());
    assert_eq!(post.faults().list()[0].calls_matched, 2, "a last attempt is made");
}

#[tokio::test]
async fn former_address_is_notified_of_a_change() {
    let (auth, post) = Auth::with_post().await;
    let session = token(&auth.register(ada()).await.unwrap());
    profile(&auth, &session, "countess@example.com", PASSWORD).await;
    let asked = &mails(&post, 1).await[0];
    assert_eq!(asked.to, ["countess@example.com"]);
    let (page, link) = asked.content.links[0].split_once("?emailToken=").unwrap();
    assert_eq!(page, "http://localhost:8080/en/profile/");
    auth.confirm_email(link).await.unwrap();
    let mail = &mails(&post, 2).await[1];
    assert_eq!(mail.to, [EMAIL]);
    assert_eq!(mail.content.subject, "Your e-mail address was changed");
    let undo = "http://localhost:8080/en/forgot-password/?token=";
    assert!(
        mail.content.links[0].starts_with(undo),
        "{:?}",
        mail.content.links
    );
    auth.reset(&token_in(mail), NEW).await.unwrap();
    auth.sign_in(EMAIL, NEW).await.unwrap();
    assert!(
        !mail.content.text.contains("countess"),
        "the new address is none of the old one's business"
    );
}

#[tokio::test]
async fn owner_of_an_erased_account_is_notified() {
    let (auth, post) = Auth::with_post().await;
    sqlx::query(
        "insert into mail_outbox (mail_id, template, lang, former_email, created_at, next_attempt_at)
         values (gen_random_uuid(), 'account_erased', 'tr', $1, $2, $2)",
    )
    .bind(EMAIL)
    .bind(auth.test.clock().now())
    .execute(auth.pool())
    .await
    .unwrap();
    let mail = &mails(&post, 1).await[0];
    assert_eq!(
        (mail.to[0].as_str(), mail.content.subject.as_str()),
        (EMAIL, "Hesabınız silindi")
    );
    eventually(async || waiting(&auth).await == 0).await;
}

use chrono::TimeDelta;
use futures::future::join_all;
use proto::auth::v1::{Caller, RegisterRequest};
use sandbox::social::{Case, Person, Provider};

use crate::fixture::{Auth, PASSWORD, ada, token};
use crate::second_factor::{
    EMAIL, WRONG, challenge, enable, field_error, next_code, verify, with_second_factor,
};
use crate::sign_in_socially::World;

#[tokio::test]
async fn a_code_finishes_the_sign_in_and_the_challenge_is_over() {
    let (auth, _, enabled) = with_second_factor().await;
    let challenge = challenge(&auth).await;
    let events = "select count(*) from outbox where event->>'type' = 'stillpoint.auth.user.signed_in'";
    assert_eq!(auth.count(events).await, 0, "it is no sign-in yet");
    let code = next_code(&auth, &enabled.secret);
    let answer = verify(&auth, &challenge, &code).await.unwrap();
    assert_eq!(answer.user.unwrap().email, EMAIL);
    assert!(!answer.device_cookie.is_empty());
    let session = answer.session.unwrap().token;
    assert!(
        auth.authenticate(&session)
            .await
            .unwrap()
            .is_recently_authenticated
    );
    let signed_in = auth.test.events("stillpoint.auth.user.signed_in", 1).await;
    assert_eq!(signed_in[0].data["method"], "signin");

    let again = verify(&auth, &challenge, &next_code(&auth, &enabled.secret))
        .await
        .unwrap_err();
    assert_eq!(again.code, "CHALLENGE_EXPIRED");
}

#[tokio::test]
async fn a_code_is_accepted_once_and_in_its_time() {
    let (auth, _, enabled) = with_second_factor().await;
    let code = next_code(&auth, &enabled.secret);
    verify(&auth, &challenge(&auth).await, &code).await.unwrap();
    let other = challenge(&auth).await;
    let replayed = verify(&auth, &other, &code).await.unwrap_err();
    assert_eq!(field_error(&replayed), ("code", "SECOND_FACTOR_WRONG"));
    let late = next_code(&auth, &enabled.secret);
    auth.test.clock().advance(TimeDelta::seconds(90));
    let refused = verify(&auth, &other, &late).await.unwrap_err();
    assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
}

#[tokio::test]
async fn of_uses_at_once_one_counts() {
    let (auth, _, enabled) = with_second_factor().await;
    let challenges = [
        challenge(&auth).await,
        challenge(&auth).await,
        challenge(&auth).await,
    ];
    let code = next_code(&auth, &enabled.secret);
    let answers = join_all(challenges.iter().map(|challenge| verify(&auth, challenge, &code))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_recovery_code_works_once_and_is_reported() {
    let (auth, _, enabled) = with_second_factor().await;
    let typed = format!(" {} ", enabled.recovery_codes[3].to_uppercase());
    verify(&auth, &challenge(&auth).await, &typed).await.unwrap();
    let other = challenge(&auth).await;
    let refused = verify(&auth, &other, &typed).await.unwrap_err();
    assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
    assert_eq!(auth.count("select count(*) from recovery_code").await, 9);
    let mails = "select count(*) from mail_outbox where template = 'recovery_code_used'";
    assert_eq!(auth.count(mails).await, 1);
    let stored: String =
        sqlx::query_scalar("select string_agg(encode(code_hash, 'escape'), ' ') from recovery_code")
            .fetch_one(auth.pool())
            .await
            .unwrap();
    assert!(!stored.contains(&enabled.recovery_codes[4].replace('-', "")));
}

#[tokio::test]
async fn a_challenge_ends_after_ten_minutes_and_unknown_ones_are_refused() {
    let (auth, _, enabled) = with_second_factor().await;
    let challenge = challenge(&auth).await;
    auth.test.clock().advance(TimeDelta::minutes(10));
    let code = next_code(&auth, &enabled.secret);
    for dead in [challenge.as_str(), "", "nonsense", &"0".repeat(64)] {
        let refused = verify(&auth, dead, &code).await.unwrap_err();
        assert_eq!(refused.code, "CHALLENGE_EXPIRED", "{dead}");
    }
}

#[tokio::test]
async fn guesses_are_throttled_per_account_over_all_challenges_and_resets() {
    let (auth, _, enabled) = with_second_factor().await;
    for _ in 0..10 {
        let challenge = challenge(&auth).await;
        let refused = verify(&auth, &challenge, WRONG).await.unwrap_err();
        assert_eq!(field_error(&refused), ("code", "SECOND_FACTOR_WRONG"));
    }
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.reset(&link, PASSWORD).await.unwrap();
    let challenge = challenge(&auth).await;
    let code = next_code(&auth, &enabled.secret);
    let throttled = verify(&auth, &challenge, &code).await.unwrap_err();
    assert_eq!(throttled.code, "TOO_MANY_ATTEMPTS");
}

#[tokio::test]
async fn a_password_reset_bypasses_no_second_factor_and_ends_challenges() {
    let (auth, _, enabled) = with_second_factor().await;
    let before = challenge(&auth).await;
    auth.forgot(EMAIL).await.unwrap();
    let link = auth.mailed_token("reset_password").await;
    auth.reset(&link, "a new quiet place").await.unwrap();
    let code = next_code(&auth, &enabled.secret);
    let refused = verify(&auth, &before, &code).await.unwrap_err();
    assert_eq!(refused.code, "CHALLENGE_EXPIRED");
    let answer = auth.sign_in(EMAIL, "a new quiet place").await.unwrap();
    assert!(answer.session.is_none());
    verify(&auth, &answer.challenge, &code).await.unwrap();
}

#[tokio::test]
async fn the_browser_keeps_its_former_session_until_the_code_is_right() {
    let (auth, session, enabled) = with_second_factor().await;
    let caller = Caller {
        session: session.clone(),
        ..Caller::default()
    };
    let answer = auth.sign_in_from(EMAIL, PASSWORD, caller).await.unwrap();
    assert!(auth.authenticate(&session).await.is_ok());
    verify(&auth, &answer.challenge, &next_code(&auth, &enabled.secret))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_repeated_registration_opens_no_session_past_the_second_factor() {
    let auth = Auth::start().await;
    let form = || RegisterRequest {
        idempotency_key: "key-1".to_owned(),
        ..ada()
    };
    let session = token(&auth.register(form()).await.unwrap());
    enable(&auth, &session).await;
    let refused = auth.register(form()).await.unwrap_err();
    assert_eq!(refused.code, "IDEMPOTENCY_CONFLICT");
}

#[tokio::test]
async fn a_sign_in_with_a_provider_is_challenged_too() {
    let world = World::start().await;
    let person = Person::new("Grace", "Hopper", "grace@example.com");
    let entered = world.enter(Provider::Google, &person, Case::Valid).await.unwrap();
    let enabled = enable(&world.auth, &entered.session.unwrap().token).await;
    let again = world.enter(Provider::Google, &person, Case::Valid).await.unwrap();
    assert!(again.session.is_none() && !again.is_new);
    let code = next_code(&world.auth, &enabled.secret);
    let answer = verify(&world.auth, &again.challenge, &code).await.unwrap();
    assert_eq!(answer.user.unwrap().email, "grace@example.com");
    let events = world.auth.test.events("stillpoint.auth.user.signed_in", 1).await;
    assert_eq!(events[0].data["method"], "google");
}

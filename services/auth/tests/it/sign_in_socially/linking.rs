//! Who may join an identity to an account that is there, and who loses one.
use chrono::TimeDelta;
use proto::auth::v1::{Caller, RegisterRequest, SignInRequest, UpdateProfileRequest};
use sandbox::social::{Case, Person, Provider};

use super::{ADAS, Credentials, World, ada};
use crate::fixture::{self, answered};

const NEW: &str = "a new quiet place";

impl World {
    /// Ada has signed up with the form.
    async fn with_ada() -> Self {
        let world = Self::start().await;
        world.auth.register(fixture::ada()).await.unwrap();
        world
    }

    async fn reset(&self, email: &str) {
        self.auth.forgot(email).await.unwrap();
        let link = self.auth.mailed_token("reset_password").await;
        self.auth.reset(&link, NEW).await.unwrap();
    }

    /// Signs Ada in with Google and a verified address; returns the browser's cookie.
    async fn claimed(&self) -> String {
        let browser = self.browser().await;
        let request = self.request(Provider::Google, &browser, &ada(), Case::Valid);
        let refused = self.send(request).await.unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.kind),
            ("SOCIAL_LINK_REQUIRED", kit::error::Kind::Conflict)
        );
        browser.cookie
    }
}

#[tokio::test]
async fn an_address_that_its_provider_has_not_verified_never_joins_an_account() {
    let world = World::with_ada().await;
    for provider in [Provider::Apple, Provider::Google] {
        let browser = world.browser().await;
        let request = world.request(provider, &browser, &ada(), Case::UnverifiedEmail);
        assert_eq!(
            world.send(request).await.unwrap_err().code,
            "SOCIAL_EMAIL_UNVERIFIED",
            "{provider:?}"
        );
        world.sign_in_with_password(ADAS, &browser.cookie).await.unwrap();
    }
    assert_eq!(world.identities().await, 0);
    let stranger = Person::new("Eve", "", "eve@example.com");
    let refused = world
        .refusal(Provider::Google, &stranger, Case::UnverifiedEmail)
        .await;
    assert_eq!(refused, "SOCIAL_EMAIL_UNVERIFIED");
}

#[tokio::test]
async fn a_facebook_user_joins_an_account_by_its_password_where_the_sign_in_names_facebook() {
    let world = World::with_ada().await;
    let browser = world.browser().await;
    let request = world.request(Provider::Facebook, &browser, &ada(), Case::Valid);
    assert_eq!(
        world.send(request).await.unwrap_err().code,
        "SOCIAL_LINK_REQUIRED"
    );

    world.sign_in_with_password(ADAS, &browser.cookie).await.unwrap();
    assert_eq!(world.identities().await, 0, "nothing was said of Facebook");
    let named = SignInRequest {
        email: ADAS.email.to_owned(),
        password: ADAS.password.to_owned(),
        social_browser: browser.cookie,
        join_provider: "facebook".to_owned(),
        ..SignInRequest::default()
    };
    answered(world.auth.client().sign_in(named).await).unwrap();
    assert_eq!(world.identities().await, 1);
    let unproven = "select count(*) from account where email_proven_at is null";
    assert_eq!(world.auth.count(unproven).await, 1, "Facebook proves no address");
    let back = world
        .enter(Provider::Facebook, &ada(), Case::Valid)
        .await
        .unwrap();
    assert!(!back.is_new);
}

#[tokio::test]
async fn recent_password_sign_in_in_this_browser_links_at_once() {
    let world = World::with_ada().await;
    let signed_in = world.sign_in_with_password(ADAS, "").await.unwrap();
    let session = signed_in.session.unwrap().token;
    let with = async |session: &str| {
        let browser = world.browser().await;
        let mut request = world.request(Provider::Facebook, &browser, &ada(), Case::Valid);
        request.caller = Some(Caller {
            session: session.to_owned(),
            ..Caller::default()
        });
        world.send(request).await
    };
    world.auth.test.clock().advance(TimeDelta::minutes(16));
    let late = with(&session).await.unwrap_err();
    assert_eq!(
        late.code, "SOCIAL_LINK_REQUIRED",
        "the browser may have been left open"
    );
    let eve = RegisterRequest {
        email: "eve@example.com".to_owned(),
        ..fixture::ada()
    };
    let other = fixture::token(&world.auth.register(eve).await.unwrap());
    assert_eq!(with(&other).await.unwrap_err().code, "SOCIAL_LINK_REQUIRED");

    let again = world.sign_in_with_password(ADAS, "").await.unwrap();
    let joined = with(&again.session.unwrap().token).await.unwrap();
    assert_eq!(joined.user, again.user);
    assert_eq!((joined.is_new, world.identities().await), (false, 1));
}

#[tokio::test]
async fn the_survey_order_of_a_sign_up_goes_out_with_its_event() {
    let world = World::start().await;
    let browser = world.browser().await;
    let mut request = world.request(Provider::Facebook, &browser, &ada(), Case::Valid);
    request.order_id = "md-7".to_owned();
    world.send(request).await.unwrap();
    let events = world.auth.test.events("stillpoint.auth.user.registered", 1).await;
    assert_eq!(events[0].data["orderId"], "md-7");
    assert_eq!(events[0].lang.as_deref(), Some("de"));
}

#[tokio::test]
async fn an_account_is_joined_by_its_password_in_the_same_browser() {
    let world = World::with_ada().await;
    let cookie = world.claimed().await;
    assert_eq!(world.identities().await, 0);

    let wrong = Credentials {
        password: "not the password",
        ..ADAS
    };
    world.sign_in_with_password(wrong, &cookie).await.unwrap_err();
    let elsewhere = world.browser().await.cookie;
    for other in [elsewhere.as_str(), "", "nonsense"] {
        world.sign_in_with_password(ADAS, other).await.unwrap();
    }
    assert_eq!(world.identities().await, 0);

    let joined = world.sign_in_with_password(ADAS, &cookie).await.unwrap();
    let back = world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert!(!back.is_new);
    assert_eq!(back.user.unwrap().user_id, joined.user.unwrap().user_id);
    let events = world.auth.test.events("stillpoint.auth.identity.linked", 1).await;
    assert_eq!(events[0].data["provider"], "google");
}

#[tokio::test]
async fn what_waits_is_joined_once_and_not_later_than_ten_minutes() {
    let world = World::with_ada().await;
    let cookie = world.claimed().await;
    world.auth.test.clock().advance(TimeDelta::minutes(10));
    world.sign_in_with_password(ADAS, &cookie).await.unwrap();
    assert_eq!(world.identities().await, 0);

    let cookie = world.claimed().await;
    world.sign_in_with_password(ADAS, &cookie).await.unwrap();
    assert_eq!(world.identities().await, 1);
    sqlx::query("delete from identity")
        .execute(world.auth.pool())
        .await
        .unwrap();
    world.sign_in_with_password(ADAS, &cookie).await.unwrap();
    let waiting = "select count(*) from pending_identity";
    assert_eq!(
        (world.identities().await, world.auth.count(waiting).await),
        (0, 0)
    );
}

#[tokio::test]
async fn another_account_is_not_joined() {
    let world = World::with_ada().await;
    let eve = RegisterRequest {
        email: "eve@example.com".to_owned(),
        ..fixture::ada()
    };
    world.auth.register(eve).await.unwrap();
    let cookie = world.claimed().await;
    world
        .sign_in_with_password(
            Credentials {
                email: "eve@example.com",
                ..ADAS
            },
            &cookie,
        )
        .await
        .unwrap();
    assert_eq!(world.identities().await, 0);
}

#[tokio::test]
async fn a_reset_and_the_new_password_join_too() {
    let world = World::with_ada().await;
    let cookie = world.claimed().await;
    world.reset("ada@example.com").await;
    world
        .sign_in_with_password(
            Credentials {
                password: NEW,
                ..ADAS
            },
            &cookie,
        )
        .await
        .unwrap();
    assert!(
        !world
            .enter(Provider::Google, &ada(), Case::Valid)
            .await
            .unwrap()
            .is_new
    );
}

#[tokio::test]
async fn one_provider_joins_the_other() {
    let world = World::start().await;
    world.enter(Provider::Apple, &ada(), Case::Valid).await.unwrap();
    let cookie = world.claimed().await;
    let browser = world.same_browser(&cookie).await;
    let by_apple = world.request(Provider::Apple, &browser, &ada(), Case::Valid);
    world.send(by_apple).await.unwrap();
    assert_eq!(world.identities().await, 2);
}

#[tokio::test]
async fn password_reset_signs_out_an_earlier_creator_of_the_account() {
    let world = World::start().await;
    // Facebook does not say whether Mallory has shown that the address is hers.
    let mallory = world
        .enter(Provider::Facebook, &ada(), Case::Valid)
        .await
        .unwrap();
    let session = mallory.session.unwrap().token;
    world.reset("ada@example.com").await;

    assert_eq!(world.identities().await, 0);
    assert_eq!(
        world.auth.authenticate(&session).await.unwrap_err().code,
        "SESSION_EXPIRED"
    );
    assert_eq!(
        world.refusal(Provider::Facebook, &ada(), Case::Valid).await,
        "SOCIAL_LINK_REQUIRED"
    );
    world.auth.sign_in("ada@example.com", NEW).await.unwrap();
}

#[tokio::test]
async fn an_identity_of_a_proven_address_stays_after_a_reset() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    world.reset("ada@example.com").await;
    let back = world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert!(!back.is_new);
}

#[tokio::test]
async fn an_address_that_was_changed_is_unproven_again() {
    let world = World::start().await;
    let mallory = Person::new("Mallory", "", "mallory@example.com");
    let entered = world
        .enter(Provider::Google, &mallory, Case::Valid)
        .await
        .unwrap();
    let update = UpdateProfileRequest {
        token: entered.session.unwrap().token,
        full_name: "Mallory".to_owned(),
        email: "ada@example.com".to_owned(),
        password: "somewhere entirely else".to_owned(),
        ..UpdateProfileRequest::default()
    };
    answered(world.auth.client().update_profile(update).await).unwrap();
    // Ada presses the link in her mailbox without a thought.
    let link = world.auth.mailed_token("confirm_email").await;
    world.auth.confirm_email(&link).await.unwrap();
    world.reset("ada@example.com").await;
    assert_eq!(world.identities().await, 0);
    // So long her former address is kept for the account it belonged to.
    world.auth.test.clock().advance(TimeDelta::days(7));
    let anew = world
        .enter(Provider::Google, &mallory, Case::Valid)
        .await
        .unwrap();
    assert!(anew.is_new, "an account of her own");
}

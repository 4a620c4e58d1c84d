//! Who may join an identity to an account that is there, and who loses one.
use chrono::TimeDelta;
use proto::auth::v1::UpdateProfileRequest;
use sandbox::social::{Case, Person, Provider};

use super::{ADAS, World, ada};
use crate::fixture::{self, PASSWORD, answered};

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

    /// Google vouches for Ada's address in a browser; the cookie it has then.
    async fn claimed(&self) -> String {
        let browser = self.browser().await;
        let request = self.request(Provider::Google, &browser, &ada(), Case::Honest);
        let refused = self.send(request).await.unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.kind),
            ("SOCIAL_LINK_REQUIRED", kit::error::Kind::Conflict)
        );
        browser.cookie
    }
}

#[tokio::test]
async fn an_address_that_is_not_verified_never_joins_an_account() {
    let world = World::with_ada().await;
    for (provider, case) in [
        (Provider::Apple, Case::UnverifiedEmail),
        (Provider::Google, Case::UnverifiedEmail),
        (Provider::Facebook, Case::Honest),
    ] {
        let browser = world.browser().await;
        let request = world.request(provider, &browser, &ada(), case);
        assert_eq!(
            world.send(request).await.unwrap_err().code,
            "SOCIAL_EMAIL_UNVERIFIED",
            "{provider:?}"
        );
        world.sign_in_with_password(ADAS, &browser.cookie).await.unwrap();
    }
    assert_eq!(world.identities().await, 0);
    let nobody = Person::new(("Eve", ""), "eve@example.com");
    let refused = world
        .refusal(Provider::Google, &nobody, Case::UnverifiedEmail)
        .await;
    assert_eq!(refused, "SOCIAL_EMAIL_UNVERIFIED");
}

#[tokio::test]
async fn an_account_is_joined_by_its_password_in_the_same_browser() {
    let world = World::with_ada().await;
    let cookie = world.claimed().await;
    assert_eq!(world.identities().await, 0);

    let wrong = ("ada@example.com", "not the password");
    world.sign_in_with_password(wrong, &cookie).await.unwrap_err();
    let elsewhere = world.browser().await.cookie;
    for other in [elsewhere.as_str(), "", "nonsense"] {
        world.sign_in_with_password(ADAS, other).await.unwrap();
    }
    assert_eq!(world.identities().await, 0);

    let joined = world.sign_in_with_password(ADAS, &cookie).await.unwrap();
    let back = world.enter(Provider::Google, &ada(), Case::Honest).await.unwrap();
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
    let eve = proto::auth::v1::RegisterRequest {
        email: "eve@example.com".to_owned(),
        ..fixture::ada()
    };
    world.auth.register(eve).await.unwrap();
    let cookie = world.claimed().await;
    world
        .sign_in_with_password(("eve@example.com", PASSWORD), &cookie)
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
        .sign_in_with_password(("ada@example.com", NEW), &cookie)
        .await
        .unwrap();
    assert!(
        !world
            .enter(Provider::Google, &ada(), Case::Honest)
            .await
            .unwrap()
            .is_new
    );
}

#[tokio::test]
async fn one_provider_joins_the_other() {
    let world = World::start().await;
    world.enter(Provider::Apple, &ada(), Case::Honest).await.unwrap();
    let cookie = world.claimed().await;
    let browser = world.same_browser(&cookie).await;
    let by_apple = world.request(Provider::Apple, &browser, &ada(), Case::Honest);
    world.send(by_apple).await.unwrap();
    assert_eq!(world.identities().await, 2);
}

#[tokio::test]
async fn whoever_made_the_account_before_its_owner_came_is_out_after_the_reset() {
    let world = World::start().await;
    // Facebook does not say whether Mallory has shown that the address is hers.
    let mallory = world
        .enter(Provider::Facebook, &ada(), Case::Honest)
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
        world.refusal(Provider::Facebook, &ada(), Case::Honest).await,
        "SOCIAL_EMAIL_UNVERIFIED"
    );
    world.auth.sign_in("ada@example.com", NEW).await.unwrap();
}

#[tokio::test]
async fn an_identity_of_a_proven_address_stays_after_a_reset() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Honest).await.unwrap();
    world.reset("ada@example.com").await;
    let back = world.enter(Provider::Google, &ada(), Case::Honest).await.unwrap();
    assert!(!back.is_new);
}

#[tokio::test]
async fn an_address_that_was_changed_is_unproven_again() {
    let world = World::start().await;
    let mallory = Person::new(("Mallory", ""), "mallory@example.com");
    let entered = world
        .enter(Provider::Google, &mallory, Case::Honest)
        .await
        .unwrap();
    let update = UpdateProfileRequest {
        token: entered.session.unwrap().token,
        full_name: "Mallory".to_owned(),
        email: "ada@example.com".to_owned(),
        password: "somewhere entirely else".to_owned(),
    };
    answered(world.auth.client().update_profile(update).await).unwrap();
    world.reset("ada@example.com").await;
    assert_eq!(world.identities().await, 0);
    let anew = world
        .enter(Provider::Google, &mallory, Case::Honest)
        .await
        .unwrap();
    assert!(anew.is_new, "an account of her own");
}

use chrono::TimeDelta;
use kit::error::Failure;
use proto::auth::v1::GrantTemporaryPremiumRequest;

use crate::fixture::{Auth, ada, answered, eventually, paid, token};

struct Member {
    auth: Auth,
    session: String,
    user_id: String,
}

async fn member() -> Member {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    Member {
        session: token(&registered),
        user_id: registered.user.unwrap().user_id,
        auth,
    }
}

impl Member {
    async fn ask(&self, subscription_type: &str) -> Result<Option<i64>, Failure> {
        let request = GrantTemporaryPremiumRequest {
            token: self.session.clone(),
            subscription_type: subscription_type.to_owned(),
        };
        let answer = answered(self.auth.client().grant_temporary_premium(request).await)?;
        Ok(answer.premium_until.map(|until| until.seconds))
    }

    async fn grants(&self) -> i64 {
        self.auth
            .count("select count(*) from outbox where event->>'type' like '%premium.granted'")
            .await
    }
}

#[tokio::test]
async fn who_has_paid_gets_a_day_once() {
    let member = member().await;
    paid(&member.auth, "e-1", &member.user_id, &["premium"]).await;
    eventually(async || member.auth.count("select count(*) from temporary_premium").await == 1).await;

    let until = member.ask("soul").await.unwrap().unwrap();
    assert_eq!(
        until,
        (member.auth.test.clock().now() + TimeDelta::days(1)).timestamp()
    );
    member.auth.test.clock().advance(TimeDelta::minutes(30));
    assert_eq!(member.ask("soul").await.unwrap(), Some(until));
    assert_eq!(member.grants().await, 1);

    let events = member
        .auth
        .test
        .events("stillpoint.auth.temporary_premium.granted", 1)
        .await;
    assert_eq!(events[0].data["subscriptionType"], "soul");
}

#[tokio::test]
async fn who_has_not_paid_gets_nothing_until_checkout_says_otherwise() {
    let member = member().await;
    assert_eq!(member.ask("soul").await.unwrap(), None);
    assert_eq!(member.grants().await, 0);

    paid(&member.auth, "e-1", &member.user_id, &["premium"]).await;
    eventually(async || member.grants().await == 1).await;
    assert!(member.ask("soul").await.unwrap().is_some());
    assert_eq!(member.grants().await, 1);
}

#[tokio::test]
async fn a_payment_of_long_ago_gives_nothing() {
    let member = member().await;
    paid(&member.auth, "e-1", &member.user_id, &["premium"]).await;
    eventually(async || member.auth.count("select count(*) from temporary_premium").await == 1).await;
    member.auth.test.clock().advance(TimeDelta::hours(2));
    assert_eq!(member.ask("soul").await.unwrap(), None);
}

#[tokio::test]
async fn there_is_one_kind_and_it_needs_a_session() {
    let member = member().await;
    assert_eq!(
        member.ask("gold").await.unwrap_err().fields[0].field,
        "subscriptionType"
    );
    let stranger = Member {
        session: "nonsense".to_owned(),
        ..member
    };
    assert_eq!(stranger.ask("soul").await.unwrap_err().code, "SESSION_EXPIRED");
}

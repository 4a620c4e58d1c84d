//! Renewals that we ask for ourselves: one per period, whatever is lost, and none that is not wanted.

use checkout::domain::provider::Provider;
use chrono::{Months, TimeDelta};
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::{Cancel, Change, Pause, Reactivate, Resume};
use sandbox::Action;

use super::shop::Shop;
use crate::erase_member::{erase, export};
use crate::life::{A_MINUTE, Sold, until, within};
use crate::world::MEMBER;

const DAY: TimeDelta = TimeDelta::days(1);

pub async fn member(provider: Provider) -> Shop {
    let shop = Shop::open(provider).await;
    shop.buy().await;
    shop.rest().await;
    shop
}

pub async fn each_period_is_charged_booked_and_told_once(provider: Provider) {
    let shop = member(provider).await;
    let sold = shop.world.subscriptions().await.remove(0);
    assert_eq!(sold.card_last4.len(), 4);
    assert!(sold.renews);
    assert_eq!(sold.available_actions, ["cancel", "pause"]);
    for month in 1..=2 {
        shop.to_the_next_period().await;
        shop.until_renewed(month).await;
        shop.rest().await;
        shop.check_taken(month + 1).await;
    }
    let told = shop.world.events("subscription.renewed", 2).await;
    assert_eq!(told[0].data["reason"], "renewal");
    assert_eq!(told[0].data["product"], "premium");
    shop.world.events("order.paid", 1).await;
    assert_eq!(shop.status().await, "active");
    // What the provider told of them, told again in the wrong order, is nothing new.
    let theirs = match provider {
        Provider::Platron => wire::Provider::Platron,
        _ => wire::Provider::Yookassa,
    };
    let heard = shop.door.heard().into_iter().rev();
    for told in heard.filter(|told| told.provider() == theirs) {
        super::door::deliver(&shop.world.checkout, told).await.unwrap();
    }
    shop.rest().await;
    shop.check_taken(3).await;
    shop.world.events("subscription.renewed", 2).await;
}

pub async fn fourteen_months_are_paid_at_the_same_day(provider: Provider) {
    const MONTHS: u32 = 14;
    let shop = Shop::open(provider).await;
    let begun = "2027-01-31T14:55:00Z"
        .parse::<chrono::DateTime<chrono::Utc>>()
        .unwrap();
    shop.world.advance(begun - shop.world.host.clock().now()).await;
    shop.buy().await;
    shop.rest().await;
    let first = shop.paid_until().await;
    assert_eq!(first.date_naive().to_string(), "2027-02-28");
    for month in 1..=MONTHS {
        if month == 4 {
            shop.bank_says(Some("insufficient_funds")).await;
        }
        shop.to_the_next_period().await;
        if month == 4 {
            shop.until_it_is("past_due").await;
            shop.bank_says(None).await;
            shop.rest().await;
            shop.world.advance(DAY).await;
        }
        shop.until_renewed(usize::try_from(month).unwrap()).await;
        shop.until_it_is("active").await;
        if month == 9 {
            shop.wish(Change::Cancel(Cancel {})).await.unwrap();
            shop.wish(Change::Reactivate(Reactivate {})).await.unwrap();
        }
    }
    shop.rest().await;
    let renewals = shop.world.renewals().await;
    let anchor = begun.checked_add_months(Months::new(0)).unwrap();
    for (renewal, month) in renewals.iter().zip(1..) {
        let from = anchor.checked_add_months(Months::new(month)).unwrap();
        let until = anchor.checked_add_months(Months::new(month + 1)).unwrap();
        assert_eq!(
            (renewal.period_start.date_naive(), renewal.period_end.date_naive()),
            (from.date_naive(), until.date_naive())
        );
    }
    let months = usize::try_from(MONTHS).unwrap();
    shop.check_taken(months + 1).await;
    for (told, count) in [
        ("subscription.renewed", months),
        ("subscription.past_due", 1),
        ("subscription.recovered", 1),
        ("subscription.canceled", 0),
        ("order.paid", 1),
    ] {
        shop.world.events(told, count).await;
    }
    assert_eq!(shop.world.subscriptions().await[0].receipts.len(), months + 1);
}

pub async fn a_renewal_whose_answer_is_lost_is_charged_once(provider: Provider) {
    let shop = member(provider).await;
    shop.door.close();
    shop.sabotage_renewals(Action::DropAfterCommit {}, 1);
    shop.to_the_next_period().await;
    until(async || shop.world.twin.is_sabotaging()).await;
    assert!(shop.world.renewals().await.is_empty());
    let is_renewed = async || shop.world.renewals().await.len() == 1;
    within(&shop.world, A_MINUTE, is_renewed).await;
    shop.rest().await;
    shop.check_taken(2).await;
    assert!(shop.refunds().await.is_empty());
    shop.world.events("subscription.renewed", 1).await;
}

pub async fn a_renewal_that_never_arrived_is_asked_for_again(provider: Provider) {
    let shop = member(provider).await;
    shop.sabotage_renewals(Action::DropBefore {}, 1);
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    assert!(shop.world.twin.is_sabotaging());
    shop.rest().await;
    shop.check_taken(2).await;
    assert_eq!(shop.status().await, "active");
}

/// Whoever was looking at that moment knew nothing of the wish yet.
pub async fn a_cancel_holds_whoever_is_looking_at_that_moment(provider: Provider) {
    let shop = member(provider).await;
    for _ in 0..20 {
        let busy = "update subscription_life set due_at = 'epoch'";
        let pool = shop.world.pool().await;
        let looking = async {
            sqlx::query(busy).execute(&pool).await.unwrap();
        };
        let (cancelled, ()) = tokio::join!(shop.wish(Change::Cancel(Cancel {})), looking);
        cancelled.unwrap();
        shop.rest().await;
        assert!(shop.world.subscriptions().await[0].cancel_at.is_some());
        shop.wish(Change::Reactivate(Reactivate {})).await.unwrap();
        shop.rest().await;
        assert!(shop.world.subscriptions().await[0].cancel_at.is_none());
    }
}

/// It may have arrived: that is found out, and nothing is asked for any more.
pub async fn a_renewal_without_an_answer_is_not_asked_for_after_a_cancel(provider: Provider) {
    let shop = member(provider).await;
    shop.sabotage_renewals(Action::DropBefore {}, 0);
    shop.to_the_next_period().await;
    shop.until("asked", async || shop.world.twin.is_sabotaging())
        .await;
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    shop.world.twin.end_sabotage();
    shop.until_it_is("canceled").await;
    shop.world.advance(DAY * 40).await;
    shop.rest().await;
    shop.check_taken(1).await;
    shop.world.events("subscription.renewed", 0).await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
}

pub async fn a_refused_renewal_is_tried_again_by_what_the_bank_said(provider: Provider) {
    let shop = member(provider).await;
    shop.bank_says(Some("insufficient_funds")).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    let told = shop.world.events("subscription.past_due", 1).await;
    assert_ne!(told[0].data["needsNewCard"], true);
    shop.rest().await;
    let before = shop.attempts();
    shop.world.advance(TimeDelta::hours(20)).await;
    shop.rest().await;
    assert_eq!(shop.attempts(), before, "not before it makes sense");
    shop.world.advance(TimeDelta::hours(5)).await;
    shop.until("tried again", async || shop.attempts() == before + 1)
        .await;
    shop.rest().await;
    assert_eq!(shop.status().await, "past_due");
    shop.bank_says(None).await;
    shop.world.advance(DAY * 2).await;
    shop.until_it_is("active").await;
    shop.rest().await;
    shop.check_taken(2).await;
    shop.world.events("subscription.recovered", 1).await;
    shop.world.events("subscription.renewed", 1).await;
    shop.world.events("subscription.past_due", 1).await;
}

pub async fn what_is_never_paid_ends_after_the_grace(provider: Provider) {
    let shop = member(provider).await;
    shop.bank_says(Some("permission_revoked")).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    let told = shop.world.events("subscription.past_due", 1).await;
    assert_eq!(told[0].data["needsNewCard"], true);
    shop.rest().await;
    let before = shop.attempts();
    shop.world.advance(DAY * 13).await;
    shop.rest().await;
    assert_eq!(
        (shop.attempts(), shop.status().await.as_str()),
        (before, "past_due")
    );
    shop.world.advance(DAY * 2).await;
    shop.until_it_is("canceled").await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "unpaid");
    shop.bank_says(None).await;
    shop.world.advance(DAY * 40).await;
    shop.rest().await;
    shop.check_taken(1).await;
    assert_eq!(shop.world.due_lives().await, 0);
}

pub async fn who_cancels_is_never_charged_again_and_who_keeps_it_is(provider: Provider) {
    let shop = member(provider).await;
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    let listed = shop.world.subscriptions().await;
    assert_eq!(
        listed[0].cancel_at.map(|at| at.seconds),
        Some(shop.world.period_end().await)
    );
    shop.wish(Change::Reactivate(Reactivate {})).await.unwrap();
    assert_eq!(shop.world.subscriptions().await[0].cancel_at, None);
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    shop.rest().await;

    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    shop.to_the_next_period().await;
    shop.until_it_is("canceled").await;
    shop.world.advance(DAY * 70).await;
    shop.rest().await;
    shop.check_taken(2).await;
    let told = shop.world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
    let refused = shop.wish(Change::Reactivate(Reactivate {})).await.unwrap_err();
    assert_eq!(refused.code, "SUBSCRIPTION_ENDED");
}

pub async fn who_cancels_what_is_overdue_has_it_end_at_once(provider: Provider) {
    let shop = member(provider).await;
    shop.bank_says(Some("insufficient_funds")).await;
    shop.to_the_next_period().await;
    shop.until_it_is("past_due").await;
    shop.rest().await;
    shop.wish(Change::Cancel(Cancel {})).await.unwrap();
    shop.until_it_is("canceled").await;
    shop.bank_says(None).await;
    shop.world.advance(DAY * 40).await;
    shop.rest().await;
    shop.check_taken(1).await;
    shop.world.events("subscription.canceled", 1).await;
}

fn pause(shop: &Shop, days: i64) -> Change {
    let until = shop.world.host.clock().now() + DAY * i32::try_from(days).unwrap();
    Change::Pause(Pause {
        until: Some(until.into()),
    })
}

pub async fn a_pause_skips_its_time_and_ends_with_a_charge(provider: Provider) {
    let shop = member(provider).await;
    shop.wish(pause(&shop, 60)).await.unwrap();
    assert!(shop.world.subscriptions().await[0].paused_until.is_some());
    shop.to_the_next_period().await;
    shop.world.events("subscription.paused", 1).await;
    shop.rest().await;
    shop.world.advance(DAY * 20).await;
    shop.rest().await;
    shop.check_taken(1).await;
    let listed = shop.world.subscriptions().await;
    let resumes = listed[0].paused_until.unwrap().seconds;
    shop.world.advance(DAY * 15).await;
    shop.until_renewed(1).await;
    shop.rest().await;
    shop.check_taken(2).await;
    assert_eq!(shop.world.renewals().await[0].period_start.timestamp(), resumes);
    assert_eq!(shop.world.subscriptions().await[0].paused_until, None);
}

pub async fn who_resumes_early_is_charged_from_then_on(provider: Provider) {
    let shop = member(provider).await;
    shop.wish(pause(&shop, 80)).await.unwrap();
    shop.wish(Change::Resume(Resume {})).await.unwrap();
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    shop.rest().await;
    let first = shop.world.renewals().await[0].clone();
    shop.wish(pause(&shop, 80)).await.unwrap();
    shop.to_the_next_period().await;
    shop.world.events("subscription.paused", 1).await;
    shop.rest().await;
    shop.world.advance(DAY * 10).await;
    let now = shop.world.host.clock().now();
    shop.wish(Change::Resume(Resume {})).await.unwrap();
    shop.until_renewed(2).await;
    shop.rest().await;
    shop.check_taken(3).await;
    let resumed = shop.world.renewals().await[1].clone();
    assert!(
        resumed.period_start >= first.period_end + DAY * 10,
        "nobody pays for the pause"
    );
    assert_eq!(resumed.period_start.timestamp(), now.timestamp());
}

pub async fn what_was_sold_without_keeping_the_card_ends_as_it_was_sold(provider: Provider) {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    shop.keep_nothing();
    shop.pay(provider, &handle);
    shop.until_active().await;
    shop.rest().await;
    let sold = &shop.world.subscriptions().await[0];
    assert!(sold.cancel_at.is_some());
    assert_eq!(sold.available_actions, Vec::<String>::new());
    assert!(!sold.renews);
    let refused = shop.wish(Change::Reactivate(Reactivate {})).await.unwrap_err();
    assert_eq!(refused.code, "UNSUPPORTED_BY_PROVIDER");
    shop.to_the_next_period().await;
    shop.until_it_is("canceled").await;
    shop.rest().await;
    shop.check_taken(1).await;
}

pub async fn whoever_is_erased_is_never_charged_again(provider: Provider) {
    let shop = member(provider).await;
    // One renewal is in the air, and turns out to have been paid.
    shop.door.close();
    shop.sabotage_renewals(Action::DropAfterCommit {}, 1);
    shop.to_the_next_period().await;
    shop.until("asked", async || shop.world.twin.is_sabotaging())
        .await;
    let handed = &export(&shop.world, MEMBER).await.merchant_schedules;
    let charge = &handed[0].charges[0];
    assert!(!handed[0].payment_method_id.is_empty() && handed[0].card_last4.len() == 4);
    assert_eq!(charge.amount_minor, shop.price().await);
    assert_eq!(charge.covers_from, handed[0].paid_until);
    erase(&shop.world).await;
    shop.world.advance(DAY * 70).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    shop.check_taken(2).await;
    let kept: i64 =
        sqlx::query_scalar("select (select count(*) from billing) + (select count(*) from charge_try)")
            .fetch_one(&shop.world.pool().await)
            .await
            .unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewal_given_back_by_hand_at_yookassa_is_booked() {
    let provider = Provider::Yookassa;
    let shop = member(provider).await;
    shop.to_the_next_period().await;
    shop.until_renewed(1).await;
    shop.rest().await;
    let renewal = shop.world.renewals().await[0].clone();
    let body = serde_json::json!({
        "payment_id": renewal.provider_intent_id, "amount": { "value": "1.00", "currency": "RUB" },
    });
    let given = reqwest::Client::new()
        .post(format!(
            "{}/v3/refunds",
            shop.world.twin.sandbox().yookassa_base()
        ))
        .basic_auth("100500", Some("test_yookassa-stillpoint"))
        .header("Idempotence-Key", "by-hand")
        .json(&body);
    assert!(given.send().await.unwrap().status().is_success());
    shop.until_refunds(&["succeeded"]).await;
    assert_eq!(shop.booked(provider).await, 2 * shop.price().await - 100);
}

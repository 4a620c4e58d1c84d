//! Merchant-initiated renewals: one charge per period after any lost answer, and none after a cancel.

use checkout::domain::provider::Provider;
use chrono::{Months, TimeDelta};
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::{Cancel, Change, Pause, Reactivate, Resume};
use sandbox::Action;

use super::provider_setup::ProviderSetup;
use crate::privacy::erase_member::erase;
use crate::privacy::export_member::export;
use crate::support::subscription_probe::{ONE_MINUTE, SubscriptionProbe, until, within};
use crate::support::test_env::MEMBER;

const DAY: TimeDelta = TimeDelta::days(1);

pub async fn member(provider: Provider) -> ProviderSetup {
    let setup = ProviderSetup::open(provider).await;
    setup.buy().await;
    setup.rest().await;
    setup
}

pub async fn each_period_is_charged_posted_and_emitted_once(provider: Provider) {
    let setup = member(provider).await;
    let sold = setup.env.subscriptions().await.remove(0);
    assert_eq!(sold.card_last4.len(), 4);
    assert!(sold.renews);
    assert_eq!(sold.available_actions, ["cancel", "pause"]);
    for month in 1..=2 {
        setup.to_the_next_period().await;
        setup.until_renewed(month).await;
        setup.rest().await;
        setup.check_taken(month + 1).await;
    }
    let emitted = setup.env.events("subscription.renewed", 2).await;
    assert_eq!(emitted[0].data["reason"], "renewal");
    assert_eq!(emitted[0].data["product"], "premium");
    setup.env.events("order.paid", 1).await;
    assert_eq!(setup.status().await, "active");
    // Redelivered webhooks in the wrong order change nothing.
    let theirs = match provider {
        Provider::Platron => wire::Provider::Platron,
        _ => wire::Provider::Yookassa,
    };
    let received = setup.proxy.received().into_iter().rev();
    for notification in received.filter(|notification| notification.provider() == theirs) {
        super::webhook_proxy::deliver(&setup.env.checkout, notification)
            .await
            .unwrap();
    }
    setup.rest().await;
    setup.check_taken(3).await;
    setup.env.events("subscription.renewed", 2).await;
}

pub async fn fourteen_months_are_paid_at_the_same_day(provider: Provider) {
    const MONTHS: u32 = 14;
    let setup = ProviderSetup::open(provider).await;
    let begun = "2027-01-31T14:55:00Z"
        .parse::<chrono::DateTime<chrono::Utc>>()
        .unwrap();
    setup.env.advance(begun - setup.env.host.clock().now()).await;
    setup.buy().await;
    setup.rest().await;
    let first = setup.paid_until().await;
    assert_eq!(first.date_naive().to_string(), "2027-02-28");
    for month in 1..=MONTHS {
        if month == 4 {
            setup.bank_says(Some("insufficient_funds")).await;
        }
        setup.to_the_next_period().await;
        if month == 4 {
            setup.until_it_is("past_due").await;
            setup.bank_says(None).await;
            setup.rest().await;
            setup.env.advance(DAY).await;
        }
        setup.until_renewed(usize::try_from(month).unwrap()).await;
        setup.until_it_is("active").await;
        if month == 9 {
            setup.change(Change::Cancel(Cancel {})).await.unwrap();
            setup.change(Change::Reactivate(Reactivate {})).await.unwrap();
        }
    }
    setup.rest().await;
    let renewals = setup.env.renewals().await;
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
    setup.check_taken(months + 1).await;
    for (event, count) in [
        ("subscription.renewed", months),
        ("subscription.past_due", 1),
        ("subscription.recovered", 1),
        ("subscription.canceled", 0),
        ("order.paid", 1),
    ] {
        setup.env.events(event, count).await;
    }
    assert_eq!(setup.env.subscriptions().await[0].receipts.len(), months + 1);
}

pub async fn a_renewal_whose_answer_is_lost_is_charged_once(provider: Provider) {
    let setup = member(provider).await;
    setup.proxy.close();
    setup.sabotage_renewals(Action::DropAfterCommit {}, 1);
    setup.to_the_next_period().await;
    until(async || setup.env.fake_provider.is_fault_active()).await;
    assert!(setup.env.renewals().await.is_empty());
    let is_renewed = async || setup.env.renewals().await.len() == 1;
    within(&setup.env, ONE_MINUTE, is_renewed).await;
    setup.rest().await;
    setup.check_taken(2).await;
    assert!(setup.refunds().await.is_empty());
    setup.env.events("subscription.renewed", 1).await;
}

pub async fn a_renewal_request_that_never_arrived_is_repeated(provider: Provider) {
    let setup = member(provider).await;
    setup.sabotage_renewals(Action::DropBefore {}, 1);
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    assert!(setup.env.fake_provider.is_fault_active());
    setup.rest().await;
    setup.check_taken(2).await;
    assert_eq!(setup.status().await, "active");
}

/// A sync that started before the cancel does not charge.
pub async fn cancel_during_a_concurrent_sync_prevents_the_charge(provider: Provider) {
    let setup = member(provider).await;
    for _ in 0..20 {
        let busy = "update billing_state set due_at = 'epoch'";
        let pool = setup.env.pool().await;
        let looking = async {
            sqlx::query(busy).execute(&pool).await.unwrap();
        };
        let (cancelled, ()) = tokio::join!(setup.change(Change::Cancel(Cancel {})), looking);
        cancelled.unwrap();
        setup.rest().await;
        assert!(setup.env.subscriptions().await[0].cancel_at.is_some());
        setup.change(Change::Reactivate(Reactivate {})).await.unwrap();
        setup.rest().await;
        assert!(setup.env.subscriptions().await[0].cancel_at.is_none());
    }
}

/// It may have arrived: that is found out, and nothing is asked for any more.
pub async fn a_renewal_without_an_answer_is_not_repeated_after_a_cancel(provider: Provider) {
    let setup = member(provider).await;
    setup.sabotage_renewals(Action::DropBefore {}, 0);
    setup.to_the_next_period().await;
    setup
        .until("asked", async || setup.env.fake_provider.is_fault_active())
        .await;
    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    setup.env.fake_provider.clear_faults();
    setup.until_it_is("canceled").await;
    setup.env.advance(DAY * 40).await;
    setup.rest().await;
    setup.check_taken(1).await;
    setup.env.events("subscription.renewed", 0).await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
}

pub async fn a_declined_renewal_is_retried_by_decline_class(provider: Provider) {
    let setup = member(provider).await;
    setup.bank_says(Some("insufficient_funds")).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    let emitted = setup.env.events("subscription.past_due", 1).await;
    assert_ne!(emitted[0].data["needsNewCard"], true);
    setup.rest().await;
    let before = setup.attempts();
    setup.env.advance(TimeDelta::hours(20)).await;
    setup.rest().await;
    assert_eq!(setup.attempts(), before, "not before it makes sense");
    setup.env.advance(TimeDelta::hours(5)).await;
    setup
        .until("tried again", async || setup.attempts() == before + 1)
        .await;
    setup.rest().await;
    assert_eq!(setup.status().await, "past_due");
    setup.bank_says(None).await;
    setup.env.advance(DAY * 2).await;
    setup.until_it_is("active").await;
    setup.rest().await;
    setup.check_taken(2).await;
    setup.env.events("subscription.recovered", 1).await;
    setup.env.events("subscription.renewed", 1).await;
    setup.env.events("subscription.past_due", 1).await;
}

pub async fn unpaid_renewal_ends_after_the_grace(provider: Provider) {
    let setup = member(provider).await;
    setup.bank_says(Some("permission_revoked")).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    let emitted = setup.env.events("subscription.past_due", 1).await;
    assert_eq!(emitted[0].data["needsNewCard"], true);
    setup.rest().await;
    let before = setup.attempts();
    setup.env.advance(DAY * 13).await;
    setup.rest().await;
    assert_eq!(
        (setup.attempts(), setup.status().await.as_str()),
        (before, "past_due")
    );
    setup.env.advance(DAY * 2).await;
    setup.until_it_is("canceled").await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "unpaid");
    setup.bank_says(None).await;
    setup.env.advance(DAY * 40).await;
    setup.rest().await;
    setup.check_taken(1).await;
    assert_eq!(setup.env.count_due_syncs().await, 0);
}

pub async fn canceled_subscription_is_not_charged_and_a_reactivated_one_is(provider: Provider) {
    let setup = member(provider).await;
    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    let listed = setup.env.subscriptions().await;
    assert_eq!(
        listed[0].cancel_at.map(|at| at.seconds),
        Some(setup.env.period_end().await)
    );
    setup.change(Change::Reactivate(Reactivate {})).await.unwrap();
    assert_eq!(setup.env.subscriptions().await[0].cancel_at, None);
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    setup.rest().await;

    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    setup.to_the_next_period().await;
    setup.until_it_is("canceled").await;
    setup.env.advance(DAY * 70).await;
    setup.rest().await;
    setup.check_taken(2).await;
    let emitted = setup.env.events("subscription.canceled", 1).await;
    assert_eq!(emitted[0].data["cause"], "requested");
    let refused = setup.change(Change::Reactivate(Reactivate {})).await.unwrap_err();
    assert_eq!(refused.code, "SUBSCRIPTION_ENDED");
}

pub async fn cancel_of_an_overdue_subscription_ends_it_at_once(provider: Provider) {
    let setup = member(provider).await;
    setup.bank_says(Some("insufficient_funds")).await;
    setup.to_the_next_period().await;
    setup.until_it_is("past_due").await;
    setup.rest().await;
    setup.change(Change::Cancel(Cancel {})).await.unwrap();
    setup.until_it_is("canceled").await;
    setup.bank_says(None).await;
    setup.env.advance(DAY * 40).await;
    setup.rest().await;
    setup.check_taken(1).await;
    setup.env.events("subscription.canceled", 1).await;
}

fn pause(setup: &ProviderSetup, days: i64) -> Change {
    let until = setup.env.host.clock().now() + DAY * i32::try_from(days).unwrap();
    Change::Pause(Pause {
        until: Some(until.into()),
    })
}

pub async fn a_pause_skips_its_time_and_ends_with_a_charge(provider: Provider) {
    let setup = member(provider).await;
    setup.change(pause(&setup, 60)).await.unwrap();
    assert!(setup.env.subscriptions().await[0].paused_until.is_some());
    setup.to_the_next_period().await;
    setup.env.events("subscription.paused", 1).await;
    setup.rest().await;
    setup.env.advance(DAY * 20).await;
    setup.rest().await;
    setup.check_taken(1).await;
    let listed = setup.env.subscriptions().await;
    let resumes = listed[0].paused_until.unwrap().seconds;
    setup.env.advance(DAY * 15).await;
    setup.until_renewed(1).await;
    setup.rest().await;
    setup.check_taken(2).await;
    assert_eq!(setup.env.renewals().await[0].period_start.timestamp(), resumes);
    assert_eq!(setup.env.subscriptions().await[0].paused_until, None);
}

pub async fn early_resume_charges_from_that_moment(provider: Provider) {
    let setup = member(provider).await;
    setup.change(pause(&setup, 80)).await.unwrap();
    setup.change(Change::Resume(Resume {})).await.unwrap();
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    setup.rest().await;
    let first = setup.env.renewals().await[0].clone();
    setup.change(pause(&setup, 80)).await.unwrap();
    setup.to_the_next_period().await;
    setup.env.events("subscription.paused", 1).await;
    setup.rest().await;
    setup.env.advance(DAY * 10).await;
    let now = setup.env.host.clock().now();
    setup.change(Change::Resume(Resume {})).await.unwrap();
    setup.until_renewed(2).await;
    setup.rest().await;
    setup.check_taken(3).await;
    let resumed = setup.env.renewals().await[1].clone();
    assert!(
        resumed.period_start >= first.period_end + DAY * 10,
        "the pause is not charged"
    );
    assert_eq!(resumed.period_start.timestamp(), now.timestamp());
}

pub async fn subscription_without_a_saved_method_ends_with_its_period(provider: Provider) {
    let setup = ProviderSetup::open(provider).await;
    let handle = setup.offer().await;
    setup.keep_nothing();
    setup.pay(provider, &handle);
    setup.until_active().await;
    setup.rest().await;
    let sold = &setup.env.subscriptions().await[0];
    assert!(sold.cancel_at.is_some());
    assert_eq!(sold.available_actions, Vec::<String>::new());
    assert!(!sold.renews);
    let refused = setup.change(Change::Reactivate(Reactivate {})).await.unwrap_err();
    assert_eq!(refused.code, "UNSUPPORTED_BY_PROVIDER");
    setup.to_the_next_period().await;
    setup.until_it_is("canceled").await;
    setup.rest().await;
    setup.check_taken(1).await;
}

pub async fn erased_member_is_never_charged_again(provider: Provider) {
    let setup = member(provider).await;
    // One in-flight renewal turns out to be paid.
    setup.proxy.close();
    setup.sabotage_renewals(Action::DropAfterCommit {}, 1);
    setup.to_the_next_period().await;
    setup
        .until("asked", async || setup.env.fake_provider.is_fault_active())
        .await;
    let handed = &export(&setup.env, MEMBER).await.merchant_schedules;
    let charge = &handed[0].charges[0];
    assert!(!handed[0].payment_method_id.is_empty() && handed[0].card_last4.len() == 4);
    assert_eq!(charge.amount_minor, setup.price().await);
    assert_eq!(charge.period_start, handed[0].paid_until);
    erase(&setup.env).await;
    setup.env.advance(DAY * 70).await;
    setup.rest().await;
    setup.check_taken(2).await;
    let kept: i64 = sqlx::query_scalar(
        "select (select count(*) from merchant_schedule) + (select count(*) from charge_attempt)",
    )
    .fetch_one(&setup.env.pool().await)
    .await
    .unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renewal_refunded_in_yookassas_dashboard_is_posted() {
    let provider = Provider::Yookassa;
    let setup = member(provider).await;
    setup.to_the_next_period().await;
    setup.until_renewed(1).await;
    setup.rest().await;
    let renewal = setup.env.renewals().await[0].clone();
    let body = serde_json::json!({
        "payment_id": renewal.provider_intent_id, "amount": { "value": "1.00", "currency": "RUB" },
    });
    let given = reqwest::Client::new()
        .post(format!(
            "{}/v3/refunds",
            setup.env.fake_provider.sandbox().yookassa_base()
        ))
        .basic_auth("100500", Some("test_yookassa-stillpoint"))
        .header("Idempotence-Key", "by-hand")
        .json(&body);
    assert!(given.send().await.unwrap().status().is_success());
    setup.until_refunds(&["succeeded"]).await;
    assert_eq!(setup.booked(provider).await, 2 * setup.price().await - 100);
}

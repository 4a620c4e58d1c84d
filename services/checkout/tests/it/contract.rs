//! The contract of every provider: one set of behaviours, run for each. Behaviours of one provider have their own modules.

mod behaviours;
mod erasure;
mod link_paypal_subscription;
mod lost_answers;
mod merchant_charges;
mod merchant_renewals;
mod paypal_actions;
mod paypal_renewals;
mod paypal_trial;
pub mod provider_setup;
mod unmatched_captures;
mod unsigned_webhooks;
mod webhook_proxy;

use checkout::domain::provider::Provider;

macro_rules! contract {
    ($($behaviour:ident),+ $(,)?) => {
        mod stripe {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::behaviours::$behaviour(super::Provider::Stripe).await;
            })+
        }
        mod paypal {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::behaviours::$behaviour(super::Provider::Paypal).await;
            })+
        }
        mod yookassa {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::behaviours::$behaviour(super::Provider::Yookassa).await;
            })+
        }
        mod platron {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::behaviours::$behaviour(super::Provider::Platron).await;
            })+
        }
    };
}

contract!(
    successful_payment_activates_the_subscription,
    declined_payment_creates_no_subscription,
    a_lost_answer_is_resolved_and_charged_once,
    a_lost_webhook_is_recovered,
    a_webhook_twenty_times_at_once_counts_once,
    webhooks_in_any_order_come_to_the_same,
    forged_webhooks_are_rejected_and_not_stored,
    payments_are_refunded_in_parts_and_whole,
    a_refund_with_a_lost_answer_is_made_once,
    canceled_subscription_lasts_for_the_paid_period,
    second_of_two_paid_providers_is_refunded,
    erasure_removes_the_members_data,
);

/// The contract of merchant-initiated renewals.
macro_rules! renewing {
    ($($behaviour:ident),+ $(,)?) => {
        mod renewed_by_yookassa {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::merchant_renewals::$behaviour(super::Provider::Yookassa).await;
            })+
        }
        mod renewed_by_platron {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::merchant_renewals::$behaviour(super::Provider::Platron).await;
            })+
        }
    };
}

renewing!(
    each_period_is_charged_posted_and_emitted_once,
    fourteen_months_are_paid_at_the_same_day,
    a_renewal_whose_answer_is_lost_is_charged_once,
    a_renewal_request_that_never_arrived_is_repeated,
    a_renewal_without_an_answer_is_not_repeated_after_a_cancel,
    cancel_during_a_concurrent_sync_prevents_the_charge,
    a_declined_renewal_is_retried_by_decline_class,
    unpaid_renewal_ends_after_the_grace,
    canceled_subscription_is_not_charged_and_a_reactivated_one_is,
    cancel_of_an_overdue_subscription_ends_it_at_once,
    a_pause_skips_its_time_and_ends_with_a_charge,
    early_resume_charges_from_that_moment,
    subscription_without_a_saved_method_ends_with_its_period,
    erased_member_is_never_charged_again,
);

//! What every provider must do, by one set of behaviours. What only one of them does is told in the other tests.

mod behaviours;
mod erasure;
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
    a_lost_answer_becomes_definite_and_is_charged_once,
    a_lost_webhook_is_made_up_for,
    a_webhook_twenty_times_at_once_counts_once,
    webhooks_in_any_order_come_to_the_same,
    forged_webhooks_are_rejected_and_not_stored,
    money_goes_back_in_parts_and_whole,
    a_refund_whose_answer_is_lost_is_given_once,
    what_is_canceled_lasts_as_long_as_it_is_paid_for,
    of_two_providers_paid_at_once_the_later_gives_it_back,
    erasure_removes_the_members_data,
);

/// Those that charge only when they are asked to: their renewals are ours.
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
    a_renewal_that_never_arrived_is_asked_for_again,
    a_renewal_without_an_answer_is_not_asked_for_after_a_cancel,
    cancel_during_a_concurrent_sync_prevents_the_charge,
    a_refused_renewal_is_tried_again_by_what_the_bank_said,
    what_is_never_paid_ends_after_the_grace,
    who_cancels_is_never_charged_again_and_who_keeps_it_is,
    who_cancels_what_is_overdue_has_it_end_at_once,
    a_pause_skips_its_time_and_ends_with_a_charge,
    who_resumes_early_is_charged_from_then_on,
    what_was_sold_without_keeping_the_card_ends_as_it_was_sold,
    erased_member_is_never_charged_again,
);

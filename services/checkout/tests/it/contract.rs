//! What every provider beside Stripe must do, by one set of behaviours. Stripe's own are told in detail by the other tests.

mod behaviours;
mod door;
mod shop;

use checkout::domain::provider::Provider;

macro_rules! contract {
    ($($behaviour:ident),+ $(,)?) => {
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
    whoever_pays_has_a_subscription,
    whoever_is_refused_has_none,
    a_lost_answer_becomes_definite_and_is_charged_once,
    a_lost_webhook_is_made_up_for,
    a_webhook_twenty_times_at_once_counts_once,
    webhooks_in_any_order_come_to_the_same,
    forged_webhooks_are_refused_and_not_kept,
    money_goes_back_in_parts_and_whole,
    a_refund_whose_answer_is_lost_is_given_once,
    what_is_canceled_lasts_as_long_as_it_is_paid_for,
    of_two_providers_paid_at_once_the_later_gives_it_back,
    whoever_is_erased_is_forgotten,
);

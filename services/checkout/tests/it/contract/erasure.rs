//! Payments on hosted pages of erased members.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::ConfirmPlatronPaymentRequest;
use serde_json::json;

use super::provider_setup::ProviderSetup;
use super::unmatched_captures::paid_without_webhook;
use crate::privacy::erase_member::{UNERASED_CHECKOUTS, erase};

const CUSTOMERS: &str =
    "select count(*) from customer where user_id not like 'erased\\_%' or email || full_name <> ''";
const ORDERS: &str =
    "select count(*) from orders where user_id not like 'erased\\_%' or language <> '' or tracking <> '{}'";

impl ProviderSetup {
    async fn check_no_refund(&self) {
        self.until_refunds(&["succeeded"]).await;
        let emitted = &self.env.events("refund.succeeded", 1).await[0].data;
        assert_eq!(emitted["reason"], json!("excess"));
        assert_eq!(
            (self.paid_orders().await, self.booked(self.provider).await),
            (0, 0)
        );
        self.env.check_ledger().await;
        for of_a_person in [UNERASED_CHECKOUTS, CUSTOMERS, ORDERS] {
            assert_eq!(self.env.count(of_a_person).await, 0, "{of_a_person}");
        }
    }
}

async fn goes_back(provider: Provider) -> ProviderSetup {
    let setup = ProviderSetup::open(provider).await;
    let handle = setup.offer().await;
    setup.begin(&handle).await;
    erase(&setup.env).await;
    setup.finish(&handle).await;
    setup.check_no_refund().await;
    // A redelivered webhook does not refund again.
    for notification in setup.proxy.received() {
        super::webhook_proxy::deliver(&setup.env.checkout, notification)
            .await
            .unwrap();
    }
    setup.env.advance(TimeDelta::hours(27)).await;
    setup.check_no_refund().await;
    setup
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_at_yookassa_is_refunded_and_posted() {
    goes_back(Provider::Yookassa).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_at_platron_is_refunded_and_posted() {
    let setup = goes_back(Provider::Platron).await;
    // The returning browser gets no data of it.
    let payment_id: String =
        sqlx::query_scalar("select provider_payment_id from hosted_checkout where state = 'paid'")
            .fetch_one(&setup.env.pool().await)
            .await
            .unwrap();
    let back = ConfirmPlatronPaymentRequest {
        reference: setup.platron_reference(&payment_id),
        payment_id,
    };
    let response = setup.env.checkout.clone().confirm_platron_payment(back).await;
    assert_eq!(Failure::from_status(&response.unwrap_err()).code, "UNKNOWN_ORDER");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payment_at_paypal_is_refunded_and_posted() {
    let (setup, id) = paid_without_webhook().await;
    erase(&setup.env).await;
    let refused = setup.link(&id).await.unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
    setup.check_no_refund().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unmatched_capture_without_a_webhook_is_refunded() {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    erase(&setup.env).await;
    setup.finish(&handle).await;
    setup.check_no_refund().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_check_rejects_an_erased_members_page() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let page = setup.offer().await;
    erase(&setup.env).await;
    setup.pay(Provider::Platron, &page);
    setup.until_no_page_is_open().await;
    setup.env.advance(TimeDelta::hours(2)).await;
    assert_eq!((setup.env.accounts().await.len(), setup.taken()), (0, 0));
}

//! What is paid on a page whose member is erased already.

use checkout::domain::provider::Provider;
use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::ConfirmPlatronPaymentRequest;
use serde_json::json;

use super::provider_env::Shop;
use super::unmatched_captures::paid_unheard;
use crate::privacy::erase_member::{PAGES_OF_SOMEBODY, erase};

const CUSTOMERS: &str =
    "select count(*) from customer where user_id not like 'erased\\_%' or email || full_name <> ''";
const ORDERS: &str =
    "select count(*) from orders where user_id not like 'erased\\_%' or language <> '' or tracking <> '{}'";

impl Shop {
    async fn check_given_back_to_nobody(&self) {
        self.until_refunds(&["succeeded"]).await;
        let told = &self.world.events("refund.succeeded", 1).await[0].data;
        assert_eq!(told["reason"], json!("surplus"));
        assert_eq!(
            (self.paid_orders().await, self.booked(self.provider).await),
            (0, 0)
        );
        self.world.check_books().await;
        for of_somebody in [PAGES_OF_SOMEBODY, CUSTOMERS, ORDERS] {
            assert_eq!(self.world.count(of_somebody).await, 0, "{of_somebody}");
        }
    }
}

async fn goes_back(provider: Provider) -> Shop {
    let shop = Shop::open(provider).await;
    let handle = shop.offer().await;
    shop.begin(&handle).await;
    erase(&shop.world).await;
    shop.finish(&handle).await;
    shop.check_given_back_to_nobody().await;
    // Told again, it does not go back again.
    for told in shop.door.heard() {
        super::webhook_proxy::deliver(&shop.world.checkout, told).await.unwrap();
    }
    shop.world.advance(TimeDelta::hours(27)).await;
    shop.check_given_back_to_nobody().await;
    shop
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_by_yookassa_goes_back_through_the_books() {
    goes_back(Provider::Yookassa).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_by_platron_goes_back_through_the_books() {
    let shop = goes_back(Provider::Platron).await;
    // Whoever comes back from the page hears nothing of it.
    let payment_id: String =
        sqlx::query_scalar("select provider_payment_id from hosted_checkout where state = 'paid'")
            .fetch_one(&shop.world.pool().await)
            .await
            .unwrap();
    let back = ConfirmPlatronPaymentRequest {
        reference: shop.platron_reference(&payment_id),
        payment_id,
    };
    let told = shop.world.checkout.clone().confirm_platron_payment(back).await;
    assert_eq!(Failure::from_status(&told.unwrap_err()).code, "UNKNOWN_ORDER");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_brought_from_paypal_goes_back_through_the_books() {
    let (shop, id) = paid_unheard().await;
    erase(&shop.world).await;
    let refused = shop.link(&id).await.unwrap_err();
    assert_eq!(refused.code, "SESSION_EXPIRED");
    shop.check_given_back_to_nobody().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_tells_of_goes_back_too() {
    let shop = Shop::open(Provider::Yookassa).await;
    shop.door.close();
    let handle = shop.offer().await;
    erase(&shop.world).await;
    shop.finish(&handle).await;
    shop.check_given_back_to_nobody().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platron_takes_nothing_on_the_page_of_whom_is_erased() {
    let shop = Shop::open(Provider::Platron).await;
    let page = shop.offer().await;
    erase(&shop.world).await;
    shop.pay(Provider::Platron, &page);
    shop.until_no_page_is_open().await;
    shop.world.advance(TimeDelta::hours(2)).await;
    assert_eq!((shop.world.accounts().await.len(), shop.taken()), (0, 0));
}

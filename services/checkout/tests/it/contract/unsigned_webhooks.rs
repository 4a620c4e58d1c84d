//! YooKassa's webhooks are unsigned: only those that YooKassa's API confirms are stored.

use checkout::domain::provider::Provider;
use kit::error::Kind;
use proto::checkout::v1::ReceiveWebhookRequest;
use serde_json::{Value, json};

use super::provider_setup::ProviderSetup;
use super::webhook_proxy::deliver;

fn hint(body: &Value) -> ReceiveWebhookRequest {
    ReceiveWebhookRequest {
        provider: proto::checkout::v1::Provider::Yookassa.into(),
        body: body.to_string().into_bytes(),
        ..Default::default()
    }
}

async fn stored(setup: &ProviderSetup) -> Vec<(String, Vec<u8>)> {
    sqlx::query_as("select event_id, body from webhook_event order by event_id")
        .fetch_all(&setup.env.pool().await)
        .await
        .unwrap()
}

/// A payment that YooKassa captured, whose own notification never arrived.
async fn paid() -> (ProviderSetup, String) {
    let setup = ProviderSetup::open(Provider::Yookassa).await;
    setup.proxy.close();
    let handle = setup.offer().await;
    setup.pay(Provider::Yookassa, &handle);
    let id = {
        let books = setup.env.fake_provider.sandbox().yookassa().state();
        let id = books
            .payments
            .newest_first()
            .find(|payment| payment.captured.is_some());
        id.map(|payment| payment.id.clone()).unwrap()
    };
    (setup, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unhandled_events_are_acknowledged_and_not_stored() {
    let (setup, id) = paid().await;
    for event in ["what.ever", "payment.whatever", "payout.succeeded", "a\u{0}b"] {
        let body = json!({ "event": event, "object": { "id": id, "junk": "x".repeat(1000) } });
        deliver(&setup.env.checkout, hint(&body)).await.unwrap();
    }
    assert_eq!(stored(&setup).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_yookassa_ids_are_rejected() {
    let (setup, id) = paid().await;
    let long = "a".repeat(12_000);
    for made_up in ["a\u{0}b", "", long.as_str(), &format!("x/{id}")] {
        for event in ["payment.succeeded", "refund.succeeded"] {
            let body = json!({ "event": event, "object": { "id": made_up, "payment_id": id } });
            let failure = deliver(&setup.env.checkout, hint(&body)).await.unwrap_err();
            assert_eq!(
                (failure.kind, failure.code.as_str()),
                (Kind::Invalid, "BAD_SIGNATURE")
            );
        }
    }
    let huge = json!({ "event": "payment.succeeded", "object": { "id": id, "junk": "x".repeat(300_000) } });
    let failure = deliver(&setup.env.checkout, hint(&huge)).await.unwrap_err();
    assert_eq!(failure.code, "BAD_SIGNATURE");
    assert_eq!(stored(&setup).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_ids_of_a_confirmed_hint_are_stored() {
    let (setup, id) = paid().await;
    let body = json!({ "event": "payment.succeeded", "object": { "id": id, "junk": "x".repeat(1000) }, "more": [1] });
    assert!(!deliver(&setup.env.checkout, hint(&body)).await.unwrap());
    let kept = stored(&setup).await;
    let [(event_id, body)] = kept.as_slice() else {
        panic!("{kept:?}");
    };
    assert_eq!(event_id, &format!("payment.succeeded/{id}/succeeded"));
    let body: Value = serde_json::from_slice(body).unwrap();
    let ids = json!({ "event": "payment.succeeded", "object": { "id": id, "payment_id": null } });
    assert_eq!(body, ids);
    setup.until_it_is("active").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_refund_naming_a_payment_is_rejected() {
    let (setup, id) = paid().await;
    let body = json!({ "event": "refund.succeeded", "object": { "id": "made-up", "payment_id": id } });
    let failure = deliver(&setup.env.checkout, hint(&body)).await.unwrap_err();
    assert_eq!(failure.code, "BAD_SIGNATURE");
    assert_eq!(stored(&setup).await, []);
}

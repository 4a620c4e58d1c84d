//! Payment providers beside Stripe, at the edge.
use serde_json::json;

use crate::site::{Site, body_of};

#[tokio::test]
async fn buyer_links_only_their_own_paypal_subscription() {
    let site = Site::start().await;
    let link = async |id: &str| {
        let body = json!({ "user_id": "usr_of_another", "subscription_id": id });
        let asked = site.post_as_member("/api/paypal/customers/subscription", &body);
        body_of(asked.send().await.unwrap()).await
    };
    let refused = link("I-UNKNOWN").await;
    assert_eq!(
        (&refused["status"], &refused["code"]),
        (&json!(false), &json!("UNKNOWN_PAYPAL_SUBSCRIPTION"))
    );
}

#[tokio::test]
async fn return_from_platron_says_what_platron_says() {
    let site = Site::start().await;
    for (number, is_paid) in [("77", true), ("78", false)] {
        for page in ["success", "error"] {
            let path = format!("/api/platron/transaction/{page}?pg_captured=1&pg_payment_id={number}");
            let own = format!("{path}&pg_order_id=hco_{number}.1");
            let answer = body_of(site.get(&own).send().await.unwrap()).await;
            assert_eq!(answer["status"], json!(is_paid), "{own}");
            let answer = body_of(site.get(&path).send().await.unwrap()).await;
            assert_eq!(answer["code"], "UNKNOWN_ORDER", "a payment number can be guessed");
        }
    }
}

#[tokio::test]
async fn unavailable_provider_is_listed_beside_the_others() {
    let site = Site::start().await;
    let asked = site.post_as_member(
        "/api/web-campaign",
        &json!({ "campaign": "web-annual", "country": "RU" }),
    );
    let answer = body_of(asked.send().await.unwrap()).await;
    let providers = &answer["data"]["providers"];
    let open = json!({ "has_subscription": false, "confirmation_token": "ct-1" });
    assert_eq!(
        (
            &providers["yookassa"],
            &providers["platron"],
            &providers["unavailable"]
        ),
        (&open, &json!(null), &json!(["platron"]))
    );
}

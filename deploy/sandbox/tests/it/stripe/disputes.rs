use serde_json::{Value, json};

use crate::support::{Fixture, text};

/// Charges a card; the dispute that its bank makes of it.
async fn disputed(fixture: &Fixture, number: &str) -> Value {
    let card = fixture.card(number).await;
    let form = [
        ("amount", "1000"),
        ("currency", "usd"),
        ("payment_method", &card),
        ("confirm", "true"),
    ];
    let intent = fixture.stripe.post("/v1/payment_intents", &form).await.ok();
    assert_eq!(intent["status"], "succeeded");
    let path = format!("/v1/disputes?payment_intent={}", text(&intent["id"]));
    fixture.stripe.get(&path).await.ok()["data"][0].clone()
}

/// Balance transactions and events of a dispute, oldest first.
async fn funds_and_events(fixture: &Fixture, id: &str) -> (Vec<Value>, Vec<String>) {
    let dispute = fixture.stripe.get(&format!("/v1/disputes/{id}")).await.ok();
    let moves = dispute["balance_transactions"].as_array().unwrap();
    let events = fixture.stripe.get("/v1/events?limit=100").await.ok();
    let events_seen = events["data"].as_array().unwrap().iter().rev();
    let kinds = events_seen.filter_map(|event| {
        text(&event["type"])
            .strip_prefix("charge.dispute.")
            .map(Into::into)
    });
    (
        moves.iter().map(|moved| moved["amount"].clone()).collect(),
        kinds.collect(),
    )
}

#[tokio::test]
async fn money_is_taken_at_once_and_comes_back_when_the_evidence_wins() {
    let fixture = Fixture::start().await;
    let dispute = disputed(&fixture, "4000000000000259").await;
    assert_eq!(
        (&dispute["reason"], &dispute["status"]),
        (&json!("fraudulent"), &json!("needs_response"))
    );
    let id = text(&dispute["id"]);
    assert_eq!(funds_and_events(&fixture, &id).await.0, [json!(-1000)]);
    let refund = [("charge", text(&dispute["charge"]))];
    let refund: Vec<_> = refund
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let refused = fixture.stripe.post("/v1/refunds", &refund).await;
    assert_eq!(refused.error().2, "charge_disputed");
    let path = format!("/v1/disputes/{id}");
    let saved = [("evidence[customer_name]", "A Buyer"), ("submit", "false")];
    assert_eq!(
        fixture.stripe.post(&path, &saved).await.ok()["status"],
        "needs_response"
    );
    let won = [("evidence[uncategorized_text]", "winning_evidence")];
    assert_eq!(fixture.stripe.post(&path, &won).await.ok()["status"], "won");
    let (moves, events_seen) = funds_and_events(&fixture, &id).await;
    assert_eq!(moves, [json!(-1000), json!(1000)]);
    assert_eq!(
        events_seen,
        [
            "created",
            "funds_withdrawn",
            "updated",
            "updated",
            "closed",
            "funds_reinstated"
        ]
    );
    let late = fixture.stripe.post(&format!("{path}/close"), &[]).await;
    assert_eq!(late.error().0, 400);
}

#[tokio::test]
async fn closing_a_dispute_loses_it() {
    let fixture = Fixture::start().await;
    let id = text(&disputed(&fixture, "4000000000002685").await["id"]);
    let closed = fixture
        .stripe
        .post(&format!("/v1/disputes/{id}/close"), &[])
        .await
        .ok();
    assert_eq!(closed["status"], "lost");
    assert_eq!(funds_and_events(&fixture, &id).await.0, [json!(-1000)]);
}

#[tokio::test]
async fn inquiry_takes_nothing() {
    let fixture = Fixture::start().await;
    let dispute = disputed(&fixture, "4000000000001976").await;
    assert_eq!(dispute["status"], "warning_needs_response");
    let id = text(&dispute["id"]);
    let answer = [("evidence[uncategorized_text]", "winning_evidence")];
    let path = format!("/v1/disputes/{id}");
    assert_eq!(
        fixture.stripe.post(&path, &answer).await.ok()["status"],
        "warning_closed"
    );
    assert_eq!(funds_and_events(&fixture, &id).await.0, Vec::<Value>::new());
}

use crate::support::{Fixture, text};

#[tokio::test]
async fn refunds_never_exceed_the_charge() {
    let fixture = Fixture::start().await;
    let card = fixture.card("4242424242424242").await;
    let form = [
        ("amount", "1000"),
        ("currency", "usd"),
        ("payment_method", &card),
        ("confirm", "true"),
    ];
    let intent = text(&fixture.stripe.post("/v1/payment_intents", &form).await.ok()["id"]);
    let refund = async |amount: &str| {
        fixture
            .stripe
            .post("/v1/refunds", &[("payment_intent", &intent), ("amount", amount)])
            .await
    };
    assert_eq!(refund("400").await.ok()["status"], "succeeded");
    assert_eq!(refund("700").await.error().3, "amount");
    assert_eq!(refund("600").await.ok()["amount"], 600);
    assert_eq!(refund("1").await.error().2, "charge_already_refunded");

    let charges = fixture.stripe.get("/v1/charges?expand[]=data.refunds").await.ok();
    let charge = &charges["data"][0];
    assert_eq!(
        (&charge["refunded"], &charge["amount_refunded"]),
        (&true.into(), &1000.into())
    );
    assert_eq!(charge["refunds"]["data"].as_array().unwrap().len(), 2);
}

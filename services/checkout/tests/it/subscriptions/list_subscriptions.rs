use crate::support::fake_provider::APPROVED;
use crate::support::test_env::TestEnv;

#[tokio::test]
async fn member_sees_what_was_bought_at_the_price_that_was_paid() {
    let env = TestEnv::start().await;
    assert!(env.subscriptions().await.is_empty());
    let bought = env
        .buy("web-monthly", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap();
    let mut listed = env.subscriptions().await;
    let receipts = std::mem::take(&mut listed[0].receipts);
    assert_eq!(receipts.len(), 1);
    assert_eq!(receipts[0].amount, listed[0].price);
    assert_eq!(std::mem::take(&mut listed[0].period_months), 1);
    assert_eq!(
        std::mem::take(&mut listed[0].available_actions),
        ["cancel", "card", "pause", "plan"]
    );
    assert!(std::mem::take(&mut listed[0].renews));
    // Which card it is may have been learnt since.
    listed[0].card_brand.clear();
    listed[0].card_last4.clear();
    assert_eq!(listed, [bought]);
    assert_eq!(listed[0].price.as_ref().unwrap().amount_minor, 19_999);
}

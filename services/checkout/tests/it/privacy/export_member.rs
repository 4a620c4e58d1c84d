//! `ExportMember`: everything that is stored about a member.

use kit::error::Failure;
use proto::checkout::v1::ExportMemberRequest;
use proto::export::v1::CheckoutExport;

use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TestEnv};

pub async fn export(env: &TestEnv, user_id: &str) -> CheckoutExport {
    let request = ExportMemberRequest {
        user_id: user_id.into(),
    };
    let answer = env.checkout.clone().export_member(request).await.unwrap();
    answer.into_inner().export.unwrap()
}

#[tokio::test]
async fn export_contains_orders_payments_and_webhooks() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    for event in env.fake_provider.events().await {
        env.deliver(&event).await;
    }
    let export = export(&env, MEMBER).await;
    let customer = export.customer.unwrap();
    assert_eq!(
        (customer.email.as_str(), customer.full_name.as_str()),
        ("buyer@example.com", "A Buyer")
    );
    let order = &export.orders[0];
    assert_eq!(
        (order.state.as_str(), order.payments[0].state.as_str()),
        ("paid", "succeeded")
    );
    assert_eq!(order.payments[0].captured_minor, order.amount_minor);
    let notification: Vec<_> = export.notifications.iter().map(|it| it.kind.as_str()).collect();
    assert!(
        notification.contains(&"customer.created") && notification.contains(&"invoice.paid"),
        "{notification:?}"
    );
    assert!(export.notifications.iter().all(|it| it.body.is_some()));
}

#[tokio::test]
async fn export_of_no_member_is_refused() {
    let env = TestEnv::start().await;
    let request = ExportMemberRequest::default();
    let status = env.checkout.clone().export_member(request).await.unwrap_err();
    assert_eq!(Failure::from_status(&status).code, "INVALID_ARGUMENT");
}

//! The real binary, killed while it charges a merchant-initiated renewal: one charge, one posting and one event result.

use proto::checkout::v1::{
    ConfirmPlatronPaymentRequest, HostedCheckouts, Provider, ReceiveWebhookRequest, ResolveCampaignRequest,
};
use sandbox::{Action, Fault, platron, yookassa};
use serde_json::json;

use crate::fixture::{Fixture, MEMBER, until};

const ACTIVE: &str =
    "select count(*) from subscription join merchant_schedule using (subscription_id) where state = 'active'";
const RENEWED: &str = "select count(*) from payment where kind = 'renewal'";

/// The webhook address is unreachable.
async fn open() -> Fixture {
    Fixture::with("1500", "stripe,yookassa,platron", "http://127.0.0.1:9").await
}

async fn pages(fixture: &Fixture) -> HostedCheckouts {
    let ask = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        language: "ru".into(),
        country: "RU".into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        ..Default::default()
    };
    let shown = fixture.client().resolve_campaign(ask).await.unwrap();
    shown.into_inner().russian.unwrap()
}

async fn pay_at_yookassa(fixture: &Fixture) {
    let token = pages(fixture).await.yookassa_token;
    let sandbox = fixture.fake_provider.sandbox();
    let action = yookassa::BuyerAction::Pay(yookassa::Card::number("5555555555554444"));
    let now = sandbox.now().timestamp();
    sandbox.yookassa().act(&token, &action, now).unwrap();
    let id = sandbox
        .yookassa()
        .state()
        .payments
        .newest_first()
        .find(|payment| payment.captured.is_some())
        .unwrap()
        .id
        .clone();
    let payload = json!({ "type": "notification", "event": "payment.succeeded", "object": { "id": id } });
    let request = ReceiveWebhookRequest {
        provider: Provider::Yookassa.into(),
        body: payload.to_string().into_bytes(),
        ..Default::default()
    };
    fixture.client().receive_webhook(request).await.unwrap();
}

async fn pay_at_platron(fixture: &Fixture) {
    let page = pages(fixture).await.platron_url;
    let (_, customer) = page.split_once("customer=").unwrap();
    let sandbox = fixture.fake_provider.sandbox();
    let (id, reference) = {
        let mut books = sandbox.platron().state();
        let id = books.payments.newest_first().next().unwrap().id.clone();
        // Platron's check URL is unreachable.
        let payment = books.payments.get_mut(&id).unwrap();
        payment.check_url = None;
        (id, payment.order.clone().unwrap())
    };
    let now = sandbox.now().timestamp();
    let action = platron::BuyerAction::Pay { after_secs: 0 };
    sandbox.platron().act(customer, action, now).unwrap();
    let request = ConfirmPlatronPaymentRequest {
        payment_id: id,
        reference,
    };
    fixture.client().confirm_platron_payment(request).await.unwrap();
}

/// The month is over, and the request for the next one is subject to `action`.
async fn due(fixture: &Fixture, path: &str, action: Action) {
    until("it is billed", async || fixture.count(ACTIVE).await == 1).await;
    fixture
        .fake_provider
        .sandbox()
        .faults()
        .add(Fault::on("POST", path, action));
    for statement in [
        "update merchant_schedule set paid_until = now() - interval '1 minute',
             anchor = now() - interval '1 minute' - interval '1 month'",
        "update billing_state set due_at = 'epoch'",
    ] {
        sqlx::query(statement)
            .execute(&fixture.pool().await)
            .await
            .unwrap();
    }
}

fn taken_at_yookassa(fixture: &Fixture) -> usize {
    let books = fixture.fake_provider.sandbox().yookassa().state();
    let payments = books.payments.newest_first();
    payments.filter(|payment| payment.captured.is_some()).count()
}

fn taken_at_platron(fixture: &Fixture) -> usize {
    let books = fixture.fake_provider.sandbox().platron().state();
    let payments = books.payments.newest_first();
    payments.filter(|payment| payment.status.name() == "ok").count()
}

async fn check_renewed_once(fixture: &Fixture) {
    until("the renewal is known", async || fixture.count(RENEWED).await == 1).await;
    let subject = "stillpoint.checkout.subscription.renewed";
    fixture.host.events(subject, 1).await;
    assert_eq!(fixture.count_on_stream(subject).await, 1);
    let unresolved = "select count(*) from charge_attempt where state in ('requested', 'pending')";
    assert_eq!(fixture.count(unresolved).await, 0);
    fixture.check_invariants().await;
}

#[tokio::test]
async fn killed_after_yookassa_charged_before_its_answer_arrived() {
    let mut fixture = open().await;
    pay_at_yookassa(&fixture).await;
    due(
        &fixture,
        "/yookassa/v3/payments",
        Action::DelayAfterCommit { ms: 5000 },
    )
    .await;
    until("YooKassa has charged", async || taken_at_yookassa(&fixture) == 2).await;
    fixture.kill();
    assert_eq!(fixture.count(RENEWED).await, 0);
    fixture.launch().await;
    check_renewed_once(&fixture).await;
    assert_eq!(taken_at_yookassa(&fixture), 2);
}

#[tokio::test]
async fn killed_while_yookassa_is_about_to_charge() {
    let mut fixture = open().await;
    pay_at_yookassa(&fixture).await;
    due(
        &fixture,
        "/yookassa/v3/payments",
        Action::DelayBefore { ms: 3000 },
    )
    .await;
    until("YooKassa is asked", async || {
        fixture.fake_provider.is_fault_active()
    })
    .await;
    fixture.kill();
    let in_flight = "select count(*) from charge_attempt where state = 'requested'";
    assert_eq!(fixture.count(in_flight).await, 1);
    fixture.launch().await;
    check_renewed_once(&fixture).await;
    assert_eq!(taken_at_yookassa(&fixture), 2);
}

#[tokio::test]
async fn killed_after_platron_charged_before_its_answer_arrived() {
    let mut fixture = open().await;
    pay_at_platron(&fixture).await;
    let path = "/platron/make_recurring_payment.php";
    due(&fixture, path, Action::DelayAfterCommit { ms: 5000 }).await;
    until("Platron has charged", async || taken_at_platron(&fixture) == 2).await;
    fixture.kill();
    assert_eq!(fixture.count(RENEWED).await, 0);
    fixture.launch().await;
    check_renewed_once(&fixture).await;
    assert_eq!(taken_at_platron(&fixture), 2);
}

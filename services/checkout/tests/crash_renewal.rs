//! The real binary, killed while it charges a renewal of its own: it ends charged once, booked once and told once.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(
    dead_code,
    reason = "shared by several test binaries, each of which uses its part"
)]
#[path = "crash/scene.rs"]
mod scene;
#[path = "it/twin.rs"]
mod twin;

use proto::checkout::v1::{
    ConfirmPlatronPaymentRequest, HostedCheckouts, Provider, ReceiveWebhookRequest, ResolveCampaignRequest,
};
use sandbox::{Action, Fault, platron, yookassa};
use serde_json::json;

use scene::{MEMBER, Scene, until};

const ACTIVE: &str =
    "select count(*) from subscription join billing using (subscription_id) where state = 'active'";
const RENEWED: &str = "select count(*) from payment where kind = 'renewal'";

/// Nobody is where a provider would call.
async fn open() -> Scene {
    Scene::with("1500", "stripe,yookassa,platron", "http://127.0.0.1:9").await
}

async fn pages(scene: &Scene) -> HostedCheckouts {
    let ask = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        language: "ru".into(),
        country: "RU".into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        ..Default::default()
    };
    let shown = scene.client().resolve_campaign(ask).await.unwrap();
    shown.into_inner().russian.unwrap()
}

async fn pay_at_yookassa(scene: &Scene) {
    let token = pages(scene).await.yookassa_token;
    let sandbox = scene.twin.sandbox();
    let deed = yookassa::Deed::Pay(yookassa::Card::number("5555555555554444"));
    let now = sandbox.now().timestamp();
    sandbox.yookassa().act(&token, &deed, now).unwrap();
    let id = sandbox
        .yookassa()
        .books()
        .payments
        .newest_first()
        .find(|payment| payment.captured.is_some())
        .unwrap()
        .id
        .clone();
    let told = json!({ "type": "notification", "event": "payment.succeeded", "object": { "id": id } });
    let request = ReceiveWebhookRequest {
        provider: Provider::Yookassa.into(),
        body: told.to_string().into_bytes(),
        ..Default::default()
    };
    scene.client().receive_webhook(request).await.unwrap();
}

async fn pay_at_platron(scene: &Scene) {
    let page = pages(scene).await.platron_url;
    let (_, customer) = page.split_once("customer=").unwrap();
    let sandbox = scene.twin.sandbox();
    let (id, reference) = {
        let mut books = sandbox.platron().books();
        let id = books.payments.newest_first().next().unwrap().id.clone();
        // Nobody listens where Platron would call.
        let payment = books.payments.get_mut(&id).unwrap();
        payment.check_url = None;
        (id, payment.order.clone().unwrap())
    };
    let now = sandbox.now().timestamp();
    let deed = platron::Deed::Pay { after_secs: 0 };
    sandbox.platron().act(customer, deed, now).unwrap();
    let request = ConfirmPlatronPaymentRequest {
        payment_id: id,
        reference,
    };
    scene.client().confirm_platron_payment(request).await.unwrap();
}

/// The month is over, and what asks for the next one suffers `action`.
async fn due(scene: &Scene, path: &str, action: Action) {
    until("it is billed", async || scene.count(ACTIVE).await == 1).await;
    scene.twin.sandbox().faults().add(Fault::on("POST", path, action));
    for statement in [
        "update billing set paid_until = now() - interval '1 minute',
             anchor = now() - interval '1 minute' - interval '1 month'",
        "update subscription_life set due_at = 'epoch'",
    ] {
        sqlx::query(statement).execute(&scene.pool().await).await.unwrap();
    }
}

fn taken_at_yookassa(scene: &Scene) -> usize {
    let books = scene.twin.sandbox().yookassa().books();
    let payments = books.payments.newest_first();
    payments.filter(|payment| payment.captured.is_some()).count()
}

fn taken_at_platron(scene: &Scene) -> usize {
    let books = scene.twin.sandbox().platron().books();
    let payments = books.payments.newest_first();
    payments.filter(|payment| payment.status.name() == "ok").count()
}

async fn check_renewed_once(scene: &Scene) {
    until("the renewal is known", async || scene.count(RENEWED).await == 1).await;
    let subject = "stillpoint.checkout.subscription.renewed";
    scene.host.events(subject, 1).await;
    assert_eq!(scene.on_stream(subject).await, 1);
    let unresolved = "select count(*) from charge_try where state in ('asked', 'pending')";
    assert_eq!(scene.count(unresolved).await, 0);
    scene.check_rules().await;
}

#[tokio::test]
async fn killed_after_yookassa_charged_before_its_answer_arrived() {
    let mut scene = open().await;
    pay_at_yookassa(&scene).await;
    due(
        &scene,
        "/yookassa/v3/payments",
        Action::DelayAfterCommit { ms: 5000 },
    )
    .await;
    until("YooKassa has charged", async || taken_at_yookassa(&scene) == 2).await;
    scene.kill();
    assert_eq!(scene.count(RENEWED).await, 0);
    scene.launch().await;
    check_renewed_once(&scene).await;
    assert_eq!(taken_at_yookassa(&scene), 2);
}

#[tokio::test]
async fn killed_while_yookassa_is_about_to_charge() {
    let mut scene = open().await;
    pay_at_yookassa(&scene).await;
    due(&scene, "/yookassa/v3/payments", Action::DelayBefore { ms: 3000 }).await;
    until("YooKassa is asked", async || scene.twin.is_sabotaging()).await;
    scene.kill();
    let in_the_air = "select count(*) from charge_try where state = 'asked'";
    assert_eq!(scene.count(in_the_air).await, 1);
    scene.launch().await;
    check_renewed_once(&scene).await;
    assert_eq!(taken_at_yookassa(&scene), 2);
}

#[tokio::test]
async fn killed_after_platron_charged_before_its_answer_arrived() {
    let mut scene = open().await;
    pay_at_platron(&scene).await;
    let path = "/platron/make_recurring_payment.php";
    due(&scene, path, Action::DelayAfterCommit { ms: 5000 }).await;
    until("Platron has charged", async || taken_at_platron(&scene) == 2).await;
    scene.kill();
    assert_eq!(scene.count(RENEWED).await, 0);
    scene.launch().await;
    check_renewed_once(&scene).await;
    assert_eq!(taken_at_platron(&scene), 2);
}

use kit::error::Kind;
use serde_json::json;

use crate::fixture::{Auth, PASSWORD, ada, eventually, token};
use crate::privacy::request_erasure::{OTHERS, ask, code, receipt, report};

#[tokio::test]
async fn erasure_ends_when_the_last_service_has_reported() {
    let auth = Auth::start().await;
    let registered = auth.register(ada()).await.unwrap();
    let user_id = registered.user.clone().unwrap().user_id;
    let erasure = ask(&auth, &token(&registered), PASSWORD).await.unwrap();
    let requested = auth.test.events("stillpoint.auth.erasure.requested", 1).await;
    assert_eq!(requested[0].data["userId"], json!(user_id));
    assert_eq!(requested[0].data["services"], json!(OTHERS));

    // Reports arrive out of order, twice, and for an unknown erasure.
    report(&auth, "analytics", "r1", &erasure.erasure_id).await;
    report(&auth, "analytics", "r2", &erasure.erasure_id).await;
    report(&auth, "checkout", "r3", &erasure.erasure_id).await;
    report(&auth, "checkout", "r4", "ers_00000000000000000000000000000000").await;
    eventually(async || {
        let done = "select count(*) from erasure_report where erased_at is not null";
        auth.count(done).await == 3
    })
    .await;
    assert_eq!(
        receipt(&auth, &erasure.erasure_id).await.unwrap().state,
        "running"
    );
    report(&auth, "sessions", "r5", &erasure.erasure_id).await;
    let erased = auth.test.events("stillpoint.auth.account.erased", 1).await;
    assert_eq!(erased[0].data, json!({"erasureId": erasure.erasure_id}));

    let finished = receipt(&auth, &erasure.erasure_id).await.unwrap();
    assert_eq!(
        (finished.state.as_str(), finished.services.len()),
        ("finished", 4)
    );
    assert!(finished.services.iter().all(|service| service.state == "erased"));
    let checkout = finished
        .services
        .iter()
        .find(|it| it.service == "checkout")
        .unwrap();
    assert_eq!(checkout.kept, ["bookkeeping"]);
    assert_eq!(
        auth.count("select count(*) from erasure where recipient is not null")
            .await,
        0
    );
    let query = "select count(*) from outbox where event::text like '%userId%'";
    assert_eq!(auth.count(query).await, 0);
}

#[tokio::test]
async fn unknown_receipt_is_not_found() {
    let auth = Auth::start().await;
    for id in ["", "ers_1", "ers_00000000000000000000000000000000"] {
        assert_eq!(
            code(receipt(&auth, id).await),
            (Kind::NotFound, "UNKNOWN_ERASURE".into())
        );
    }
}

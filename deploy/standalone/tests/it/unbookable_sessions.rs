//! The shipped default: sessions cannot be booked yet, so none is sold.
use serde_json::{Value, json};

use crate::stack::{Stack, body_of, status_and_code};

#[tokio::test(flavor = "multi_thread")]
async fn shipped_default_shows_and_sells_no_session() {
    let stack = Stack::start_all_services().await;
    let session = stack.register("ada@example.com").await.session;
    let offer = |path: &str, campaign: &str| {
        let asked = json!({"campaign": campaign, "language": "en", "country": "US"});
        stack.post(path, &asked).header("cookie", &session)
    };
    for path in ["/api/web-campaign", "/api/web-campaign-landing"] {
        for campaign in ["addition-coaching", "addition-therapy"] {
            let refused = status_and_code(offer(path, campaign)).await;
            assert_eq!(
                refused,
                (200, "SESSIONS_NOT_BOOKABLE".to_owned()),
                "{path} {campaign}"
            );
        }
        let sold = body_of(offer(path, "coaching-monthly").send().await.unwrap()).await;
        assert_eq!(sold["status"], true, "{path} {sold}");
    }

    let listed = stack.get("/api/addition/campaigns").header("cookie", &session);
    let listed: Value = body_of(listed.send().await.unwrap()).await;
    assert_eq!(
        (&listed["status"], &listed["campaigns"]),
        (&json!(true), &json!([])),
        "{listed}"
    );
}

use sandbox::{Action, Fault};

use crate::support::{Fixture, fault_met, text};

const PATH: &str = "/v1/customers";
const FORM: [(&str, &str); 1] = [("email", "ada@example.com")];

#[tokio::test]
async fn the_same_key_answers_the_same_for_a_day() {
    let fixture = Fixture::start().await;
    let first = fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
    let second = fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
    assert_eq!(first.body, second.body);
    assert!(!first.headers.contains_key("idempotent-replayed"));
    assert_eq!(second.headers["idempotent-replayed"], "true");
    assert_eq!(second.headers["original-request"], first.headers["request-id"]);
    fixture.hours(25).await;
    let later = fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
    assert_ne!(later.body["id"], first.body["id"]);
}

#[tokio::test]
async fn the_same_key_for_something_else_is_refused() {
    let fixture = Fixture::start().await;
    fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
    let other_form = fixture
        .stripe
        .post_with_key(PATH, "k1", &[("email", "b@example.com")])
        .await
        .unwrap();
    let other_path = fixture
        .stripe
        .post_with_key("/v1/products", "k1", &FORM)
        .await
        .unwrap();
    for refused in [other_form, other_path] {
        assert_eq!(
            refused.error(),
            (400, "idempotency_error".into(), String::new(), String::new())
        );
    }
}

#[tokio::test]
async fn two_at_once_are_a_conflict() {
    let fixture = Fixture::start().await;
    let slow = Fault::on("POST", "/stripe/v1/customers", Action::DelayBefore { ms: 1500 });
    fixture.sandbox.faults().add(slow);
    let (first, second) = tokio::join!(fixture.stripe.post_with_key(PATH, "k1", &FORM), async {
        fault_met(&fixture.sandbox).await;
        fixture.stripe.post_with_key(PATH, "k1", &FORM).await
    });
    assert_eq!(first.unwrap().status, 200);
    let second = second.unwrap();
    assert_eq!(
        (second.status, second.error().2),
        (409, "idempotency_key_in_use".into())
    );
}

#[tokio::test]
async fn failures_are_kept_too_but_malformed_requests_are_not() {
    let fixture = Fixture::start().await;
    let down = Action::Error {
        status: 500,
        body: None,
        stored: None,
    };
    fixture
        .sandbox
        .faults()
        .add(Fault::on("POST", "/stripe/v1/customers", down));
    for _ in 0..2 {
        let failed = fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
        assert_eq!(
            (failed.status, text(&failed.body["error"]["type"])),
            (500, "api_error".into())
        );
    }
    assert_eq!(
        fixture
            .stripe
            .post_with_key(PATH, "k2", &FORM)
            .await
            .unwrap()
            .status,
        200
    );

    let malformed = fixture
        .stripe
        .post_with_key(PATH, "k3", &[("colour", "red")])
        .await
        .unwrap();
    assert_eq!(malformed.status, 400);
    assert_eq!(
        fixture
            .stripe
            .post_with_key(PATH, "k3", &FORM)
            .await
            .unwrap()
            .status,
        200
    );
}

#[tokio::test]
async fn a_lost_answer_is_found_again_by_its_key() {
    let fixture = Fixture::start().await;
    fixture.sandbox.faults().add(Fault::on(
        "POST",
        "/stripe/v1/customers",
        Action::DropAfterCommit {},
    ));
    assert!(fixture.stripe.post_with_key(PATH, "k1", &FORM).await.is_err());
    let found = fixture.stripe.post_with_key(PATH, "k1", &FORM).await.unwrap();
    assert_eq!(found.headers["idempotent-replayed"], "true");
    let all = fixture.stripe.get("/v1/customers").await.ok();
    assert_eq!(all["data"].as_array().unwrap().len(), 1);
}

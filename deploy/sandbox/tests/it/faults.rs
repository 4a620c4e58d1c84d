use std::time::{Duration, Instant};

use sandbox::{Action, Fault};

use crate::support::{Fixture, fault_met, until};

const CUSTOMERS: &str = "/stripe/v1/customers";

#[tokio::test]
async fn an_error_applies_to_the_matching_calls() {
    let fixture = Fixture::start().await;
    let busy = Action::Error {
        status: 429,
        body: None,
        stored: None,
    };
    fixture
        .sandbox
        .faults()
        .add(Fault::on("POST", CUSTOMERS, busy).nth(2).times(2));
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(fixture.stripe.post("/v1/customers", &[]).await.status);
    }
    assert_eq!(statuses, [200, 429, 429, 200]);
}

#[tokio::test]
async fn a_connection_can_be_cut_before_or_after_the_work() {
    for (action, made) in [(Action::DropBefore {}, 0), (Action::DropAfterCommit {}, 1)] {
        let fixture = Fixture::start().await;
        fixture.sandbox.faults().add(Fault::on("POST", CUSTOMERS, action));
        assert!(
            fixture
                .stripe
                .post_with_key("/v1/customers", "k", &[])
                .await
                .is_err()
        );
        let all = fixture.stripe.get("/v1/customers").await.ok();
        assert_eq!(all["data"].as_array().unwrap().len(), made);
    }
}

#[tokio::test]
async fn the_work_goes_on_when_the_caller_hangs_up() {
    let fixture = Fixture::start().await;
    fixture
        .sandbox
        .faults()
        .add(Fault::on("POST", CUSTOMERS, Action::DelayBefore { ms: 300 }));
    tokio::select! {
        answer = fixture.stripe.post("/v1/customers", &[]) => panic!("answered: {answer:?}"),
        () = fault_met(&fixture.sandbox) => {}
    }
    until("the customer is created", async || {
        let all = fixture.stripe.get("/v1/customers").await.ok();
        all["data"].as_array().unwrap().len() == 1
    })
    .await;
}

#[tokio::test]
async fn an_answer_can_be_slow() {
    let fixture = Fixture::start().await;
    fixture
        .sandbox
        .faults()
        .add(Fault::on("POST", CUSTOMERS, Action::DelayAfterCommit { ms: 200 }));
    let began = Instant::now();
    fixture.stripe.post("/v1/customers", &[]).await.ok();
    assert!(began.elapsed() >= Duration::from_millis(200));
}

use kit::error::Failure;
use kit::requester::{self, Requester};
use proto::checkout::v1::CheckBinRequest;

use crate::support::test_env::TestEnv;

async fn check(env: &TestEnv, bin: &str) -> Result<String, Failure> {
    let request = CheckBinRequest { bin: bin.into() };
    let answered = env.checkout.clone().check_bin(request).await;
    answered
        .map(|answer| answer.into_inner().campaign)
        .map_err(|status| Failure::from_status(&status))
}

#[tokio::test]
async fn cards_of_the_partner_bank_open_its_campaign() {
    let env = TestEnv::start().await;
    assert_eq!(check(&env, "440776").await.unwrap(), "teb40");
    assert_eq!(check(&env, "44077612").await.unwrap(), "teb40");
    for other in ["424242", "44077", "4"] {
        assert_eq!(check(&env, other).await.unwrap(), "", "{other}");
    }
}

#[tokio::test]
async fn each_check_is_an_event_with_a_hash_in_place_of_the_digits() {
    let env = TestEnv::start().await;
    let visitor = Requester::new("tr", "TR");
    for bin in ["440776", "424242", "440776"] {
        requester::scope(visitor.clone(), check(&env, bin)).await.unwrap();
    }
    let mut events = env.host.events("stillpoint.checkout.bin.checked", 3).await;
    // They are published in one batch, each under its own hash.
    events.sort_by_key(|event| event.data["eligible"] != true);
    let [first, second, other] = [0, 1, 2].map(|n| &events[n].data);
    assert_eq!(
        (&first["eligible"], &first["campaign"]),
        (&true.into(), &"teb40".into())
    );
    assert_eq!(first["binHash"], second["binHash"]);
    assert_ne!(first["binHash"], other["binHash"]);
    assert_eq!(first["binHash"].as_str().unwrap().len(), 64);
    // A proto3 `false` is absent.
    assert!(other.get("eligible").is_none() && other.get("campaign").is_none());
    for event in &events {
        let person = (event.lang.as_deref(), event.country.as_deref());
        assert_eq!(person, (Some("tr"), Some("TR")));
    }
    let text = serde_json::to_string(&events).unwrap();
    assert!(!text.contains("\"440776") && !text.contains("\"424242"), "{text}");
}

#[tokio::test]
async fn whole_card_number_is_rejected_and_not_echoed() {
    let env = TestEnv::start().await;
    let refusal = check(&env, "4407761234567890").await.unwrap_err();
    assert_eq!(refusal.code, "INVALID_ARGUMENT");
    assert!(!refusal.message.contains("4407"));
}

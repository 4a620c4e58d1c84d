use std::process::Output;
use std::time::Duration;

use crate::support::campaign_files::Seeds;
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::TestEnv;

async fn campaigns(env: &TestEnv, verb: &str, seeds: &Seeds) -> (Option<i32>, String) {
    let outcome: Output = tokio::process::Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["campaigns", verb, seeds.path()])
        .env("CHECKOUT_DATABASE_URL", env.host.database_url())
        .output()
        .await
        .unwrap();
    let said = [outcome.stdout, outcome.stderr].concat();
    (outcome.status.code(), String::from_utf8(said).unwrap())
}

async fn price(env: &TestEnv) -> i64 {
    let offer = env.offer("web-monthly", "", "tr").await;
    offer.price.unwrap().amount_minor
}

async fn until_price(env: &TestEnv, wanted: i64) {
    let reached = tokio::time::timeout(Duration::from_mins(1), async {
        while price(env).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok(), "{}", price(env).await);
}

#[tokio::test]
async fn published_campaigns_are_sold_and_survive_a_restart() {
    let env = TestEnv::start().await;
    let seeds = Seeds::shipped();
    seeds.change("web-monthly.yaml", "199.99", "189.99");

    let (code, said) = campaigns(&env, "diff", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    for expected in [
        "web-monthly.yaml: changed",
        "- subscription 199.99 TRY",
        "+ subscription 189.99 TRY",
        "+ subscription 151.99 TRY with WELCOME20",
    ] {
        assert!(said.contains(expected), "{expected} is not in:\n{said}");
    }
    assert_eq!(price(&env).await, 19_999, "a comparison changes nothing");

    let (code, said) = campaigns(&env, "publish", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("published web-monthly"), "{said}");
    until_price(&env, 18_999).await;
    env.host.run(checkout::definition()).await;
    assert_eq!(price(&env).await, 18_999);

    let (_, said) = campaigns(&env, "publish", &seeds).await;
    assert!(said.contains("0 changed"), "{said}");
}

#[tokio::test]
async fn order_keeps_the_price_that_an_editor_took_off_sale() {
    let env = TestEnv::start().await;
    let seeds = Seeds::shipped();
    env.buy("web-monthly", APPROVED).await.unwrap();
    seeds.remove("web-monthly.yaml");
    let (code, said) = campaigns(&env, "publish", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    let price = env.subscriptions().await[0].price.clone().unwrap();
    assert_eq!(price.amount_minor, 19_999);
    env.check_ledger().await;
}

#[tokio::test]
async fn invalid_files_change_nothing() {
    let env = TestEnv::start().await;
    let seeds = Seeds::shipped();
    seeds.change("web-monthly.yaml", "\"199.99\"", "\"a lot\"");
    for verb in ["lint", "diff", "publish"] {
        let (code, said) = campaigns(&env, verb, &seeds).await;
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("web-monthly.yaml:"), "{said}");
        assert!(
            said.contains("prices.TRY: \"a lot\" is not an amount in TRY"),
            "{said}"
        );
    }
    assert_eq!(price(&env).await, 19_999);
}

use std::process::Output;
use std::time::Duration;

use crate::support::campaign_files::Seeds;
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::World;

async fn campaigns(world: &World, verb: &str, seeds: &Seeds) -> (Option<i32>, String) {
    let outcome: Output = tokio::process::Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["campaigns", verb, seeds.path()])
        .env("CHECKOUT_DATABASE_URL", world.host.database_url())
        .output()
        .await
        .unwrap();
    let said = [outcome.stdout, outcome.stderr].concat();
    (outcome.status.code(), String::from_utf8(said).unwrap())
}

async fn price(world: &World) -> i64 {
    let offer = world.offer("web-monthly", "", "tr").await;
    offer.price.unwrap().amount_minor
}

async fn until_price(world: &World, wanted: i64) {
    let reached = tokio::time::timeout(Duration::from_secs(10), async {
        while price(world).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok(), "{}", price(world).await);
}

#[tokio::test]
async fn running_service_sells_what_an_editor_publishes_and_a_restart_leaves_it_so() {
    let world = World::start().await;
    let seeds = Seeds::shipped();
    seeds.change("web-monthly.yaml", "199.99", "189.99");

    let (code, said) = campaigns(&world, "diff", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    for expected in [
        "web-monthly.yaml: changed",
        "- subscription 199.99 TRY",
        "+ subscription 189.99 TRY",
        "+ subscription 151.99 TRY with WELCOME20",
    ] {
        assert!(said.contains(expected), "{expected} is not in:\n{said}");
    }
    assert_eq!(price(&world).await, 19_999, "a comparison changes nothing");

    let (code, said) = campaigns(&world, "publish", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("published web-monthly"), "{said}");
    until_price(&world, 18_999).await;
    world.host.run(checkout::definition()).await;
    assert_eq!(price(&world).await, 18_999);

    let (_, said) = campaigns(&world, "publish", &seeds).await;
    assert!(said.contains("0 changed"), "{said}");
}

#[tokio::test]
async fn order_keeps_the_price_that_an_editor_took_off_sale() {
    let world = World::start().await;
    let seeds = Seeds::shipped();
    world.buy("web-monthly", APPROVED).await.unwrap();
    seeds.remove("web-monthly.yaml");
    let (code, said) = campaigns(&world, "publish", &seeds).await;
    assert_eq!(code, Some(0), "{said}");
    let price = world.subscriptions().await[0].price.clone().unwrap();
    assert_eq!(price.amount_minor, 19_999);
    world.check_books().await;
}

#[tokio::test]
async fn faulty_files_change_nothing() {
    let world = World::start().await;
    let seeds = Seeds::shipped();
    seeds.change("web-monthly.yaml", "\"199.99\"", "\"a lot\"");
    for verb in ["lint", "diff", "publish"] {
        let (code, said) = campaigns(&world, verb, &seeds).await;
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("web-monthly.yaml:"), "{said}");
        assert!(
            said.contains("prices.TRY: \"a lot\" is not an amount in TRY"),
            "{said}"
        );
    }
    assert_eq!(price(&world).await, 19_999);
}

use kit::error::Failure;
use proto::checkout::v1::CheckBinRequest;

use crate::world::World;

async fn check(world: &World, bin: &str) -> Result<String, Failure> {
    let request = CheckBinRequest { bin: bin.into() };
    let answered = world.checkout.clone().check_bin(request).await;
    answered
        .map(|answer| answer.into_inner().campaign)
        .map_err(|status| Failure::from_status(&status))
}

#[tokio::test]
async fn cards_of_the_partner_bank_open_its_campaign() {
    let world = World::start().await;
    assert_eq!(check(&world, "440776").await.unwrap(), "teb40");
    assert_eq!(check(&world, "44077612").await.unwrap(), "teb40");
    for other in ["424242", "44077", "4"] {
        assert_eq!(check(&world, other).await.unwrap(), "", "{other}");
    }
}

#[tokio::test]
async fn whole_card_number_is_refused_and_not_told_back() {
    let world = World::start().await;
    let refusal = check(&world, "4407761234567890").await.unwrap_err();
    assert_eq!(refusal.code, "INVALID_ARGUMENT");
    assert!(!refusal.message.contains("4407"));
}

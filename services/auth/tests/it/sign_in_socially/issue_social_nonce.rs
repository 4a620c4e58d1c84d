use crate::sign_in_socially::World;

#[tokio::test]
async fn asking_for_a_nonce_stores_nothing() {
    let world = World::start().await;
    let first = world.browser().await;
    let second = world.same_browser(&first.cookie).await;
    assert_eq!(first.cookie, second.cookie);
    assert_ne!(first.nonce, second.nonce);
    let made_up = world.same_browser("'; drop table account").await;
    assert_eq!(made_up.cookie.len(), 64);
    assert_eq!(world.auth.count("select count(*) from used_credential").await, 0);
}

//! `ConfirmPlatronPayment`: a buyer returns from Platron's page.

use checkout::domain::provider::Provider;
use kit::error::Failure;
use proto::checkout::v1::{ConfirmPlatronPaymentRequest, CreateGiftRequest};

use crate::contract::provider_setup::ProviderSetup;
use crate::one_time::create_gift::{create, opened, wanted};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn platrons_payment_id_alone_reveals_nothing() {
    let setup = ProviderSetup::open(Provider::Platron).await;
    let (_, gift) = opened(&setup).await;
    let newest = || {
        let sandbox = setup.env.fake_provider.sandbox();
        let books = sandbox.platron().state();
        books.payments.newest_first().next().unwrap().id.clone()
    };
    let paid = newest();
    setup.pay(Provider::Platron, &gift.platron_url);
    let of_another = CreateGiftRequest {
        email: "another@example.com".into(),
        ..wanted(&setup.env, "another click").await
    };
    create(&setup.env, &of_another).await.unwrap();
    let waiting = newest();
    assert_ne!(paid, waiting);
    let confirm = async |reference: String| {
        let back = ConfirmPlatronPaymentRequest {
            payment_id: paid.clone(),
            reference,
        };
        let response = setup.env.checkout.clone().confirm_platron_payment(back).await;
        response
            .map(|response| response.into_inner().state)
            .map_err(|status| Failure::from_status(&status).code)
    };
    let own = setup.platron_reference(&paid);
    let guesses = [
        String::new(),
        "1".to_owned(),
        own.replace(".1", ".2"),
        setup.platron_reference(&waiting),
    ];
    for guess in guesses {
        assert_eq!(
            confirm(guess.clone()).await,
            Err("UNKNOWN_ORDER".to_owned()),
            "{guess}"
        );
    }
    assert_eq!(confirm(own).await, Ok("paid".to_owned()));
}

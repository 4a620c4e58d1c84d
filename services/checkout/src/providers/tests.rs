use kit::config::Env;

use super::*;
use crate::config::Config;
use crate::domain::provider::{Capabilities, ChangeKind, CheckoutMode, RenewalMode};
use crate::ports::ProviderError;

const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");

fn configured(names: &str) -> Providers {
    let env = Env::from_pairs([("CHECKOUT_SEED_DIR", SEED_DIR), ("CHECKOUT_PROVIDERS", names)]);
    let config = Config::read(&env).unwrap();
    // An error means that another test has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    connect(config.providers, &Clock::system()).unwrap()
}

#[test]
fn a_provider_implements_its_capabilities() {
    let providers = configured("stripe,paypal,yookassa,platron");
    for id in Provider::ALL {
        let provider = providers.of(id).unwrap();
        let Capabilities {
            checkout,
            renewals,
            changes,
            ..
        } = provider.capabilities();
        assert_eq!(provider.id(), id);
        assert_eq!(provider.own_page().is_ok(), *checkout == CheckoutMode::OwnPage);
        assert_eq!(provider.approvals().is_ok(), *checkout == CheckoutMode::Approval);
        assert_eq!(
            provider.hosted_checkouts().is_ok(),
            *checkout == CheckoutMode::Hosted
        );
        assert_eq!(
            provider.provider_billing().is_ok(),
            *renewals == RenewalMode::ProviderBilled
        );
        assert_eq!(
            provider.recurring().is_ok(),
            *renewals == RenewalMode::MerchantBilled
        );
        // A card is replaced on our page, and a plan at the provider.
        assert!(!changes.contains(&ChangeKind::Card) || provider.own_page().is_ok());
        assert!(!changes.contains(&ChangeKind::Plan) || provider.provider_billing().is_ok());
    }
}

#[test]
fn unsupported_is_not_the_same_as_not_configured() {
    let providers = configured("stripe");
    let unsupported = providers.own_page().recurring().err();
    assert!(matches!(unsupported, Some(ProviderError::Unsupported(..))));
    for id in [Provider::Paypal, Provider::Yookassa, Provider::Platron] {
        assert_eq!(providers.of(id).err(), Some(ProviderError::NotConfigured(id)));
    }
    assert!(providers.approvals().is_none() && providers.hosted_checkouts().is_empty());
}

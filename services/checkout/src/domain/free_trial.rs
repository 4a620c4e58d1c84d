//! Which card a free trial begins with. A card is known by the provider's own name for it, which stays the same for every member
//! and address that uses the card.

use sha2::{Digest, Sha256};

use super::payment::Decline;
use super::provider::Provider;

/// The failure code of a payment whose card has begun a free trial of the product before.
pub const USED: &str = "trial_already_used";

/// A digest: enough to know the card again, and nothing more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardMark(String);

impl CardMark {
    pub fn of(provider: Provider, fingerprint: &str) -> Self {
        let digest = Sha256::new()
            .chain_update(provider.name())
            .chain_update([0])
            .chain_update(fingerprint)
            .finalize();
        Self(hex::encode(digest))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub fn used() -> Decline {
    Decline {
        code: USED.to_owned(),
        message: "The free trial has been used already. The subscription can be had without it.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_is_the_same_for_one_card_and_differs_between_cards_and_providers() {
        let mark = CardMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1c");
        assert_eq!(mark, CardMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1c"));
        assert_ne!(mark, CardMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1d"));
        assert_ne!(mark, CardMark::of(Provider::Paypal, "Xt5EWLLDS7FJjR1c"));
        assert!(!mark.as_str().contains("Xt5EWLLDS7FJjR1c"));
    }
}

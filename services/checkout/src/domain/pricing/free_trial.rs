//! Which card, or which account at PayPal, a free trial begins with. It is known by the provider's own name for it, which is the
//! same for every member and address that uses it.

use sha2::{Digest, Sha256};

use crate::domain::payment::Decline;
use crate::domain::provider::Provider;

/// The failure code of a payment whose card has begun a free trial of the product before.
pub const USED: &str = "trial_already_used";

/// A digest: enough to recognise the card or account, and nothing more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayerMark(String);

impl PayerMark {
    /// `fingerprint`: Stripe's of a card, PayPal's payer id.
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
        let mark = PayerMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1c");
        assert_eq!(mark, PayerMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1c"));
        assert_ne!(mark, PayerMark::of(Provider::Stripe, "Xt5EWLLDS7FJjR1d"));
        assert_ne!(mark, PayerMark::of(Provider::Paypal, "Xt5EWLLDS7FJjR1c"));
        assert!(!mark.as_str().contains("Xt5EWLLDS7FJjR1c"));
    }
}

//! Whether a bank's offer holds for a card, by its first digits. From memory alone: nothing of a card is kept.

use super::Checkout;
use crate::domain::bin::{Bin, offer_for};

/// The campaign that holds for the card.
pub fn check_bin(checkout: &Checkout, bin: Bin) -> Option<String> {
    let catalogue = checkout.catalogue.get();
    offer_for(&catalogue.rules().bin_offers, bin).map(|offer| offer.campaign.clone())
}

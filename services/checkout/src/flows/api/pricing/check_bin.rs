//! Whether a bank's offer applies to a card, by its first digits. Uses no I/O: only a keyed hash of the digits
//! leaves this function, in the event.

use crate::domain::pricing::bin::{Bin, offer_for};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;

/// The campaign that holds for the card.
pub fn check_bin(checkout: &Checkout, bin: Bin) -> Result<Option<String>> {
    let catalogue = checkout.catalogue.get();
    let campaign = offer_for(&catalogue.rules().bin_offers, bin).map(|offer| offer.campaign.clone());
    let checked = emit::bin_checked(&checkout.clock, checkout.bin_hashes.of(bin), campaign.as_deref())?;
    checkout.quote_events.enqueue_event(checked);
    Ok(campaign)
}

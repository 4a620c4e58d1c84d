//! Checks a bank offer's card again when it is charged, by the card data of the provider.

use crate::domain::payment::Decline;
use crate::domain::pricing::catalogue::Price;
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::ProviderError;
use kit::error::ErrorCode;

/// Runs before the card is attached, so that a refused card is not saved. Other campaigns need no call.
pub async fn check_card(checkout: &Checkout, price: &Price, payment_method_id: &str) -> Result<()> {
    let catalogue = checkout.catalogue.get();
    if !catalogue.is_for_cards(price) {
        return Ok(());
    }
    let cards = checkout.providers.own_page();
    let card = cards.fetch_card(payment_method_id).await?;
    if catalogue.admits(price, &card) {
        return Ok(());
    }
    Err(ProviderError::Declined(Decline {
        code: ErrorCode::CardNotInOffer.as_str_name().to_owned(),
        message: "This price is for cards of the partner bank. Use one of them, or choose another plan."
            .to_owned(),
    })
    .into())
}

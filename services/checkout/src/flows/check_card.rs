//! A bank's offer is for its cards: the card is checked again where it is charged, by what its provider says of it.

use super::Checkout;
use crate::domain::catalogue::Price;
use crate::domain::payment::Decline;
use crate::error::Result;
use crate::ports::ProviderError;

/// Before the card is given to the customer: a card that is refused is not kept. For all other campaigns nothing is asked.
pub async fn check_card(checkout: &Checkout, price: &Price, payment_method_id: &str) -> Result<()> {
    let catalogue = checkout.catalogue.get();
    if !catalogue.is_for_cards(price) {
        return Ok(());
    }
    let cards = &checkout.providers.cards.cards;
    let card = cards.fetch_card(payment_method_id).await?;
    if catalogue.admits(price, &card) {
        return Ok(());
    }
    Err(ProviderError::Declined(Decline {
        code: "CARD_NOT_IN_OFFER".to_owned(),
        message: "This price is for cards of the partner bank. Use one of them, or choose another plan."
            .to_owned(),
    })
    .into())
}

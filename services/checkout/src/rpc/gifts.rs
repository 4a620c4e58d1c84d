//! Gifts that are paid on a provider's page: proto to domain and back.

use proto::checkout::v1 as wire;

use super::{convert, language, text};
use crate::domain::order::contact::Contact;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::orders::create_gift::{CreateGift, create_gift};

pub async fn create(
    checkout: &Checkout,
    request: wire::CreateGiftRequest,
) -> Result<wire::CreateGiftResponse> {
    // Callers may be anonymous: the key is not bound to a member.
    let key = convert::idempotency_key("visitor/create_gift", &request.idempotency_key, &request)?;
    let contact = Contact::accept(&request.full_name, &request.email).map_err(Error::Fields)?;
    let command = CreateGift {
        contact,
        price_id: request.price_id.parse().map_err(|_| Error::UnknownPrice)?,
        country: text::short("country", request.country)?,
        language: language::of_hosted_gift(request.language)?,
        key,
    };
    let opened = create_gift(checkout, &command).await?;
    Ok(convert::created_gift(&opened))
}

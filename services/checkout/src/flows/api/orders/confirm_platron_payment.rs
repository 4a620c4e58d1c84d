//! Called by the page that the buyer returns to from the provider's page.

use crate::domain::order::hosted_checkout::{HostedCheckoutState, Reference};
use crate::domain::provider::Provider;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::settle_hosted_checkout::{find_unless_erased, settle_hosted_checkout};
use crate::ports::ProviderError;

/// A payment as named by a buyer who returns from the provider's page.
#[derive(Debug)]
pub struct ReturnedPayment {
    pub provider: Provider,
    pub provider_payment_id: String,
    pub reference: Reference,
}

/// Fetches the state of a returned payment from the provider. Payment ids can be guessed: the reference must be that of a hosted
/// checkout and of this payment.
pub async fn confirm_platron_payment(
    checkout: &Checkout,
    returned: &ReturnedPayment,
) -> Result<HostedCheckoutState> {
    let ReturnedPayment {
        provider, reference, ..
    } = *returned;
    let port = checkout.providers.of(provider)?.hosted_checkouts()?;
    let mut connection = checkout.pool.acquire().await?;
    let hosted = find_unless_erased(&mut connection, reference.hosted_checkout_id).await?;
    drop(connection);
    let hosted = hosted.filter(|hosted| hosted.provider == provider);
    let hosted = hosted.ok_or(Error::UnknownOrder)?;
    let seen = match port.fetch_hosted_checkout(&returned.provider_payment_id).await {
        Ok(seen) => seen,
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => return Err(Error::UnknownOrder),
        Err(error) => return Err(error.into()),
    };
    if seen.reference != Some(reference) {
        return Err(Error::UnknownOrder);
    }
    let state = hosted.state.after(&seen.snapshot.charge);
    settle_hosted_checkout(checkout, hosted, 0, seen.snapshot).await?;
    Ok(state)
}

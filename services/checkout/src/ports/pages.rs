//! Pages of a provider on which a buyer pays once for a period.

use async_trait::async_trait;
use kit::money::Money;

use super::{Later, ProviderError};
use crate::domain::page::Reference;
use crate::domain::report::Snapshot;

#[async_trait]
pub trait PageProvider: Send + Sync + 'static {
    /// Makes the payment; nothing is charged before the buyer comes to the page. Repeated, it is the same payment, or another
    /// under the same reference of which nobody has heard.
    async fn open_page(&self, page: &NewPage) -> Result<OpenedPage, ProviderError>;

    /// The payment with the reference it was made under; `None` when that is not one of ours.
    async fn fetch_page(&self, provider_payment_id: &str) -> Result<SeenPage, ProviderError>;
}

#[derive(Debug, Clone)]
pub struct NewPage {
    pub reference: Reference,
    pub amount: Money,
    pub description: String,
    pub email: String,
    pub language: String,
    pub later: Later,
    /// What is sold: whoever comes back without having paid asks for it again.
    pub campaign: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedPage {
    pub provider_payment_id: String,
    /// What the browser opens the page by: an address, or a token for the provider's script.
    pub handle: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenPage {
    pub reference: Option<Reference>,
    pub snapshot: Snapshot,
}

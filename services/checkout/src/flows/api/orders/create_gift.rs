//! Opens hosted checkouts for a gift at the Russian providers. The order is created when one of them is paid; of
//! two payments, the later is refunded.

use kit::idempotency::{self, Key};

use crate::domain::ids::{OrderId, PriceId, UserId};
use crate::domain::order::OrderKind;
use crate::domain::order::buyer::Buyer;
use crate::domain::order::contact::Contact;
use crate::domain::order::one_time_order::kind_of;
use crate::domain::pricing::catalogue::Price;
use crate::domain::provider::Provider;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::offer_hosted_checkouts::{
    CURRENCY, HostedCheckoutRequest, open_hosted_checkouts,
};
use crate::store::order::hosted_checkouts;
use crate::store::pricing::prices;

pub struct CreateGift {
    pub contact: Contact,
    pub price_id: PriceId,
    pub country: String,
    pub language: String,
    /// Absent: each call is another gift.
    pub key: Option<Key>,
}

pub struct OpenedGift {
    pub order_id: OrderId,
    pub is_paid: bool,
    /// Redirect URL or widget token of each provider.
    pub redirect_urls_or_tokens: Vec<(Provider, String)>,
}

pub async fn create_gift(checkout: &Checkout, command: &CreateGift) -> Result<OpenedGift> {
    if checkout.providers.hosted_checkouts().is_empty() {
        return Err(Error::NoProvider);
    }
    let order_id = prepare_order(checkout, command).await?;
    let buyer = Buyer {
        user_id: UserId::guest(order_id),
        email: command.contact.email.clone(),
        full_name: command.contact.full_name.clone(),
    };
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::find(&mut connection, command.price_id).await?;
    let price = price.ok_or(Error::UnknownPrice)?;
    let is_paid = hosted_checkouts::is_paid(&mut connection, &buyer.user_id).await?;
    drop(connection);
    let redirect_urls_or_tokens = if is_paid {
        Vec::new()
    } else {
        let wanted = HostedCheckoutRequest {
            price: &price,
            buyer: &buyer,
            country: &command.country,
            language: &command.language,
            is_counted: false,
        };
        open_hosted_checkouts(checkout, wanted)
            .await
            .redirect_urls_or_tokens
    };
    if redirect_urls_or_tokens.is_empty() && !is_paid {
        return Err(Error::unanswered());
    }
    Ok(OpenedGift {
        order_id,
        is_paid,
        redirect_urls_or_tokens,
    })
}

/// Returns the gift's order id. A repeated key returns the same order and its hosted checkouts.
async fn prepare_order(checkout: &Checkout, command: &CreateGift) -> Result<OrderId> {
    idempotency::execute(
        &checkout.pool,
        &checkout.clock,
        command.key.as_ref(),
        async |tx| {
            let price = prices::find_on_sale(tx, command.price_id).await?;
            price.filter(is_sold_here).ok_or(Error::UnknownPrice)?;
            Ok(OrderId::new(checkout.clock.now()))
        },
    )
    .await
}

fn is_sold_here(price: &Price) -> bool {
    let terms = &price.terms;
    kind_of(terms, None) == Some(OrderKind::Gift)
        && terms.currency().code() == CURRENCY
        && terms.coupon_code.is_empty()
}

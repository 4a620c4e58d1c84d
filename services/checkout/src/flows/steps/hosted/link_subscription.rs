//! Links a subscription that a member approved at the provider, for the page or by a webhook. The provider is queried for its member,
//! plan and payment.

use std::collections::BTreeMap;

use kit::erasure::is_tombstoned;
use kit::requester::Requester;

use crate::domain::ids::UserId;
use crate::domain::order::buyer::Buyer;
use crate::domain::order::coupon_reservation::RESERVED_FOR;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::pricing::catalogue::Price;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::import_external_payment::import_external_payment;
use crate::flows::steps::hosted::payment_import::PaymentImport;
use crate::flows::steps::hosted::refund_unmatched::refund_unmatched;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::ports::{ApprovalProvider, ApprovalState, ObservedApproval, ProviderError};
use crate::store::order::{order_attempts, subscription_orders};
use crate::store::payment::payments;
use crate::store::pricing::prices;

#[derive(Debug)]
pub struct LinkPaypalSubscription {
    pub buyer: Buyer,
    pub provider_subscription_id: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
}

/// Idempotent: linking it again returns its current state.
pub async fn link(checkout: &Checkout, command: &LinkPaypalSubscription) -> Result<SubscriptionOrder> {
    let approvals = approvals(checkout)?;
    if let Some(known) = find_linked(checkout, command).await? {
        let refreshed = refresh_payment(checkout, known.into()).await?;
        return Ok(subscription_orders::of_attempt(refreshed)?);
    }
    let approval = match approvals.fetch_approval(&command.provider_subscription_id).await {
        Ok(approval) => approval,
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => return Err(Error::UnknownApproval),
        Err(error) => return Err(error.into()),
    };
    // Another member's, or unknown: reveals nothing about it.
    match whose(&approval) {
        Some((user_id, _)) if user_id == command.buyer.user_id => {}
        _ => return Err(Error::UnknownApproval),
    }
    import_approved(checkout, command, approval).await
}

/// Handles a webhook about a subscription that no page has linked yet.
pub async fn link_from_webhook(checkout: &Checkout, provider_subscription_id: &str) -> Result<()> {
    let approval = approvals(checkout)?
        .fetch_approval(provider_subscription_id)
        .await?;
    let Some((user_id, Requester { lang, country })) = whose(&approval) else {
        return Ok(());
    };
    if approval.state == ApprovalState::Pending {
        return Ok(());
    }
    let mut connection = checkout.pool.acquire().await?;
    // Nothing a stranger writes there makes a sale that is not ours.
    if prices::find_by_approval_plan(&mut connection, &approval.plan_id)
        .await?
        .is_none()
    {
        return Ok(());
    }
    let command = LinkPaypalSubscription {
        buyer: Buyer {
            user_id,
            email: approval.email.clone(),
            full_name: approval.full_name.clone(),
        },
        provider_subscription_id: provider_subscription_id.to_owned(),
        country: country.unwrap_or_default(),
        language: lang.unwrap_or_default(),
        tracking: BTreeMap::new(),
    };
    drop(connection);
    match import_approved(checkout, &command, approval).await {
        // It was given back.
        Ok(_)
        | Err(
            Error::ApprovalExpired
            | Error::UnknownPrice
            | Error::TrialUsed
            | Error::AlreadySubscribed
            | Error::AlreadyOwned
            | Error::MemberErased
            | Error::Coupon(_),
        ) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The page writes the member's id into the subscription at the provider, followed by language and country where they are set.
fn whose(approval: &ObservedApproval) -> Option<(UserId, Requester)> {
    let mut words = approval.custom_id.as_deref()?.split(' ');
    let user_id = UserId::parse(words.next()?)?;
    let mut next = || words.next().unwrap_or_default();
    let (lang, country) = (next(), next());
    Some((user_id, Requester::new(lang, country)))
}

fn approvals(checkout: &Checkout) -> Result<&dyn ApprovalProvider> {
    checkout.providers.approvals().ok_or(Error::NoProvider)
}

async fn find_linked(
    checkout: &Checkout,
    command: &LinkPaypalSubscription,
) -> Result<Option<SubscriptionOrder>> {
    let id = &command.provider_subscription_id;
    let provider = approvals(checkout)?.id();
    let mut connection = checkout.pool.acquire().await?;
    let known = payments::find_by_provider_subscription(&mut connection, provider, id).await?;
    let Some(known) = known else {
        return Ok(None);
    };
    let attempt = order_attempts::read_payment(&mut connection, known.payment_id).await?;
    let purchase = subscription_orders::of_attempt(attempt)?;
    if purchase.order.user_id == command.buyer.user_id {
        Ok(Some(purchase))
    } else {
        Err(Error::UnknownApproval)
    }
}

async fn import_approved(
    checkout: &Checkout,
    command: &LinkPaypalSubscription,
    approval: ObservedApproval,
) -> Result<SubscriptionOrder> {
    if approval.state == ApprovalState::Pending {
        return Err(Error::ApprovalMissing);
    }
    let Some(price) = sold_by(checkout, &approval).await? else {
        // The plan is not ours, so it was never offered.
        return Err(Error::UnknownPrice);
    };
    let is_sold = is_sold(checkout, &approval, &price).await?;
    let import = PaymentImport {
        buyer: command.buyer.clone(),
        price,
        provider: approvals(checkout)?.id(),
        payer_id: approval.payer_id.clone(),
        country: command.country.clone(),
        language: command.language.clone(),
        tracking: command.tracking.clone(),
        snapshot: approval.snapshot,
    };
    if approval.state == ApprovalState::Ended {
        refund_ended(checkout, command, &import).await?;
        return Err(Error::ApprovalExpired);
    }
    if !is_sold {
        refund_unmatched(checkout, &import).await?;
        return Err(Error::UnknownPrice);
    }
    import_external_payment(checkout, &import).await
}

/// A capture of an ended approval: the buyer ended it at once, or the capture arrived after our refusal.
async fn refund_ended(
    checkout: &Checkout,
    command: &LinkPaypalSubscription,
    import: &PaymentImport,
) -> Result<()> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    // The member is erased: the paid price is no longer known.
    if is_tombstoned(&mut tx, &[command.buyer.user_id.to_string()]).await? {
        return Err(Error::MemberErased);
    }
    drop(tx);
    match find_linked(checkout, command).await? {
        None => refund_unmatched(checkout, import).await,
        Some(known) if known.is_unmatched_capture() => Ok(()),
        // Meanwhile it has found its order.
        Some(_) => Err(Error::PaymentInProgress),
    }
}

/// The provider sells a plan as long as it exists; checkout accepts it only within the validity of a quote.
async fn is_sold(checkout: &Checkout, approval: &ObservedApproval, price: &Price) -> Result<bool> {
    let catalogue = checkout.catalogue.get();
    let is_elsewhere = catalogue.has_paid_trial(price) || catalogue.is_for_cards(price);
    if is_elsewhere || approval.amount != Some(price.terms.amount) {
        return Ok(false);
    }
    let mut connection = checkout.pool.acquire().await?;
    let retired_at = prices::retired_at(&mut connection, price.price_id).await?;
    Ok(retired_at.is_none_or(|retired_at| approval.made_at < retired_at + RESERVED_FOR))
}

async fn sold_by(checkout: &Checkout, approval: &ObservedApproval) -> Result<Option<Price>> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(prices::find_by_approval_plan(&mut connection, &approval.plan_id).await?)
}

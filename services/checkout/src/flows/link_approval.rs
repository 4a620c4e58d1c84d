//! A member has made a subscription at PayPal. What their page says of it is not believed: PayPal is asked whose it is, by
//! which plan, and what was paid.

use std::collections::BTreeMap;

use kit::erasure::is_tombstoned;
use kit::requester::Requester;

use super::Checkout;
use super::adopt_payment::{Adoption, adopt_payment};
use super::refresh_payment::refresh_payment;
use super::return_unsold::return_unsold;
use crate::domain::buyer::Buyer;
use crate::domain::catalogue::Price;
use crate::domain::coupon::HELD_FOR;
use crate::domain::ids::UserId;
use crate::domain::provider::Provider;
use crate::domain::purchase::Purchase;
use crate::error::{Error, Result};
use crate::ports::{Agreement, Approval, ApprovalProvider, ProviderError};
use crate::store::{payments, prices, purchases};

#[derive(Debug)]
pub struct LinkApproval {
    pub buyer: Buyer,
    pub provider_subscription_id: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
}

/// Linking it again is answered with what has become of it.
pub async fn link_approval(checkout: &Checkout, command: &LinkApproval) -> Result<Purchase> {
    let purchase = link(checkout, command).await?;
    if purchase.is_unsold() {
        return Err(Error::ApprovalOver);
    }
    Ok(purchase)
}

async fn link(checkout: &Checkout, command: &LinkApproval) -> Result<Purchase> {
    let approvals = approvals(checkout)?;
    if let Some(known) = find_linked(checkout, command).await? {
        return refresh_payment(checkout, known).await;
    }
    let approval = match approvals.fetch_approval(&command.provider_subscription_id).await {
        Ok(approval) => approval,
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => return Err(Error::UnknownApproval),
        Err(error) => return Err(error.into()),
    };
    // Somebody else's, or nobody's: not a word of what it is.
    match whose(&approval) {
        Some((user_id, _)) if user_id == command.buyer.user_id => {}
        _ => return Err(Error::UnknownApproval),
    }
    take_in(checkout, command, approval).await
}

/// PayPal tells of a subscription that no page has brought to us: the buyer closed it, or is about to come.
pub async fn link_told(checkout: &Checkout, provider_subscription_id: &str) -> Result<()> {
    let approval = approvals(checkout)?
        .fetch_approval(provider_subscription_id)
        .await?;
    let Some((user_id, Requester { lang, country })) = whose(&approval) else {
        return Ok(());
    };
    if approval.agreement == Agreement::Awaited {
        return Ok(());
    }
    let mut connection = checkout.pool.acquire().await?;
    // Nothing a stranger writes there makes a sale that is not ours.
    if prices::find_by_paypal_plan(&mut connection, &approval.plan_id)
        .await?
        .is_none()
    {
        return Ok(());
    }
    let command = LinkApproval {
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
    match take_in(checkout, &command, approval).await {
        // It was given back.
        Ok(_)
        | Err(
            Error::ApprovalOver
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

/// The page writes the member's id into the subscription at PayPal, and behind it, where it knows them, language and country.
fn whose(approval: &Approval) -> Option<(UserId, Requester)> {
    let mut words = approval.custom_id.as_deref()?.split(' ');
    let user_id = UserId::parse(words.next()?)?;
    let mut next = || words.next().unwrap_or_default();
    let (lang, country) = (next(), next());
    Some((user_id, Requester::new(lang, country)))
}

fn approvals(checkout: &Checkout) -> Result<&dyn ApprovalProvider> {
    let approvals = checkout.providers.approvals.as_deref();
    Ok(approvals.ok_or(ProviderError::NotConfigured(Provider::Paypal))?)
}

async fn find_linked(checkout: &Checkout, command: &LinkApproval) -> Result<Option<Purchase>> {
    let id = &command.provider_subscription_id;
    let mut connection = checkout.pool.acquire().await?;
    let known = payments::find_by_provider_subscription(&mut connection, Provider::Paypal, id).await?;
    let Some(known) = known else {
        return Ok(None);
    };
    let purchase = purchases::read_payment(&mut connection, known.payment_id).await?;
    if purchase.order.user_id == command.buyer.user_id {
        Ok(Some(purchase))
    } else {
        Err(Error::UnknownApproval)
    }
}

async fn take_in(checkout: &Checkout, command: &LinkApproval, approval: Approval) -> Result<Purchase> {
    if approval.agreement == Agreement::Awaited {
        return Err(Error::ApprovalMissing);
    }
    let Some(price) = sold_by(checkout, &approval).await? else {
        // Of a plan that is none of ours nothing was ever offered to anybody.
        return Err(Error::UnknownPrice);
    };
    let is_sold = is_sold(checkout, &approval, &price).await?;
    let adoption = Adoption {
        buyer: command.buyer.clone(),
        price,
        provider: Provider::Paypal,
        payer_id: approval.payer_id.clone(),
        country: command.country.clone(),
        language: command.language.clone(),
        tracking: command.tracking.clone(),
        snapshot: approval.snapshot,
    };
    if approval.agreement == Agreement::Over {
        return_over(checkout, command, &adoption).await?;
        return Err(Error::ApprovalOver);
    }
    if !is_sold {
        return_unsold(checkout, &adoption).await?;
        return Err(Error::UnknownPrice);
    }
    adopt_payment(checkout, &adoption).await
}

/// Taken before we knew of it: the buyer has ended it at once, or it came from a bank when we had refused it already.
async fn return_over(checkout: &Checkout, command: &LinkApproval, adoption: &Adoption) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    // Of somebody who is erased we know no longer what was paid for.
    if is_tombstoned(&mut tx, &[command.buyer.user_id.to_string()]).await? {
        return Err(Error::MemberErased);
    }
    drop(tx);
    match find_linked(checkout, command).await? {
        None => return_unsold(checkout, adoption).await,
        Some(known) if known.is_unsold() => Ok(()),
        // Meanwhile it has found its order.
        Some(_) => Err(Error::PaymentInProgress),
    }
}

/// PayPal sells by a plan for as long as the plan is there; we do for as long as we hold a price for whoever has seen it.
async fn is_sold(checkout: &Checkout, approval: &Approval, price: &Price) -> Result<bool> {
    let catalogue = checkout.catalogue.get();
    let is_elsewhere = catalogue.has_paid_trial(price) || catalogue.is_for_cards(price);
    if is_elsewhere || approval.amount != Some(price.terms.amount) {
        return Ok(false);
    }
    let mut connection = checkout.pool.acquire().await?;
    let retired_at = prices::retired_at(&mut connection, price.price_id).await?;
    Ok(retired_at.is_none_or(|retired_at| approval.made_at < retired_at + HELD_FOR))
}

async fn sold_by(checkout: &Checkout, approval: &Approval) -> Result<Option<Price>> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(prices::find_by_paypal_plan(&mut connection, &approval.plan_id).await?)
}

//! Takes a member out of the books. First the provider forgets them, and with them their subscriptions; then our rows lose
//! whoever they were about. A crash in between repeats what is done, to the same end.

use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use kit::erasure::{ErasedData, ErasureHandler, ErasureJob, Prepared, add_tombstones};
use sqlx::PgConnection;

use super::Checkout;
use super::close_intent::close_intent;
use super::erase_at_others::end_at_others;
use super::refresh_payment::refresh_payment;
use super::settle_intent::settle_intent;
use super::settle_payment::settle_payment;
use crate::domain::ids::{OrderId, UserId};
use crate::domain::intent::IntentReport;
use crate::domain::purchase::Purchase;
use crate::domain::report::Report;
use crate::error::{Error, Result};
use crate::ports::ProviderError;
use crate::store::customers::{self, Customer};
use crate::store::purchases::{self, Which};
use crate::store::{charges, coupons, lives, member_erasure, member_export, sales, withdrawals};

/// What tax law makes us keep of a sale.
const BOOKKEEPING: &str = "bookkeeping";

pub struct MemberEraser(pub Arc<Checkout>);

#[async_trait]
impl ErasureHandler for MemberEraser {
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared> {
        let user_id = member(job)?;
        let mut connection = self.0.pool.acquire().await?;
        if member_export::customer(&mut connection, &user_id)
            .await?
            .is_some()
        {
            let customer = customers::find(&mut connection, &user_id).await?;
            let orders = member_erasure::orders(&mut connection, &user_id).await?;
            let sales = member_erasure::sales(&mut connection, &user_id).await?;
            drop(connection);
            for order_id in sales {
                end_sale(&self.0, order_id).await?;
            }
            forget_at_provider(&self.0, &customer, &orders).await?;
        }
        Ok(Prepared::Ready)
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        let user_id = member(job)?;
        let now = self.0.clock.now();
        let provider_customer_id = customers::stripe_id(tx, &user_id).await?;
        if let Some(id) = &provider_customer_id {
            // Whoever is storing a notification about them right now is waited for, and the next one finds them tombstoned.
            add_tombstones(tx, &self.0.clock, std::slice::from_ref(id)).await?;
            member_erasure::empty_notifications(tx, id).await?;
        }
        let elsewhere = member_erasure::at_others(tx, &user_id).await?;
        add_tombstones(tx, &self.0.clock, &elsewhere).await?;
        member_erasure::empty_notifications_about(tx, &elsewhere).await?;
        let has_ordered = member_erasure::lock_orders(tx, &user_id).await?;
        let nobody = UserId::nobody(now);
        charges::delete_of_member(tx, &user_id).await?;
        lives::erase(tx, &user_id).await?;
        member_erasure::close_open(tx, &user_id, now).await?;
        coupons::release_abandoned(tx, &user_id, now).await?;
        withdrawals::erase_member(tx, &user_id, now).await?;
        member_erasure::anonymize(tx, &user_id, &nobody).await?;
        let survey_orders = member_erasure::delete_survey_orders(tx, &user_id).await?;

        let survey_orders = survey_orders.iter().map(ToString::to_string);
        Ok(ErasedData {
            identifiers: survey_orders.chain(provider_customer_id).collect(),
            retained: has_ordered.then(|| BOOKKEEPING.to_owned()).into_iter().collect(),
        })
    }
}

fn member(job: &ErasureJob) -> anyhow::Result<UserId> {
    UserId::parse(&job.user_id).context("the erasure names no member")
}

async fn forget_at_provider(checkout: &Checkout, customer: &Customer, orders: &[OrderId]) -> Result<()> {
    let customers = &checkout.providers.cards.customers;
    let mut known = customers.find_customers(&customer.buyer).await?;
    known.extend(customer.stripe_customer_id.clone());
    known.sort_unstable();
    known.dedup();
    for provider_customer_id in &known {
        for order_id in orders {
            find_unconfirmed(checkout, provider_customer_id, *order_id).await?;
        }
        match customers.delete_customer(provider_customer_id).await {
            Ok(()) | Err(ProviderError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    end_at_others(checkout, orders).await?;
    for order_id in orders {
        learn_the_end(checkout, *order_id).await?;
    }
    Ok(())
}

/// Of what is paid once, the provider is told to take no money any more, and asked what it took.
async fn end_sale(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read(&mut connection, order_id, Which::Current).await?;
    drop(connection);
    let payment_id = sale.payment.payment_id;
    if sale.is_unconfirmed() {
        let found = checkout.providers.cards.intents.find_intent(payment_id).await?;
        let report = found.map_or(IntentReport::NeverArrived, IntentReport::Seen);
        settle_intent(checkout, payment_id, &report).await?;
    }
    match close_intent(checkout, payment_id).await {
        Ok(_) | Err(Error::Provider(ProviderError::NotFound)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// What was paid just now and not answered: afterwards nobody could be asked any more.
async fn find_unconfirmed(checkout: &Checkout, provider_customer_id: &str, order_id: OrderId) -> Result<()> {
    let purchase = read(checkout, order_id).await?;
    if !purchase.payment.is_unconfirmed() {
        return Ok(());
    }
    let payment_id = purchase.payment.payment_id;
    let subscriptions = &checkout.providers.of(purchase.payment.provider)?.subscriptions;
    let found = subscriptions
        .find_subscription(Some(provider_customer_id), payment_id)
        .await;
    match found {
        Ok(Some(snapshot)) => {
            settle_payment(checkout, payment_id, &Report::Snapshot(snapshot)).await?;
            Ok(())
        }
        Ok(None) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The provider has ended what was theirs: our books say so, with whatever was paid until then.
async fn learn_the_end(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let purchase = read(checkout, order_id).await?;
    if purchase.subscription.state.has_ended() {
        return Ok(());
    }
    if purchase.payment.is_unconfirmed() {
        settle_payment(checkout, purchase.payment.payment_id, &Report::NeverArrived).await?;
        return Ok(());
    }
    match refresh_payment(checkout, purchase).await {
        Ok(_) | Err(Error::Provider(ProviderError::NotFound)) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn read(checkout: &Checkout, order_id: OrderId) -> Result<Purchase> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(purchases::read(&mut connection, order_id, Which::Current).await?)
}

//! Takes in that a gift was paid on a provider's page: there it has its order, which is paid as soon as it is there.

use std::collections::BTreeMap;

use kit::money::Money;
use sqlx::PgConnection;

use super::settle_intent::settle_within;
use super::settle_payment::book_capture;
use super::{Checkout, return_unsold, settle_intent};
use crate::domain::adoption::unsold;
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::intent::{IntentCharge, IntentReport, IntentSnapshot, Payer};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::page::Page;
use crate::domain::payment::{Payment, PaymentState};
use crate::domain::purchase::Attempt;
use crate::domain::report::{Charge, Snapshot};
use crate::domain::sale::{Sale, Watch};
use crate::emit;
use crate::error::Result;
use crate::store::{customers, orders, payments, sales};

/// What another price was paid for, or the page of somebody who is erased, goes back.
pub async fn adopt_gift(checkout: &Checkout, page: &Page, price: &Price, snapshot: &Snapshot) -> Result<()> {
    let (Charge::Captured(captured), Some(intent_id)) = (&snapshot.charge, &snapshot.provider_intent_id)
    else {
        return Ok(());
    };
    let mut tx = checkout.pool.begin().await?;
    customers::lock(&mut tx, &page.buyer, checkout.clock.now()).await?;
    if payments::find_by_provider_intent(&mut tx, page.provider, intent_id)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let order_id = page.buyer.user_id.order_of_guest();
    let Some(order_id) = order_id.filter(|_| *captured == price.terms.amount) else {
        return_gift(&mut tx, checkout, (page, price), (intent_id, *captured)).await?;
        tx.commit().await?;
        return_unsold::announce(page.provider, *captured);
        return Ok(());
    };
    let payment_id = place(&mut tx, checkout, (page, price), order_id).await?;
    let report = seen(payment_id, intent_id, *captured);
    let (sale, facts) = settle_within(&mut tx, checkout, payment_id, &report).await?;
    tx.commit().await?;
    settle_intent::announce(&sale, &facts);
    Ok(())
}

/// With an order of its own: the guest's may still be paid.
async fn return_gift(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (page, price): (&Page, &Price),
    (intent_id, captured): (&str, Money),
) -> Result<()> {
    let now = checkout.clock.now();
    let order_id = OrderId::new(now);
    let payment = Payment {
        provider_intent_id: Some(intent_id.to_owned()),
        ..payment(checkout, page, order_id, 1)
    };
    let (order, payment, fact) = unsold(order(page, price, order_id), payment, captured, now);
    orders::insert(tx, &order).await?;
    payments::insert_intent(tx, &payment).await?;
    payments::save(tx, &payment).await?;
    book_capture(tx, checkout, (&order, &payment), &[fact]).await
}

fn seen(payment_id: PaymentId, intent_id: &str, captured: Money) -> IntentReport {
    IntentReport::Seen(IntentSnapshot {
        provider_intent_id: intent_id.to_owned(),
        payment_id: Some(payment_id),
        charge: IntentCharge::Captured(captured),
        payment_method_id: None,
        payer: Payer::default(),
    })
}

/// The order with its payment, or one more payment for the order that another page has made.
async fn place(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (page, price): (&Page, &Price),
    order_id: OrderId,
) -> Result<PaymentId> {
    let attempts = payments::of_order(tx, order_id).await?;
    let last = attempts.iter().map(|payment| payment.attempt).max();
    let payment = payment(checkout, page, order_id, last.unwrap_or(0) + 1);
    let payment_id = payment.payment_id;
    if last.is_some() {
        payments::insert_intent(tx, &payment).await?;
        return Ok(payment_id);
    }
    let sale = Sale {
        order: order(page, price, order_id),
        payment,
        attempt: Attempt::Latest,
        watch: Watch::default(),
    };
    sales::insert(tx, &sale).await?;
    emit::payment_intent_created(tx, &checkout.clock, &sale).await?;
    Ok(payment_id)
}

fn order(page: &Page, price: &Price, order_id: OrderId) -> Order {
    Order {
        order_id,
        kind: OrderKind::Gift,
        user_id: page.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: 0,
        payment_source: page.provider.name().to_owned(),
        country: page.country.clone(),
        language: page.language.clone(),
        tracking: BTreeMap::new(),
        state: OrderState::Open,
        created_at: page.created_at,
    }
}

fn payment(checkout: &Checkout, page: &Page, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    let payment_id = PaymentId::new(now);
    Payment {
        payment_id,
        order_id,
        subscription_id: None,
        provider: page.provider,
        attempt,
        payment_method_id: String::new(),
        card_network: None,
        idempotency_key: payment_id.to_string(),
        state: PaymentState::Intended,
        provider_subscription_id: None,
        provider_intent_id: None,
        created_at: now,
    }
}

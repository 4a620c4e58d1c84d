//! Imports a gift payment made on a provider's page: creates its order, already paid.

use std::collections::BTreeMap;

use kit::money::Money;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::hosted_checkout::HostedCheckout;
use crate::domain::order::order_attempt::{AttemptStatus, OrderAttempt};
use crate::domain::order::payment_import::unmatched_capture;
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::intent::{IntentCharge, IntentSnapshot, Payer};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderResult, Snapshot};
use crate::domain::pricing::catalogue::Price;
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::hosted::refund_unmatched;
use crate::flows::steps::payment::settle_payment::{announce, book_capture, settle};
use crate::store::order::{customers, order_attempts, orders};
use crate::store::payment::payments;

/// A gift whose payment the provider has captured.
struct CapturedGift<'a> {
    hosted: &'a HostedCheckout,
    price: &'a Price,
    provider_intent_id: &'a str,
    captured: Money,
}

/// A payment at another price, or of an erased buyer, is refunded.
pub async fn import_gift_payment(
    checkout: &Checkout,
    hosted: &HostedCheckout,
    price: &Price,
    snapshot: &PaymentSnapshot,
) -> Result<()> {
    let (Charge::Captured(captured), Some(intent_id)) = (&snapshot.charge, &snapshot.provider_intent_id)
    else {
        return Ok(());
    };
    let gift = CapturedGift {
        hosted,
        price,
        provider_intent_id: intent_id,
        captured: *captured,
    };
    let mut tx = kit::database::begin(&checkout.pool).await?;
    customers::lock(&mut tx, &hosted.buyer, checkout.clock.now()).await?;
    if payments::find_by_provider_intent(&mut tx, hosted.provider, intent_id)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let order_id = hosted.buyer.user_id.order_of_guest();
    let Some(order_id) = order_id.filter(|_| *captured == price.terms.amount) else {
        return_gift(&mut tx, checkout, &gift).await?;
        tx.commit().await?;
        refund_unmatched::announce(hosted.provider, *captured);
        return Ok(());
    };
    let payment_id = prepare_order(&mut tx, checkout, &gift, order_id).await?;
    let result = seen(payment_id, &gift);
    let settled = settle(&mut tx, checkout, payment_id, &result).await?;
    tx.commit().await?;
    announce(&settled.attempt, &settled.facts);
    Ok(())
}

/// Uses a separate order, because the guest's order may still be paid.
async fn return_gift(tx: &mut PgConnection, checkout: &Checkout, gift: &CapturedGift<'_>) -> Result<()> {
    let now = checkout.clock.now();
    let order_id = OrderId::new(now);
    let payment = Payment {
        provider_intent_id: Some(gift.provider_intent_id.to_owned()),
        ..intended(checkout, gift.hosted, order_id, 1)
    };
    let order = order(gift, order_id);
    let (order, payment, fact) = unmatched_capture(order, payment, gift.captured, now);
    orders::insert(tx, &order, PollState::default()).await?;
    payments::insert_intent(tx, &payment).await?;
    payments::save(tx, &payment).await?;
    book_capture(tx, checkout, &order, &payment, &[fact]).await
}

fn seen(payment_id: PaymentId, gift: &CapturedGift<'_>) -> ProviderResult<Snapshot> {
    ProviderResult::Snapshot(Snapshot::Intent(IntentSnapshot {
        provider_intent_id: gift.provider_intent_id.to_owned(),
        payment_id: Some(payment_id),
        charge: IntentCharge::Captured(gift.captured),
        payment_method_id: None,
        payer: Payer::default(),
    }))
}

/// Creates the order with its payment, or adds a payment to the order of another session.
async fn prepare_order(
    tx: &mut PgConnection,
    checkout: &Checkout,
    gift: &CapturedGift<'_>,
    order_id: OrderId,
) -> Result<PaymentId> {
    let attempts = payments::of_order(tx, order_id).await?;
    let last = attempts.iter().map(|payment| payment.attempt).max();
    let payment = intended(checkout, gift.hosted, order_id, last.unwrap_or(0) + 1);
    let payment_id = payment.payment_id;
    if last.is_some() {
        payments::insert_intent(tx, &payment).await?;
        return Ok(payment_id);
    }
    let one_time = OrderAttempt {
        order: order(gift, order_id),
        subscription: None,
        payment,
        attempt: AttemptStatus::Current,
        poll: PollState::default(),
    };
    order_attempts::insert(tx, &one_time).await?;
    emit::payment_intent_created(tx, &checkout.clock, &one_time).await?;
    Ok(payment_id)
}

fn order(gift: &CapturedGift<'_>, order_id: OrderId) -> Order {
    let CapturedGift { hosted, price, .. } = gift;
    Order {
        order_id,
        kind: OrderKind::Gift,
        user_id: hosted.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: 0,
        payment_source: hosted.provider.name().to_owned(),
        country: hosted.country.clone(),
        language: hosted.language.clone(),
        tracking: BTreeMap::new(),
        state: OrderState::Open,
        created_at: hosted.created_at,
    }
}

fn intended(checkout: &Checkout, hosted: &HostedCheckout, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    Payment::intended(PaymentId::new(now), order_id, hosted.provider, attempt, now)
}

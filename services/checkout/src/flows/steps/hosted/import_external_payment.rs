//! Imports a payment made on a provider's own page: creates or extends its order. A payment that matches
//! nothing on sale is refunded.

use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use crate::domain::ids::PaymentId;
use crate::domain::order::coupon_reservation::RESERVED_FOR;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::order::payment_import::{ExistingOrder, ImportTarget, Offer, at_provider};
use crate::domain::order::{Order, payment_import};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::pricing::coupon;
use crate::domain::provider::CheckoutMode;
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::payment_import::{PaymentImport, intended, purchase};
use crate::flows::steps::hosted::refund_unmatched::refund_unmatched;
use crate::flows::steps::payment::abandon_order::abandon_order;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::flows::steps::subscription::lock_held::lock_held;
use crate::flows::steps::trial::claim_trial::claim_approved;
use crate::store::order::{customers, order_attempts, subscription_orders};
use crate::store::payment::payments;
use crate::store::pricing::coupons;
use crate::store::pricing::coupons::ReservationOutcome;

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;

enum ImportStep {
    Settle(PaymentId),
    Close(PaymentId),
    /// The sale is refused: the captured amount is refunded.
    Rejected(Error),
}

pub async fn import_external_payment(
    checkout: &Checkout,
    import: &PaymentImport,
) -> Result<SubscriptionOrder> {
    for _ in 0..CLOSINGS_MAX {
        match prepare_import(checkout, import).await? {
            ImportStep::Settle(payment_id) => {
                let result = ProviderResult::Snapshot(import.snapshot.clone().into());
                let settled = settle_payment(checkout, payment_id, &result).await?;
                return Ok(subscription_orders::of_attempt(settled)?);
            }
            ImportStep::Close(payment_id) => close_payment(checkout, payment_id).await.map(drop)?,
            ImportStep::Rejected(why) => {
                refund_unmatched(checkout, import).await?;
                return Err(why);
            }
        }
    }
    Err(Error::PaymentInProgress)
}

async fn prepare_import(checkout: &Checkout, import: &PaymentImport) -> Result<ImportStep> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let user_id = &import.buyer.user_id;
    if user_id.is_anonymized() || is_tombstoned(&mut tx, &[user_id.to_string()]).await? {
        return Ok(ImportStep::Rejected(Error::MemberErased));
    }
    customers::lock(&mut tx, &import.buyer, checkout.clock.now()).await?;
    let PaymentImport {
        provider, snapshot, ..
    } = import;
    let id = &snapshot.provider_subscription_id;
    if let Some(known) = payments::find_by_provider_subscription(&mut tx, *provider, id).await? {
        return Ok(ImportStep::Settle(known.payment_id));
    }
    match check_not_owned(&mut tx, user_id, &import.price.terms).await {
        Err(owned @ Error::AlreadyOwned) => return Ok(ImportStep::Rejected(owned)),
        checked => checked?,
    }
    let offer = Offer {
        provider: *provider,
        price_id: import.price.price_id,
        amount: import.price.terms.amount,
    };
    let held = lock_held(&mut tx, user_id, &import.price).await?;
    let attempts = match &held {
        Some(held) => payments::of_order(&mut tx, held.order.order_id).await?,
        None => Vec::new(),
    };
    let beside = held.as_ref().map(|purchase| ExistingOrder {
        purchase,
        attempts: &attempts,
    });
    let payment = match (payment_import::import_target(beside, offer, snapshot), held) {
        (ImportTarget::Attach, Some(held)) => {
            Some(insert_attempt(&mut tx, checkout, import, &held, &attempts).await?)
        }
        (ImportTarget::Replace, Some(held)) => {
            abandon_order(&mut tx, checkout, held.into()).await?;
            insert_order(&mut tx, checkout, import).await?
        }
        (ImportTarget::NewOrder | ImportTarget::Attach | ImportTarget::Replace, _) => {
            insert_order(&mut tx, checkout, import).await?
        }
        (ImportTarget::Close(payment_id), _) => return Ok(ImportStep::Close(payment_id)),
        (ImportTarget::Wait, _) => return Err(Error::PaymentInProgress),
        (ImportTarget::Rejected(refusal), _) => {
            return Ok(ImportStep::Rejected(refusal.into()));
        }
    };
    let Some(payment_id) = payment else {
        return Ok(ImportStep::Rejected(coupon::Refusal::Exhausted.into()));
    };
    let placed = order_attempts::read_payment(&mut tx, payment_id).await?;
    if !claim_approved(&mut tx, checkout, &placed.order, import.payer_mark().as_ref()).await? {
        return Ok(ImportStep::Rejected(Error::TrialUsed));
    }
    tx.commit().await?;
    Ok(ImportStep::Settle(payment_id))
}

/// `None`: the coupon of this price is no longer available.
async fn insert_order(
    tx: &mut PgConnection,
    checkout: &Checkout,
    import: &PaymentImport,
) -> Result<Option<PaymentId>> {
    let now = checkout.clock.now();
    let purchase = purchase(checkout, import);
    let payment = at_provider(&purchase.payment, &import.snapshot);
    order_attempts::insert(tx, &purchase.clone().into()).await?;
    payments::save(tx, &payment).await?;
    let code = &import.price.terms.coupon_code;
    if !code.is_empty() {
        let held = coupons::reserve(tx, code, &purchase.order, now + RESERVED_FOR).await?;
        if !matches!(held, ReservationOutcome::Reserved) {
            return Ok(None);
        }
    }
    emit::subscription_created(tx, &checkout.clock, &purchase).await?;
    emit_linked(tx, checkout, import, &purchase.order, &payment).await?;
    Ok(Some(purchase.payment.payment_id))
}

/// Adds an attempt to an existing order. If this process stops before settling it, the reconciler
/// settles it.
async fn insert_attempt(
    tx: &mut PgConnection,
    checkout: &Checkout,
    import: &PaymentImport,
    held: &SubscriptionOrder,
    attempts: &[Payment],
) -> Result<PaymentId> {
    let last = attempts.iter().map(|payment| payment.attempt).max().unwrap_or(0);
    let payment = intended(checkout, import, held.order.order_id, last + 1);
    let payment = Payment {
        subscription_id: Some(held.subscription.subscription_id),
        ..payment
    };
    let poll = PollState::at(checkout.clock.now() + checkout.in_flight_timeout.0);
    order_attempts::insert_retry(tx, &payment, poll).await?;
    let payment = at_provider(&payment, &import.snapshot);
    payments::save(tx, &payment).await?;
    emit_linked(tx, checkout, import, &held.order, &payment).await?;
    Ok(payment.payment_id)
}

async fn emit_linked(
    tx: &mut PgConnection,
    checkout: &Checkout,
    import: &PaymentImport,
    order: &Order,
    payment: &Payment,
) -> Result<()> {
    if import.provider.capabilities().checkout != CheckoutMode::Approval {
        return Ok(());
    }
    emit::paypal_subscription_linked(tx, &checkout.clock, order, payment, &import.tracking).await
}

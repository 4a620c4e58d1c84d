//! Imports a payment made on a provider's own page: creates or extends its order. A payment that matches
//! nothing on sale is refunded.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::payment_import::{self, ExistingOrder, ImportTarget, Offer, at_provider};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::{PaymentSnapshot, ProviderResult};
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::coupon::{self, RESERVED_FOR};
use crate::domain::pricing::free_trial::PayerMark;
use crate::domain::provider::{CheckoutMode, Provider};
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::orders::create_subscription::lock_held;
use crate::flows::steps::payment::abandon_order::abandon_order;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::flows::steps::refund::refund_unmatched::refund_unmatched;
use crate::flows::steps::subscription::claim_trial::claim_approved;
use crate::store::order::{customers, order_attempts, subscription_orders};
use crate::store::payment::payments;
use crate::store::pricing::coupons;
use crate::store::pricing::coupons::ReservationOutcome;

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;

#[derive(Clone)]
pub struct PaymentImport {
    pub buyer: Buyer,
    pub price: Price,
    pub provider: Provider,
    /// The account that approved a subscription.
    pub payer_id: Option<String>,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    pub snapshot: PaymentSnapshot,
}

impl PaymentImport {
    fn payer_mark(&self) -> Option<PayerMark> {
        let payer_id = self.payer_id.as_deref()?;
        Some(PayerMark::of(self.provider, payer_id))
    }

    /// The same import for an erased member.
    pub fn anonymized(&self, now: DateTime<Utc>) -> Self {
        Self {
            buyer: Buyer {
                user_id: UserId::anonymized(now),
                email: String::new(),
                full_name: String::new(),
            },
            payer_id: None,
            language: String::new(),
            tracking: BTreeMap::new(),
            ..self.clone()
        }
    }
}

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
            Some(insert_attempt(&mut tx, checkout, import, (&held, &attempts)).await?)
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

/// A new order with its first attempt.
pub fn purchase(checkout: &Checkout, import: &PaymentImport) -> SubscriptionOrder {
    let now = checkout.clock.now();
    let PaymentImport { price, .. } = import;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        user_id: import.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: price.terms.trial_days,
        payment_source: import.provider.name().to_owned(),
        country: import.country.clone(),
        language: import.language.clone(),
        tracking: import.tracking.clone(),
        state: OrderState::Open,
        created_at: now,
    };
    let subscription = Subscription {
        subscription_id: SubscriptionId::new(now),
        state: SubscriptionState::Incomplete,
        activated_at: None,
        created_at: now,
    };
    SubscriptionOrder {
        payment: Payment {
            subscription_id: Some(subscription.subscription_id),
            ..intended(checkout, import, order.order_id, 1)
        },
        order,
        subscription,
        attempt: AttemptStatus::Current,
        poll: PollState::at(now + checkout.in_flight_timeout.0),
    }
}

/// Adds an attempt to an existing order. If this process stops before settling it, the reconciler
/// settles it.
async fn insert_attempt(
    tx: &mut PgConnection,
    checkout: &Checkout,
    import: &PaymentImport,
    (held, attempts): (&SubscriptionOrder, &[Payment]),
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

fn intended(checkout: &Checkout, import: &PaymentImport, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    Payment::intended(PaymentId::new(now), order_id, import.provider, attempt, now)
}

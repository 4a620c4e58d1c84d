//! Receives a provider's webhook. Its content only prompts a fetch from the provider, so it may come twice, late or in any order.
//! Nothing is stored that is neither signed nor confirmed by the provider.

use super::Checkout;
use super::link_approval::link_told;
use super::settle_intent::settle_intent;
use super::settle_page::{may_pay, settle_told};
use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::intent::IntentReport;
use crate::domain::notice::{BODY_BYTES_MAX, Delivery, Notice, Receipt, Subject};
use crate::domain::provider::Provider;
use crate::domain::report::Report;
use crate::error::{Error, Result};
use crate::ports::{Answer, Verdict, WebhookFault};
use crate::store::payments::Told;
use crate::store::webhook_events::Arrived;
use crate::store::{lives, payments, purchases, refund_watches, sales, webhook_events};

pub struct Received {
    pub receipt: Receipt,
    /// What the provider is to read back.
    pub answer: Option<Answer>,
}

pub async fn receive_webhook(
    checkout: &Checkout,
    provider: Provider,
    delivery: &Delivery,
) -> Result<Received> {
    let reader = &checkout.providers.of(provider)?.webhooks;
    if delivery.body.len() > BODY_BYTES_MAX {
        return Err(WebhookFault::Unreadable.into());
    }
    let Some(notice) = reader.read(delivery, checkout.clock.now()).await? else {
        metrics::counter!("checkout_webhooks_total", "provider" => provider.name(), "subject" => "unhandled")
            .increment(1);
        return Ok(Received {
            receipt: Receipt::First { asks: false },
            answer: reader.answer(delivery, &Verdict::Accepted),
        });
    };
    if !notice.is_well_formed() {
        return Err(WebhookFault::Unreadable.into());
    }
    let (receipt, verdict) = match &notice.subject {
        // Nothing has happened yet: there is nothing to keep.
        Subject::MayPay(reference) => (
            Receipt::First { asks: false },
            may_pay(checkout, reference).await?,
        ),
        _ => (
            store(checkout, provider, &notice, &reader.kept(delivery, &notice)).await?,
            Verdict::Accepted,
        ),
    };
    Ok(Received {
        receipt,
        answer: reader.answer(delivery, &verdict),
    })
}

async fn store(checkout: &Checkout, provider: Provider, notice: &Notice, body: &[u8]) -> Result<Receipt> {
    let now = checkout.clock.now();
    let arrived = Arrived {
        provider,
        notice,
        body,
        received_at: now,
        // Committed with the event: should asking fail below, it is done then.
        next_try_at: now + checkout.patience.0,
    };
    let mut connection = checkout.pool.acquire().await?;
    let receipt = webhook_events::receive(&mut connection, &arrived).await?;
    drop(connection);
    let Receipt::First { asks } = receipt else {
        return Ok(receipt);
    };
    metrics::counter!("checkout_webhooks_total", "provider" => provider.name(), "subject" => notice.subject.label())
        .increment(1);
    if asks {
        follow_now(checkout, provider, notice).await?;
    }
    Ok(receipt)
}

async fn follow_now(checkout: &Checkout, provider: Provider, notice: &Notice) -> Result<()> {
    let what = format!("{} {}", provider.name(), notice.subject.id().unwrap_or_default());
    let following = checkout.looks.at(&what, &notice.event_id, async |served| {
        follow(checkout, provider, notice).await?;
        let mut connection = checkout.pool.acquire().await?;
        Ok(webhook_events::done(&mut connection, provider, served).await?)
    });
    match tokio::time::timeout(checkout.time_to_answer(), following).await {
        Ok(Ok(())) => {}
        Ok(Err::<(), Error>(error)) => {
            tracing::warn!(event.id = notice.event_id, %error, "A webhook is not followed up yet");
            let mut connection = checkout.pool.acquire().await?;
            webhook_events::revive(&mut connection, provider, &notice.event_id).await?;
        }
        Err(_) => tracing::warn!(
            event.id = notice.event_id,
            "The provider takes long; the webhook is followed up later"
        ),
    }
    Ok(())
}

pub async fn find_told(
    tx: &mut sqlx::PgConnection,
    provider: Provider,
    subject: &Subject,
) -> Result<Option<Told>> {
    Ok(match subject {
        Subject::Subscription(id) => payments::find_by_provider_subscription(tx, provider, id).await?,
        Subject::PaymentIntent(id) => {
            let told = payments::find_by_provider_intent(tx, provider, id).await?;
            // The invoice's own notifications lead to a renewal.
            told.filter(|told| told.is_initial)
        }
        Subject::RefundsOf(id) => payments::find_by_provider_intent(tx, provider, id).await?,
        Subject::Reversal(_) | Subject::MayPay(_) | Subject::Other => None,
    })
}

/// Those who look after what follows a payment, its refunds and its renewals, are due at once.
pub async fn wake(tx: &mut sqlx::PgConnection, subject: &Subject, told: &Told) -> Result<()> {
    if matches!(subject, Subject::RefundsOf(_)) {
        refund_watches::make_due(tx, told.payment_id).await?;
    } else if told.has_billing_state {
        lives::make_due(tx, told.order_id).await?;
    }
    Ok(())
}

/// Asks the provider what it is about, and takes in what that says.
pub async fn follow(checkout: &Checkout, provider: Provider, notice: &Notice) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let told = find_told(&mut connection, provider, &notice.subject).await?;
    let asks = notice.subject.is_asked_about();
    if let Some(told) = &told
        && (told.is_synced || !asks)
    {
        return wake(&mut connection, &notice.subject, told).await;
    }
    drop(connection);
    if !asks {
        return Ok(());
    }
    let known = told.map(|told| told.payment_id);
    match (&notice.subject, known, provider) {
        (Subject::Subscription(id), None, Provider::Paypal) => link_told(checkout, id).await,
        (Subject::Subscription(id), None, Provider::Yookassa | Provider::Platron) => {
            settle_told(checkout, provider, id).await
        }
        (Subject::Reversal(id), ..) => watch_reversed(checkout, provider, id).await,
        _ => ask(checkout, provider, notice, known).await,
    }
}

/// Whoever looks after the refunds of a payment finds it among them.
async fn watch_reversed(checkout: &Checkout, provider: Provider, reversal_id: &str) -> Result<()> {
    let refunds = &checkout.providers.of(provider)?.refunds;
    let of = Subject::RefundsOf(refunds.reversed_intent(reversal_id).await?);
    let mut connection = checkout.pool.acquire().await?;
    match find_told(&mut connection, provider, &of).await? {
        Some(told) => wake(&mut connection, &of, &told).await,
        None => Ok(()),
    }
}

async fn ask(
    checkout: &Checkout,
    provider: Provider,
    notice: &Notice,
    known: Option<PaymentId>,
) -> Result<()> {
    if let Subject::PaymentIntent(id) = &notice.subject
        && provider == Provider::Stripe
        && ask_of_intent(checkout, id, known).await?
    {
        return Ok(());
    }
    let subscription_id = match (&notice.subject, known) {
        (Subject::Subscription(id), _) => id.clone(),
        (_, Some(payment_id)) => {
            let mut connection = checkout.pool.acquire().await?;
            let purchase = purchases::read_payment(&mut connection, payment_id).await?;
            match purchase.payment.provider_subscription_id {
                Some(id) => id,
                None => return Ok(()),
            }
        }
        (_, None) => return Ok(()),
    };
    let subscriptions = &checkout.providers.of(provider)?.subscriptions;
    let snapshot = subscriptions.fetch_subscription(&subscription_id).await?;
    // The answer that would have told us of this subscription may have been lost: it names its payment itself.
    let Some(payment_id) = known.or(snapshot.payment_id) else {
        return Ok(());
    };
    if known.is_none() && is_foreign(checkout, payment_id).await? {
        return Ok(());
    }
    settle_payment(checkout, payment_id, &Report::Snapshot(snapshot)).await?;
    Ok(())
}

/// `false`: it is the intent of a subscription, or none of ours.
async fn ask_of_intent(checkout: &Checkout, intent_id: &str, known: Option<PaymentId>) -> Result<bool> {
    if let Some(payment_id) = known
        && !is_of_sale(checkout, payment_id).await?
    {
        return Ok(false);
    }
    let seen = checkout.providers.cards.intents.fetch_intent(intent_id).await?;
    // The answer that would have told us of this intent may have been lost: it names its payment itself.
    let Some(payment_id) = known.or(seen.payment_id) else {
        return Ok(false);
    };
    if known.is_none() && !is_of_sale(checkout, payment_id).await? {
        return Ok(false);
    }
    settle_intent(checkout, payment_id, &IntentReport::Seen(seen)).await?;
    Ok(true)
}

async fn is_of_sale(checkout: &Checkout, payment_id: PaymentId) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(sales::is_of_sale(&mut connection, payment_id).await? == Some(true))
}

/// Another installation on the same account at the provider made it.
async fn is_foreign(checkout: &Checkout, payment_id: PaymentId) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(payments::find_order(&mut connection, payment_id).await?.is_none())
}

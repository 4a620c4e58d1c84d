//! Syncs a subscription after its initial payment; the only flow that does. It fetches the provider's snapshot, applies it
//! and emits its events in one transaction, and then sends the resulting commands with stored keys.
//! Webhooks and timers only schedule it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::bill_subscription::{self, ExecuteOutcome, bill_subscription};
use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::ledger;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::subscription::billing_state::{
    ProviderCommand, SubscriptionFact, SubscriptionSnapshot, SyncInput, SyncOutcome, apply_snapshot,
};
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::payment::settle_payment::{self, Settled, settle};
use crate::flows::steps::subscription::submit_pending_change::{
    LeasedSubscription, lease_for_sync, submit_pending_change,
};
use crate::ports::{BillingProvider, ProviderChange, ProviderError, Resumption};
use crate::store::order::subscription_orders;
use crate::store::payment::renewals;
use crate::store::subscription::{billing_states, subscription_changes};
use crate::{emit, store};

pub async fn sync_subscription(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let leased = lease_for_sync(checkout, order_id).await?;
    let leased = submit_pending_change(checkout, leased).await?;
    let purchase = &leased.purchase;
    let (Some(_), Some(provider_subscription_id)) =
        (&leased.state, &purchase.payment.provider_subscription_id)
    else {
        return Ok(());
    };

    let snapshot = if purchase.payment.provider.is_merchant_initiated() {
        bill_subscription(checkout, purchase).await?
    } else {
        let invoices = checkout
            .providers
            .of(purchase.payment.provider)?
            .provider_billing()?;
        invoices.fetch_snapshot(provider_subscription_id).await?
    };
    let commands = settle_and_apply(checkout, &leased, &snapshot).await?;
    for command in commands {
        if purchase.payment.provider.is_merchant_initiated() {
            execute_merchant_initiated(checkout, purchase, command).await?;
        } else {
            execute(checkout, purchase, command).await?;
        }
    }
    Ok(())
}

/// Settles the authoritative payment and applies the snapshot in one transaction.
async fn settle_and_apply(
    checkout: &Checkout,
    leased: &LeasedSubscription,
    snapshot: &SubscriptionSnapshot,
) -> Result<Vec<ProviderCommand>> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let result = ProviderResult::Snapshot(snapshot.payment.clone().into());
    let settled = settle(&mut tx, checkout, leased.purchase.payment.payment_id, &result).await?;
    let outcome = apply(&mut tx, checkout, &settled, leased, snapshot).await?;
    tx.commit().await?;
    settle_payment::announce(&settled.attempt, &settled.facts);
    let Some(SyncOutcome { facts, commands, .. }) = outcome else {
        return Ok(Vec::new());
    };
    announce(&subscription_orders::of_attempt(settled.attempt)?, &facts);
    Ok(commands)
}

/// `None`: it is no longer synced, or it must be synced again.
async fn apply(
    tx: &mut PgConnection,
    checkout: &Checkout,
    settled: &Settled,
    leased: &LeasedSubscription,
    snapshot: &SubscriptionSnapshot,
) -> Result<Option<SyncOutcome>> {
    let now = checkout.clock.now();
    let Settled {
        attempt, attempts, ..
    } = settled;
    let purchase = &subscription_orders::of_attempt(attempt.clone())?;
    let Some(billing) = billing_states::lock(tx, purchase.subscription.subscription_id).await? else {
        return Ok(None);
    };
    let is_merchant_initiated = purchase.payment.provider.is_merchant_initiated();
    // For merchant-initiated subscriptions the snapshot is rebuilt below.
    if !is_merchant_initiated
        && subscription_changes::count_settled(tx, billing.subscription_id).await? != leased.settled_changes
    {
        // The snapshot may be older than a change that was settled meanwhile, and would undo it here.
        billing_states::schedule_now(tx, purchase.order.order_id).await?;
        return Ok(None);
    }
    if !purchase.is_authoritative() {
        // Another attempt has come to pay it while the provider was asked.
        billing_states::schedule_now(tx, purchase.order.order_id).await?;
        return Ok(None);
    }
    let leased_due_at = leased.state.as_ref().and_then(|state| state.due_at);
    let due_meanwhile = billing.due_at.filter(|_| billing.due_at != leased_due_at);
    // For merchant-initiated subscriptions the snapshot is rebuilt now, so that a change settled meanwhile applies.
    let fetched = &snapshot.payment;
    let snapshot = if is_merchant_initiated {
        &bill_subscription::read_snapshot(tx, purchase, now).await?
    } else {
        snapshot
    };
    let is_overtaken = (snapshot.payment != *fetched).then_some(DateTime::UNIX_EPOCH);
    let input = SyncInput {
        order: &purchase.order,
        subscription: &purchase.subscription,
        payments: attempts,
        renewals: &renewals::of_order(tx, purchase.order.order_id).await?,
        state: billing,
    };
    let mut outcome = apply_snapshot(input, snapshot, checkout.grace, now, || PaymentId::new(now));
    let billing = &mut outcome.state;
    // What came while the provider was asked is news to the next look.
    billing.due_at = is_overtaken.or(due_meanwhile).or(billing.due_at);
    if subscription_changes::open(tx, billing.subscription_id)
        .await?
        .is_some()
    {
        // Its answer may be lost, and the next look a day away.
        let soon = now + checkout.in_flight_timeout.0;
        billing.due_at = Some(billing.due_at.map_or(soon, |due_at| due_at.min(soon)));
    }
    billing_states::save(tx, billing).await?;
    for renewal in &outcome.renewals {
        renewals::insert(tx, renewal).await?;
        store::ledger::post(tx, &ledger::renewal(renewal)?).await?;
    }
    emit::subscription_facts::facts(tx, &checkout.clock, purchase, &outcome.facts).await?;
    Ok(Some(outcome))
}

async fn execute(checkout: &Checkout, purchase: &SubscriptionOrder, command: ProviderCommand) -> Result<()> {
    let provider = checkout.providers.of(purchase.payment.provider)?;
    let billing_provider = provider.provider_billing()?;
    let subscription_id = purchase.subscription.subscription_id;
    match command {
        ProviderCommand::DisableAutoAdvance { provider_invoice_id } => {
            let key = format!("hold-{provider_invoice_id}");
            ignore_rejected(
                billing_provider
                    .disable_auto_advance(&provider_invoice_id, &key)
                    .await,
            )?;
            update_state(checkout, subscription_id, |billing| {
                let dunning = billing.dunning.as_mut();
                if let Some(dunning) = dunning.filter(|it| it.provider_invoice_id == provider_invoice_id) {
                    dunning.auto_advance_disabled = true;
                }
            })
            .await
        }
        ProviderCommand::PayInvoice {
            provider_invoice_id,
            key,
        } => retry_invoice(checkout, purchase, &provider_invoice_id, &key).await,
        ProviderCommand::CloseInvoice { provider_invoice_id } => {
            let key = format!("close-{provider_invoice_id}");
            ignore_rejected(billing_provider.close_invoice(&provider_invoice_id, &key).await)?;
            update_state(checkout, subscription_id, |_| {}).await
        }
        ProviderCommand::CancelSubscription => {
            let Some(id) = &purchase.payment.provider_subscription_id else {
                return Ok(());
            };
            ignore_rejected(provider.cancel_subscription(id).await)?;
            update_state(checkout, subscription_id, |_| {}).await
        }
        ProviderCommand::Resume => {
            let Some(id) = &purchase.payment.provider_subscription_id else {
                return Ok(());
            };
            // Refused, it is asked for again at the next look, ever more rarely.
            let change = ProviderChange::Resume(Resumption::AsIfNever);
            billing_provider
                .change(id, &change, &format!("resume-{id}"))
                .await?;
            update_state(checkout, subscription_id, |_| {}).await
        }
        ProviderCommand::ReleaseSchedule { starts_at } => {
            release_schedule(checkout, purchase, billing_provider, starts_at).await
        }
    }
}

async fn release_schedule(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    provider: &dyn BillingProvider,
    starts_at: DateTime<Utc>,
) -> Result<()> {
    let subscription_id = purchase.subscription.subscription_id;
    let Some(id) = &purchase.payment.provider_subscription_id else {
        return Ok(());
    };
    let billing = billing_states::find(&mut *checkout.pool.acquire().await?, subscription_id).await?;
    // Another plan may have been scheduled since this was decided: that one stays.
    if !billing.is_some_and(|billing| billing.releases_schedule(starts_at)) {
        return Ok(());
    }
    let key = format!("release-{id}-{}", starts_at.timestamp());
    let released = provider
        .change(id, &ProviderChange::CancelScheduledPlan, &key)
        .await;
    ignore_rejected(released)?;
    update_state(checkout, subscription_id, |billing| {
        billing.next_plan = billing.scheduled().cloned();
    })
    .await
}

/// Executes a command for a merchant-initiated provider.
async fn execute_merchant_initiated(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    command: ProviderCommand,
) -> Result<()> {
    match (
        bill_subscription::execute(checkout, purchase, &command).await?,
        command,
    ) {
        (ExecuteOutcome::Later, _) => Ok(()),
        (ExecuteOutcome::Attempted(code), ProviderCommand::PayInvoice { key, .. }) => {
            save_attempt_result(checkout, purchase, &key, code).await
        }
        (_, command) => {
            update_state(checkout, purchase.subscription.subscription_id, |billing| {
                if let (ProviderCommand::DisableAutoAdvance { .. }, Some(dunning)) =
                    (command, billing.dunning.as_mut())
                {
                    dunning.auto_advance_disabled = true;
                }
            })
            .await
        }
    }
}

/// A rejected command was applied before; the next sync shows it.
fn ignore_rejected<T>(answer: Result<T, ProviderError>) -> Result<(), ProviderError> {
    match answer {
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Never charges twice: an invoice is paid once, and the key is stored first. Without a response it stays in flight, and
/// is repeated after the next sync.
async fn retry_invoice(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    provider_invoice_id: &str,
    key: &str,
) -> Result<()> {
    let invoices = checkout
        .providers
        .of(purchase.payment.provider)?
        .provider_billing()?;
    let answer = invoices.pay_invoice(provider_invoice_id, key).await;
    let (outcome, code) = match answer {
        Ok(()) => ("paid", None),
        Err(ProviderError::Declined(decline)) => ("declined", Some(decline.code)),
        Err(ProviderError::Rejected { code, .. }) => ("refused", Some(code)),
        Err(ProviderError::NotFound) => ("refused", None),
        Err(
            error @ (ProviderError::NotConfigured(_)
            | ProviderError::Unsupported(..)
            | ProviderError::NotSent(_)
            | ProviderError::InProgress
            | ProviderError::OutcomeUnknown(_)),
        ) => {
            metrics::counter!("checkout_renewal_attempts_total", "outcome" => "no_answer").increment(1);
            return Err(error.into());
        }
    };
    metrics::counter!("checkout_renewal_attempts_total", "outcome" => outcome).increment(1);
    tracing::info!(order.id = %purchase.order.order_id, outcome, "overdue renewal retried");
    save_attempt_result(checkout, purchase, key, code).await
}

/// A code means that the attempt was declined.
async fn save_attempt_result(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    key: &str,
    code: Option<String>,
) -> Result<()> {
    let now = checkout.clock.now();
    update_state(checkout, purchase.subscription.subscription_id, |billing| {
        let is_this = |key_of_try: Option<&str>| key_of_try == Some(key);
        if let Some(dunning) = billing.dunning.take() {
            billing.dunning = Some(if is_this(dunning.attempt_key.as_deref()) {
                let last = dunning.decline_code.clone();
                dunning.declined(code.as_deref().unwrap_or(&last), now)
            } else {
                dunning
            });
        }
    })
    .await
}

/// Stores the result of a command and schedules the next sync now.
async fn update_state(
    checkout: &Checkout,
    subscription_id: SubscriptionId,
    edit: impl FnOnce(&mut crate::domain::subscription::billing_state::BillingState),
) -> Result<()> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    if let Some(mut billing) = billing_states::lock(&mut tx, subscription_id).await? {
        edit(&mut billing);
        billing.due_at = Some(DateTime::UNIX_EPOCH);
        billing.sync_attempts = 0;
        billing_states::save(&mut tx, &billing).await?;
    }
    tx.commit().await?;
    Ok(())
}

fn announce(purchase: &SubscriptionOrder, facts: &[SubscriptionFact]) {
    let order_id = purchase.order.order_id;
    let subscription_id = purchase.subscription.subscription_id;
    for fact in facts {
        match fact {
            SubscriptionFact::Renewed(renewal) => {
                let currency = renewal.captured.currency.code();
                metrics::counter!("checkout_renewals_total", "kind" => renewal.kind.name(), "currency" => currency)
                    .increment(1);
                tracing::info!(order.id = %order_id, subscription.id = %subscription_id, "subscription renewed");
            }
            SubscriptionFact::PastDue(dunning) => {
                metrics::counter!("checkout_subscriptions_past_due_total", "code" => dunning.decline_code.clone())
                    .increment(1);
                tracing::info!(order.id = %order_id, subscription.id = %subscription_id, code = dunning.decline_code, "subscription past due");
            }
            SubscriptionFact::Ended { cause, .. } => {
                metrics::counter!("checkout_subscriptions_ended_total", "cause" => cause.name()).increment(1);
                tracing::info!(order.id = %order_id, subscription.id = %subscription_id, cause = cause.name(), "subscription ended");
            }
            SubscriptionFact::Recovered
            | SubscriptionFact::TrialEnding { .. }
            | SubscriptionFact::Paused { .. } => {}
        }
    }
}

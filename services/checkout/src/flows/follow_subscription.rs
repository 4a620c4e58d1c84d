//! The only place where a subscription lives on after its first payment: the provider is asked what it shows, that is taken
//! in and told in one transaction, and what it makes us ask of the provider comes afterwards, by keys that were stored.
//! Everybody who hears something makes it due, in any order and any number of times.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Checkout;
use super::bill_subscription::{self, Ran, bill_subscription};
use super::change_subscription::{Looked, carry_out, look_at};
use super::settle_payment::{self, Settled, settle};
use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::ledger;
use crate::domain::life::{Errand, Followed, LifeFact, Showing, Standing, follow};
use crate::domain::provider::Provider;
use crate::domain::purchase::Purchase;
use crate::domain::report::Report;
use crate::emit;
use crate::error::Result;
use crate::ports::{Change, LifePorts, ProviderError, Resumption};
use crate::store::{self, lives, renewals, wishes};

pub async fn follow_subscription(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let looked = look_at(checkout, order_id).await?;
    let Looked { purchase, life, .. } = carry_out(checkout, looked).await?;
    let (Some(life), Some(provider_subscription_id)) = (life, &purchase.payment.provider_subscription_id)
    else {
        return Ok(());
    };

    let showing = if purchase.payment.provider.waits_to_be_asked() {
        bill_subscription(checkout, &purchase).await?
    } else {
        let invoices = &ports(checkout, purchase.payment.provider)?.invoices;
        invoices.fetch_life(provider_subscription_id).await?
    };
    let errands = take_in(checkout, purchase.payment.payment_id, &showing, life.due_at).await?;
    for errand in errands {
        if purchase.payment.provider.waits_to_be_asked() {
            run_here(checkout, &purchase, errand).await?;
        } else {
            run(checkout, &purchase, errand).await?;
        }
    }
    Ok(())
}

fn ports(checkout: &Checkout, provider: Provider) -> Result<&LifePorts, ProviderError> {
    let ports = checkout.providers.life_of(provider);
    ports.ok_or(ProviderError::NotConfigured(provider))
}

/// Settles the payment that speaks for it, and takes in what follows from that: in one transaction.
async fn take_in(
    checkout: &Checkout,
    payment_id: PaymentId,
    showing: &Showing,
    leased: Option<DateTime<Utc>>,
) -> Result<Vec<Errand>> {
    let mut tx = checkout.pool.begin().await?;
    let report = Report::Snapshot(showing.snapshot.clone());
    let settled = settle(&mut tx, checkout, payment_id, &report).await?;
    let followed = take_in_life(&mut tx, checkout, &settled, showing, leased).await?;
    tx.commit().await?;
    settle_payment::announce(&settled.purchase, &settled.facts);
    let Some(Followed { facts, errands, .. }) = followed else {
        return Ok(Vec::new());
    };
    announce(&settled.purchase, &facts);
    Ok(errands)
}

/// `None`: nobody looks after it any more, or somebody has to look anew.
async fn take_in_life(
    tx: &mut PgConnection,
    checkout: &Checkout,
    settled: &Settled,
    showing: &Showing,
    leased: Option<DateTime<Utc>>,
) -> Result<Option<Followed>> {
    let now = checkout.clock.now();
    let Settled {
        purchase, attempts, ..
    } = settled;
    let Some(life) = lives::lock(tx, purchase.subscription.subscription_id).await? else {
        return Ok(None);
    };
    if !purchase
        .attempt
        .speaks_for_subscription(&purchase.payment, &purchase.order.state)
    {
        // Another attempt has come to pay it while the provider was asked.
        lives::make_due(tx, purchase.order.order_id).await?;
        return Ok(None);
    }
    let due_meanwhile = life.due_at.filter(|_| life.due_at != leased);
    // What is ours to say is said as of now: a wish that was settled in the meantime holds.
    let asked = &showing.snapshot;
    let showing = if purchase.payment.provider.waits_to_be_asked() {
        &bill_subscription::show(tx, purchase, now).await?
    } else {
        showing
    };
    let is_overtaken = (showing.snapshot != *asked).then_some(DateTime::UNIX_EPOCH);
    let standing = Standing {
        order: &purchase.order,
        subscription: &purchase.subscription,
        payments: attempts,
        renewals: &renewals::of_order(tx, purchase.order.order_id).await?,
        life,
    };
    let mut followed = follow(standing, showing, checkout.grace, now, || PaymentId::new(now));
    let life = &mut followed.life;
    // What came while the provider was asked is news to the next look.
    life.due_at = is_overtaken.or(due_meanwhile).or(life.due_at);
    if wishes::open(tx, life.subscription_id).await?.is_some() {
        // Its answer may be lost, and the next look a day away.
        let soon = now + checkout.patience.0;
        life.due_at = Some(life.due_at.map_or(soon, |due_at| due_at.min(soon)));
    }
    lives::save(tx, life).await?;
    for renewal in &followed.renewals {
        renewals::insert(tx, renewal).await?;
        store::ledger::book(tx, &ledger::renewal(renewal)?).await?;
    }
    emit::life::facts(tx, &checkout.clock, purchase, &followed.facts).await?;
    Ok(Some(followed))
}

async fn run(checkout: &Checkout, purchase: &Purchase, errand: Errand) -> Result<()> {
    let LifePorts { invoices, changes } = ports(checkout, purchase.payment.provider)?;
    let subscription_id = purchase.subscription.subscription_id;
    match errand {
        Errand::Hold { provider_invoice_id } => {
            let key = format!("hold-{provider_invoice_id}");
            done(invoices.hold_invoice(&provider_invoice_id, &key).await)?;
            note(checkout, subscription_id, |life| {
                let arrears = life.arrears.as_mut();
                if let Some(arrears) = arrears.filter(|it| it.provider_invoice_id == provider_invoice_id) {
                    arrears.is_held = true;
                }
            })
            .await
        }
        Errand::Pay {
            provider_invoice_id,
            key,
        } => try_again(checkout, purchase, &provider_invoice_id, &key).await,
        Errand::Close { provider_invoice_id } => {
            let key = format!("close-{provider_invoice_id}");
            done(invoices.close_invoice(&provider_invoice_id, &key).await)?;
            note(checkout, subscription_id, |_| {}).await
        }
        Errand::End => {
            let Some(id) = &purchase.payment.provider_subscription_id else {
                return Ok(());
            };
            let subscriptions = &checkout.providers.of(purchase.payment.provider)?.subscriptions;
            done(subscriptions.cancel_subscription(id).await)?;
            note(checkout, subscription_id, |_| {}).await
        }
        Errand::Resume => {
            let Some(id) = &purchase.payment.provider_subscription_id else {
                return Ok(());
            };
            // Refused, it is asked for again at the next look, ever more rarely.
            let change = Change::Resume(Resumption::AsIfNever);
            changes.change(id, &change, &format!("resume-{id}")).await?;
            note(checkout, subscription_id, |_| {}).await
        }
        Errand::LetGo { starts_at } => {
            let Some(id) = &purchase.payment.provider_subscription_id else {
                return Ok(());
            };
            let mut connection = checkout.pool.acquire().await?;
            let life = lives::find(&mut connection, subscription_id).await?;
            drop(connection);
            // Another plan may have been scheduled since this was decided: that one stays.
            if !life.is_some_and(|life| life.lets_go(starts_at)) {
                return Ok(());
            }
            let key = format!("let-go-{id}-{}", starts_at.timestamp());
            done(changes.change(id, &Change::KeepPlan, &key).await)?;
            note(checkout, subscription_id, |life| {
                life.next_plan = life.scheduled().cloned();
            })
            .await
        }
    }
}

/// The charges of a provider that waits to be asked are ours.
async fn run_here(checkout: &Checkout, purchase: &Purchase, errand: Errand) -> Result<()> {
    match (bill_subscription::run(checkout, purchase, &errand).await?, errand) {
        (Ran::Later, _) => Ok(()),
        (Ran::Tried(code), Errand::Pay { key, .. }) => tried(checkout, purchase, &key, code).await,
        (_, errand) => {
            note(checkout, purchase.subscription.subscription_id, |life| {
                if let (Errand::Hold { .. }, Some(arrears)) = (errand, life.arrears.as_mut()) {
                    arrears.is_held = true;
                }
            })
            .await
        }
    }
}

/// What the provider refuses as it is has been done before: the next look tells.
fn done<T>(answer: Result<T, ProviderError>) -> Result<(), ProviderError> {
    match answer {
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Charges nothing twice: an invoice is paid once, and the key was stored before. Without an answer it stays in the air, and
/// is asked for again after the provider was asked what became of it.
async fn try_again(
    checkout: &Checkout,
    purchase: &Purchase,
    provider_invoice_id: &str,
    key: &str,
) -> Result<()> {
    let invoices = &ports(checkout, purchase.payment.provider)?.invoices;
    let answer = invoices.pay_invoice(provider_invoice_id, key).await;
    let (outcome, code) = match answer {
        Ok(()) => ("paid", None),
        Err(ProviderError::Declined(decline)) => ("declined", Some(decline.code)),
        Err(ProviderError::Rejected { code, .. }) => ("refused", Some(code)),
        Err(ProviderError::NotFound) => ("refused", None),
        Err(
            error @ (ProviderError::NotConfigured(_)
            | ProviderError::Unreached(_)
            | ProviderError::InProgress
            | ProviderError::NoAnswer(_)),
        ) => {
            metrics::counter!("checkout_renewal_tries_total", "outcome" => "no_answer").increment(1);
            return Err(error.into());
        }
    };
    metrics::counter!("checkout_renewal_tries_total", "outcome" => outcome).increment(1);
    tracing::info!(order.id = %purchase.order.order_id, outcome, "An overdue renewal was tried again");
    tried(checkout, purchase, key, code).await
}

/// With a code, the try was refused.
async fn tried(checkout: &Checkout, purchase: &Purchase, key: &str, code: Option<String>) -> Result<()> {
    let now = checkout.clock.now();
    note(checkout, purchase.subscription.subscription_id, |life| {
        let is_this = |key_of_try: Option<&str>| key_of_try == Some(key);
        if let Some(arrears) = life.arrears.take() {
            life.arrears = Some(if is_this(arrears.try_key.as_deref()) {
                let last = arrears.code.clone();
                arrears.refused(code.as_deref().unwrap_or(&last), now)
            } else {
                arrears
            });
        }
    })
    .await
}

/// Writes down what an errand came to, and has the next look at once.
async fn note(
    checkout: &Checkout,
    subscription_id: SubscriptionId,
    edit: impl FnOnce(&mut crate::domain::life::Life),
) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    if let Some(mut life) = lives::lock(&mut tx, subscription_id).await? {
        edit(&mut life);
        life.due_at = Some(DateTime::UNIX_EPOCH);
        life.looks = 0;
        lives::save(&mut tx, &life).await?;
    }
    tx.commit().await?;
    Ok(())
}

fn announce(purchase: &Purchase, facts: &[LifeFact]) {
    let order_id = purchase.order.order_id;
    let subscription_id = purchase.subscription.subscription_id;
    for fact in facts {
        match fact {
            LifeFact::Renewed(renewal) => {
                let currency = renewal.captured.currency.code();
                metrics::counter!("checkout_renewals_total", "kind" => renewal.kind.name(), "currency" => currency)
                    .increment(1);
                tracing::info!(order.id = %order_id, "Subscription {subscription_id} is renewed");
            }
            LifeFact::PastDue(arrears) => {
                metrics::counter!("checkout_subscriptions_past_due_total", "code" => arrears.code.clone())
                    .increment(1);
                tracing::info!(order.id = %order_id, code = arrears.code, "Subscription {subscription_id} is past due");
            }
            LifeFact::Ended { cause, .. } => {
                metrics::counter!("checkout_subscriptions_ended_total", "cause" => cause.name()).increment(1);
                tracing::info!(order.id = %order_id, cause = cause.name(), "Subscription {subscription_id} has ended");
            }
            LifeFact::Recovered | LifeFact::TrialEnding { .. } | LifeFact::Paused { .. } => {}
        }
    }
}

//! What is told of a subscription after its first payment.

use kit::clock::Clock;
use kit::outbox::NewEvent;
use proto::events::v1 as events;
use sqlx::PgConnection;

use super::append;
use crate::domain::arrears::Arrears;
use crate::domain::life::LifeFact;
use crate::domain::purchase::Purchase;
use crate::domain::renewal::Renewal;
use crate::error::Result;

pub async fn facts(
    tx: &mut PgConnection,
    clock: &Clock,
    purchase: &Purchase,
    facts: &[LifeFact],
) -> Result<()> {
    for fact in facts {
        append(tx, clock, &purchase.order, draft_of(purchase, fact)?).await?;
    }
    Ok(())
}

fn draft_of(purchase: &Purchase, fact: &LifeFact) -> Result<NewEvent> {
    let Purchase {
        order, subscription, ..
    } = purchase;
    let subscription_id = subscription.subscription_id.to_string();
    let user_id = order.user_id.to_string();
    let order_id = order.order_id.to_string();
    let product = order.product.clone();
    let key = subscription.subscription_id;
    let draft = match fact {
        LifeFact::Renewed(renewal) => renewed(purchase, renewal)?,
        LifeFact::PastDue(arrears) => past_due(purchase, arrears)?,
        LifeFact::Recovered => {
            let data = events::SubscriptionRecovered {
                subscription_id,
                user_id,
                order_id,
                product,
            };
            NewEvent::new("stillpoint.checkout.subscription.recovered", key, &data)?
        }
        LifeFact::TrialEnding { until } => {
            let data = events::SubscriptionTrialEnding {
                subscription_id,
                user_id,
                order_id,
                product,
                trial_end: Some((*until).into()),
                amount: Some(order.amount.into()),
            };
            NewEvent::new("stillpoint.checkout.subscription.trial_ending", key, &data)?
        }
        LifeFact::Paused { until } => {
            let data = events::SubscriptionPaused {
                subscription_id,
                user_id,
                order_id,
                product,
                paused_until: Some((*until).into()),
                opens: order.opens.names(),
            };
            NewEvent::new("stillpoint.checkout.subscription.paused", key, &data)?
        }
        LifeFact::Ended { at, cause } => {
            let data = events::SubscriptionCanceled {
                subscription_id,
                user_id,
                order_id,
                product,
                ended_at: Some((*at).into()),
                cause: cause.name().to_owned(),
                opens: order.opens.names(),
            };
            NewEvent::new("stillpoint.checkout.subscription.canceled", key, &data)?
        }
    };
    Ok(draft)
}

fn renewed(purchase: &Purchase, renewal: &Renewal) -> Result<NewEvent> {
    let data = events::SubscriptionRenewed {
        subscription_id: renewal.subscription_id.to_string(),
        user_id: purchase.order.user_id.to_string(),
        order_id: renewal.order_id.to_string(),
        payment_id: renewal.payment_id.to_string(),
        product: purchase.order.product.clone(),
        amount: Some(renewal.captured.into()),
        period_start: Some(renewal.covers_from.into()),
        current_period_end: Some(renewal.covers_until.into()),
        reason: renewal.kind.name().to_owned(),
        opens: purchase.order.opens.names(),
    };
    let key = renewal.subscription_id;
    Ok(NewEvent::new(
        "stillpoint.checkout.subscription.renewed",
        key,
        &data,
    )?)
}

fn past_due(purchase: &Purchase, arrears: &Arrears) -> Result<NewEvent> {
    let subscription_id = purchase.subscription.subscription_id;
    let data = events::SubscriptionPastDue {
        subscription_id: subscription_id.to_string(),
        user_id: purchase.order.user_id.to_string(),
        order_id: purchase.order.order_id.to_string(),
        product: purchase.order.product.clone(),
        code: arrears.code.clone(),
        amount: Some(arrears.amount.into()),
        access_until: Some(arrears.grace_until.into()),
        needs_new_card: arrears.needs_new_card(),
    };
    let subject = "stillpoint.checkout.subscription.past_due";
    Ok(NewEvent::new(subject, subscription_id, &data)?)
}

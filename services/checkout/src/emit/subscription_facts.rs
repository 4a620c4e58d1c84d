//! Events of a subscription after its initial payment.

use kit::clock::Clock;
use kit::outbox::NewEvent;
use proto::events::v1 as events;
use sqlx::PgConnection;

use super::append;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::renewal::Renewal;
use crate::domain::subscription::billing_state::SubscriptionFact;
use crate::domain::subscription::dunning::Dunning;
use crate::error::Result;

pub async fn facts(
    tx: &mut PgConnection,
    clock: &Clock,
    purchase: &SubscriptionOrder,
    facts: &[SubscriptionFact],
) -> Result<()> {
    for fact in facts {
        append(tx, clock, &purchase.order, draft_of(purchase, fact)?).await?;
    }
    Ok(())
}

fn draft_of(purchase: &SubscriptionOrder, fact: &SubscriptionFact) -> Result<NewEvent> {
    let SubscriptionOrder {
        order, subscription, ..
    } = purchase;
    let subscription_id = subscription.subscription_id.to_string();
    let user_id = order.user_id.to_string();
    let order_id = order.order_id.to_string();
    let product = order.product.clone();
    let key = subscription.subscription_id;
    let draft = match fact {
        SubscriptionFact::Renewed(renewal) => renewed(purchase, renewal)?,
        SubscriptionFact::PastDue(dunning) => past_due(purchase, dunning)?,
        SubscriptionFact::Recovered => {
            let data = events::SubscriptionRecovered {
                subscription_id,
                user_id,
                order_id,
                product,
            };
            NewEvent::new(key, &data)?
        }
        SubscriptionFact::TrialEnding { until } => {
            let data = events::SubscriptionTrialEnding {
                subscription_id,
                user_id,
                order_id,
                product,
                trial_end: Some((*until).into()),
                amount: Some(order.amount.into()),
            };
            NewEvent::new(key, &data)?
        }
        SubscriptionFact::Paused { until } => {
            let data = events::SubscriptionPaused {
                subscription_id,
                user_id,
                order_id,
                product,
                paused_until: Some((*until).into()),
                opens: order.opens.names(),
            };
            NewEvent::new(key, &data)?
        }
        SubscriptionFact::Ended { at, cause } => {
            let data = events::SubscriptionCanceled {
                subscription_id,
                user_id,
                order_id,
                product,
                ended_at: Some((*at).into()),
                cause: cause.name().to_owned(),
                opens: order.opens.names(),
            };
            NewEvent::new(key, &data)?
        }
    };
    Ok(draft)
}

fn renewed(purchase: &SubscriptionOrder, renewal: &Renewal) -> Result<NewEvent> {
    let data = events::SubscriptionRenewed {
        subscription_id: renewal.subscription_id.to_string(),
        user_id: purchase.order.user_id.to_string(),
        order_id: renewal.order_id.to_string(),
        payment_id: renewal.payment_id.to_string(),
        product: purchase.order.product.clone(),
        amount: Some(renewal.captured.into()),
        period_start: Some(renewal.period_start.into()),
        current_period_end: Some(renewal.period_end.into()),
        reason: renewal.kind.name().to_owned(),
        opens: purchase.order.opens.names(),
    };
    let key = renewal.subscription_id;
    Ok(NewEvent::new(key, &data)?)
}

fn past_due(purchase: &SubscriptionOrder, dunning: &Dunning) -> Result<NewEvent> {
    let subscription_id = purchase.subscription.subscription_id;
    let data = events::SubscriptionPastDue {
        subscription_id: subscription_id.to_string(),
        user_id: purchase.order.user_id.to_string(),
        order_id: purchase.order.order_id.to_string(),
        product: purchase.order.product.clone(),
        code: dunning.decline_code.clone(),
        amount: Some(dunning.amount.into()),
        access_until: Some(dunning.grace_until.into()),
        needs_new_card: dunning.needs_new_card(),
    };
    Ok(NewEvent::new(subscription_id, &data)?)
}

//! The approval page: its content, and the buyer's decision.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::{
    billing,
    buyers::Buyer,
    events::emit_subscription_event,
    provider::{Context, Paypal},
    subscription::{Status, Subscription},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approve(Buyer),
    Cancel,
}

#[derive(Debug, thiserror::Error)]
pub enum ApprovalError {
    #[error("there is no such subscription or sale")]
    NotFound,
    #[error("the subscription is not pending approval")]
    NotPending,
    #[error("the sale is not paid, or refunded or reversed already")]
    NotReversible,
}

impl Paypal {
    /// The content of the page, by approval token or subscription id.
    pub fn approval_page(&self, id: &str) -> Result<Value, ApprovalError> {
        let state = self.state();
        let subscription = state
            .subscriptions
            .newest_first()
            .find(|subscription| has_id_or_token(subscription, id))
            .ok_or(ApprovalError::NotFound)?;
        let buyers =
            Buyer::ALL.map(|buyer| json!({ "id": buyer, "email": buyer.email(), "about": buyer.about() }));
        let terms = &subscription.terms;
        let cycles = terms.cycles.iter().map(|cycle| {
            json!({ "price": terms.money(cycle.price), "every": format!("{} {}", cycle.count, cycle.unit), "times": cycle.total })
        });
        Ok(json!({
            "brand": subscription.application_context["brand_name"],
            "currency": terms.currency,
            "cycles": cycles.collect::<Vec<_>>(),
            "buyers": buyers,
        }))
    }

    /// Returns the ids and the return URL, as the script passes them to the page.
    pub fn decide(&self, id: &str, decision: Decision, now: i64) -> Result<Value, ApprovalError> {
        self.work(now, |ctx| {
            let subscription = ctx
                .state
                .subscriptions
                .newest_first()
                .find(|subscription| has_id_or_token(subscription, id))
                .ok_or(ApprovalError::NotFound)?;
            let (id, token) = (subscription.id.clone(), subscription.token.clone());
            let context = subscription.application_context.clone();
            let next = match decision {
                Decision::Cancel => "cancel_url",
                Decision::Approve(buyer) => {
                    approve(ctx, &id, buyer)?;
                    "return_url"
                }
            };
            Ok(json!({
                "subscriptionID": id,
                "billingToken": token,
                "redirect": redirect(&context[next], &id, &token),
            }))
        })
    }

    /// Sets the buyer of later payments.
    pub fn set_buyer(&self, id: &str, buyer: Buyer, now: i64) -> Result<(), ApprovalError> {
        self.work(now, |ctx| {
            let subscription = ctx
                .state
                .subscriptions
                .get_mut(id)
                .ok_or(ApprovalError::NotFound)?;
            subscription.buyer = Some(buyer);
            Ok(())
        })
    }
}

fn has_id_or_token(subscription: &Subscription, id: &str) -> bool {
    let revision = subscription.revision.as_ref();
    subscription.id == id || subscription.token == id || revision.is_some_and(|revision| revision.token == id)
}

fn approve(ctx: &mut Context<'_>, id: &str, buyer: Buyer) -> Result<(), ApprovalError> {
    let now = ctx.now;
    let subscription = ctx
        .state
        .subscriptions
        .get_mut(id)
        .ok_or(ApprovalError::NotFound)?;
    if subscription.status == Status::ApprovalPending {
        subscription.buyer = Some(buyer);
        if subscription.application_context["user_action"] == "CONTINUE" {
            subscription.set_status(Status::Approved, None, now);
        } else {
            billing::activate(ctx, id);
        }
        return Ok(());
    }
    let revision = subscription.revision.take().ok_or(ApprovalError::NotPending)?;
    subscription.plan_id = revision.plan_id;
    subscription.quantity = revision.quantity;
    subscription.completed = vec![0; revision.terms.cycles.len()];
    subscription.terms = revision.terms;
    // The new plan starts with the next payment, without another trial.
    for (completed, cycle) in subscription.completed.iter_mut().zip(&subscription.terms.cycles) {
        if cycle.tenure == "TRIAL" {
            *completed = cycle.total;
        }
    }
    subscription.anchor = subscription.next_billing.unwrap_or(now);
    subscription.updated = now;
    emit_subscription_event(ctx, "BILLING.SUBSCRIPTION.UPDATED", id);
    Ok(())
}

fn redirect(to: &Value, id: &str, token: &str) -> Option<String> {
    let mut url = Url::parse(to.as_str()?).ok()?;
    url.query_pairs_mut()
        .append_pair("subscription_id", id)
        .append_pair("ba_token", token)
        .append_pair("token", token);
    Some(url.into())
}

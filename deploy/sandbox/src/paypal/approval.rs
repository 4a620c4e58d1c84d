//! What a buyer decides on PayPal's page.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::{
    Ctx, Paypal, billing,
    buyers::Buyer,
    events::tell_of_subscription,
    subscription::{Status, Subscription},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approve(Buyer),
    Cancel,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("PayPal knows nothing of this id")]
    Unknown,
    #[error("there is nothing to agree to: the subscription is not waiting for its buyer")]
    NotWaiting,
    #[error("there is nothing to take back: it is not paid, or went back already")]
    NothingTaken,
}

impl Paypal {
    /// What the page shows. It is asked for by the token of an approval or the id of a subscription.
    pub fn waiting(&self, asked: &str) -> Result<Value, Refused> {
        let books = self.books();
        let subscription = books
            .subscriptions
            .newest_first()
            .find(|one| is_meant(one, asked))
            .ok_or(Refused::Unknown)?;
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

    /// Where the buyer is sent, and what the script hands to the page.
    pub fn decide(&self, asked: &str, decision: Decision, now: i64) -> Result<Value, Refused> {
        self.work(now, |ctx| {
            let subscription = ctx
                .books
                .subscriptions
                .newest_first()
                .find(|one| is_meant(one, asked))
                .ok_or(Refused::Unknown)?;
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

    /// Whose money pays from now on, for a test of what goes wrong later.
    pub fn hand_over(&self, id: &str, buyer: Buyer, now: i64) -> Result<(), Refused> {
        self.work(now, |ctx| {
            let subscription = ctx.books.subscriptions.get_mut(id).ok_or(Refused::Unknown)?;
            subscription.buyer = Some(buyer);
            Ok(())
        })
    }
}

fn is_meant(subscription: &Subscription, asked: &str) -> bool {
    let revision = subscription.revision.as_ref();
    subscription.id == asked
        || subscription.token == asked
        || revision.is_some_and(|revision| revision.token == asked)
}

fn approve(ctx: &mut Ctx<'_>, id: &str, buyer: Buyer) -> Result<(), Refused> {
    let now = ctx.now;
    let subscription = ctx.books.subscriptions.get_mut(id).ok_or(Refused::Unknown)?;
    if subscription.status == Status::ApprovalPending {
        subscription.buyer = Some(buyer);
        if subscription.application_context["user_action"] == "CONTINUE" {
            subscription.set_status(Status::Approved, None, now);
        } else {
            billing::activate(ctx, id);
        }
        return Ok(());
    }
    let revision = subscription.revision.take().ok_or(Refused::NotWaiting)?;
    subscription.plan_id = revision.plan_id;
    subscription.quantity = revision.quantity;
    subscription.done = vec![0; revision.terms.cycles.len()];
    subscription.terms = revision.terms;
    // The new plan begins with the next payment; trials are not given twice.
    for (done, cycle) in subscription.done.iter_mut().zip(&subscription.terms.cycles) {
        if cycle.tenure == "TRIAL" {
            *done = cycle.total;
        }
    }
    subscription.anchor = subscription.next_billing.unwrap_or(now);
    subscription.updated = now;
    tell_of_subscription(ctx, "BILLING.SUBSCRIPTION.UPDATED", id);
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

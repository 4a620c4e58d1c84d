//! A subscription: as stored, and as PayPal's JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    buyers::Buyer,
    plan_terms::{Cycle, Terms},
    provider::PaypalProvider,
};
use crate::engine::calendar::rfc3339;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    ApprovalPending,
    Approved,
    Active,
    Suspended,
    Cancelled,
    Expired,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Subscription {
    pub id: String,
    /// Identifies the subscription on the approval page.
    pub token: String,
    pub status: Status,
    pub status_at: i64,
    pub status_note: Option<String>,
    pub plan_id: String,
    pub is_overridden: bool,
    pub terms: Terms,
    pub quantity: i64,
    pub custom_id: Option<String>,
    pub subscriber: Value,
    pub application_context: Value,
    pub created: i64,
    pub updated: i64,
    pub start: i64,
    pub buyer: Option<Buyer>,
    /// Completed periods of each billing cycle.
    pub completed: Vec<i64>,
    /// Start of the current billing cycle.
    pub anchor: i64,
    pub next_billing: Option<i64>,
    pub retry: Option<Retry>,
    pub failures: i64,
    pub outstanding: i64,
    pub last_payment: Option<Attempt>,
    pub last_failure: Option<Attempt>,
    /// A change of plan that the buyer has not approved yet.
    pub revision: Option<Revision>,
    pub sales: Vec<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Retry {
    pub at: i64,
    pub attempts_left: u32,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Attempt {
    pub minor: i64,
    pub at: i64,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Revision {
    pub token: String,
    pub plan_id: String,
    pub terms: Terms,
    pub quantity: i64,
}

impl Subscription {
    pub fn set_status(&mut self, status: Status, note: Option<&str>, now: i64) {
        self.status = status;
        self.status_note = note.map(ToOwned::to_owned);
        self.status_at = now;
        self.updated = now;
        if status != Status::Active {
            self.retry = None;
        }
        if matches!(status, Status::Cancelled | Status::Expired) {
            self.next_billing = None;
        }
    }

    /// The current billing cycle and its index.
    pub fn current_cycle(&self) -> Option<(usize, &Cycle)> {
        let is_current =
            |(index, cycle): &(usize, &Cycle)| cycle.total == 0 || self.completed[*index] < cycle.total;
        self.terms.cycles.iter().enumerate().find(is_current)
    }

    /// The next renewal or retry.
    pub fn next_timer(&self) -> Option<i64> {
        if self.status != Status::Active {
            return None;
        }
        let retry = self.retry.map(|retry| retry.at);
        retry.into_iter().chain(self.next_billing).min()
    }

    pub fn links(&self, provider: &PaypalProvider) -> Value {
        let own = format!("{}/v1/billing/subscriptions/{}", provider.url, self.id);
        let link =
            |rel: &str, href: String, method: &str| json!({ "href": href, "rel": rel, "method": method });
        let post = |verb: &str| link(verb, format!("{own}/{verb}"), "POST");
        let mut links = match self.status {
            Status::ApprovalPending => vec![link("approve", provider.approval_url(&self.token), "GET")],
            Status::Approved => vec![post("activate")],
            Status::Active => vec![post("cancel"), post("suspend"), post("capture")],
            Status::Suspended => vec![post("cancel"), post("activate"), post("capture")],
            Status::Cancelled | Status::Expired => Vec::new(),
        };
        links.push(link("edit", own.clone(), "PATCH"));
        links.push(link("self", own, "GET"));
        links.into()
    }

    /// The response without `Prefer: return=representation`.
    pub fn minimal_json(&self, provider: &PaypalProvider) -> Value {
        json!({
            "status": self.status, "id": self.id, "create_time": rfc3339(self.created), "links": self.links(provider),
        })
    }

    pub fn to_json(&self, provider: &PaypalProvider) -> Value {
        let mut json = json!({
            "status": self.status,
            "status_update_time": rfc3339(self.status_at),
            "id": self.id,
            "plan_id": self.plan_id,
            "start_time": rfc3339(self.start),
            "quantity": self.quantity.to_string(),
            "shipping_amount": self.money(0),
            "subscriber": self.subscriber_json(),
            "create_time": rfc3339(self.created),
            "update_time": rfc3339(self.updated),
            "plan_overridden": self.is_overridden,
            "links": self.links(provider),
        });
        if let Some(note) = &self.status_note {
            json["status_change_note"] = note.as_str().into();
        }
        if let Some(custom) = &self.custom_id {
            json["custom_id"] = custom.as_str().into();
        }
        if self.buyer.is_some() {
            json["billing_info"] = self.billing_info();
        }
        json
    }

    fn subscriber_json(&self) -> Value {
        let Some(buyer) = self.buyer else {
            return self.subscriber.clone();
        };
        let mut subscriber =
            json!({ "email_address": buyer.email(), "payer_id": buyer.payer_id(), "name": buyer.name() });
        if let Some(given) = self.subscriber.get("shipping_address") {
            subscriber["shipping_address"] = given.clone();
        }
        subscriber
    }

    fn billing_info(&self) -> Value {
        let executions: Vec<_> = self
            .terms
            .cycles
            .iter()
            .enumerate()
            .map(|(index, cycle)| {
                json!({
                    "tenure_type": cycle.tenure, "sequence": index + 1, "cycles_completed": self.completed[index],
                    "cycles_remaining": (cycle.total - self.completed[index]).max(0),
                    "current_pricing_scheme_version": 1, "total_cycles": cycle.total,
                })
            })
            .collect();
        let mut info = json!({
            "outstanding_balance": self.money(self.outstanding),
            "cycle_executions": executions,
            "failed_payments_count": self.failures,
        });
        if let Some(last) = self.last_payment {
            info["last_payment"] = json!({ "amount": self.money(last.minor), "time": rfc3339(last.at) });
        }
        if let Some(last) = self.last_failure {
            info["last_failed_payment"] = json!({
                "amount": self.money(last.minor), "time": rfc3339(last.at), "reason_code": "PAYMENT_DENIED",
            });
            if let Some(retry) = self.retry {
                info["last_failed_payment"]["next_payment_retry_time"] = rfc3339(retry.at).into();
            }
        }
        if let Some(next) = self.next_billing.filter(|_| self.status == Status::Active) {
            info["next_billing_time"] = rfc3339(next).into();
        }
        info
    }

    pub fn money(&self, minor: i64) -> Value {
        json!({ "currency_code": self.terms.currency, "value": self.terms.money(minor) })
    }
}

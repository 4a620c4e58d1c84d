//! The supported kinds of Stripe objects, and their id formats.

use serde::{Deserialize, Serialize};

pub use crate::engine::ids::random;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Customer,
    Product,
    Price,
    Coupon,
    PaymentMethod,
    PaymentIntent,
    SetupIntent,
    Subscription,
    SubscriptionSchedule,
    Invoice,
    InvoicePayment,
    Charge,
    Refund,
    Dispute,
    Event,
    WebhookEndpoint,
}

impl Kind {
    pub const ALL: [Self; 16] = [
        Self::Customer,
        Self::Product,
        Self::Price,
        Self::Coupon,
        Self::PaymentMethod,
        Self::PaymentIntent,
        Self::SetupIntent,
        Self::Subscription,
        Self::SubscriptionSchedule,
        Self::Invoice,
        Self::InvoicePayment,
        Self::Charge,
        Self::Refund,
        Self::Dispute,
        Self::Event,
        Self::WebhookEndpoint,
    ];

    /// What Stripe writes into `object`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Product => "product",
            Self::Price => "price",
            Self::Coupon => "coupon",
            Self::PaymentMethod => "payment_method",
            Self::PaymentIntent => "payment_intent",
            Self::SetupIntent => "setup_intent",
            Self::Subscription => "subscription",
            Self::SubscriptionSchedule => "subscription_schedule",
            Self::Invoice => "invoice",
            Self::InvoicePayment => "invoice_payment",
            Self::Charge => "charge",
            Self::Refund => "refund",
            Self::Dispute => "dispute",
            Self::Event => "event",
            Self::WebhookEndpoint => "webhook_endpoint",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Customer => "cus",
            Self::Product => "prod",
            Self::Price => "price",
            // A coupon's id is a code: nothing in it names its kind.
            Self::Coupon => "",
            Self::PaymentMethod => "pm",
            Self::PaymentIntent => "pi",
            Self::SetupIntent => "seti",
            Self::Subscription => "sub",
            Self::SubscriptionSchedule => "sub_sched",
            Self::Invoice => "in",
            Self::InvoicePayment => "inpay",
            Self::Charge => "ch",
            Self::Refund => "re",
            Self::Dispute => "du",
            Self::Event => "evt",
            Self::WebhookEndpoint => "we",
        }
    }

    /// The name in Stripe's messages: "No such setupintent: …".
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::PaymentMethod => "PaymentMethod",
            Self::SetupIntent => "setupintent",
            _ => self.name(),
        }
    }

    /// The `param` of an error about an id in the URL.
    pub const fn url_param(self) -> &'static str {
        match self {
            Self::PaymentIntent | Self::SetupIntent => "intent",
            Self::PaymentMethod => "payment_method",
            Self::SubscriptionSchedule => "schedule",
            Self::Coupon => "coupon",
            _ => "id",
        }
    }

    pub fn new_id(self) -> String {
        match self {
            Self::Customer | Self::Product => format!("{}_{}", self.prefix(), random(14)),
            Self::Coupon => random(8),
            Self::PaymentIntent | Self::Charge | Self::Refund => format!("{}_3{}", self.prefix(), random(23)),
            _ => format!("{}_1{}", self.prefix(), random(23)),
        }
    }

    pub fn of_id(id: &str) -> Option<Self> {
        let (prefix, _) = id.rsplit_once('_')?;
        let mut kinds = Self::ALL.into_iter().filter(|kind| *kind != Self::Coupon);
        kinds.find(|kind| kind.prefix() == prefix)
    }

    /// The `url` of a list object.
    pub fn url(self) -> String {
        format!("/v1/{}s", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_is_read_from_an_id() {
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Coupon) {
            assert_eq!(Kind::of_id(&kind.new_id()), Some(kind));
        }
        for code in [Kind::Coupon.new_id().as_str(), "_SPRING"] {
            assert_eq!(Kind::of_id(code), None, "{code}");
        }
        assert_eq!(Kind::of_id("si_123"), None);
    }
}

//! Ids that checkout issues, and the member id that auth issues.

use std::fmt;

use chrono::{DateTime, Utc};

kit::typed_id! {
    /// A campaign: what is sold, for how long, with which trial.
    pub CampaignId = "cmp";
    /// One campaign, with or without a coupon, in one currency. The browser buys by this id.
    pub PriceId = "prc";
    /// One price quote.
    pub QuoteId = "quo";
    /// One purchase.
    pub OrderId = "ord";
    /// One survey begun, and what follows from it.
    pub SurveyOrderId = "svo";
    /// The playlist made for a survey's answers.
    pub PlaylistId = "pls";
    /// What a purchase gives access by.
    pub SubscriptionId = "sbn";
    /// One attempt to pay for an order.
    pub PaymentId = "pay";
    /// A hosted checkout session of a provider.
    pub HostedCheckoutId = "hco";
    /// A refund.
    pub RefundId = "rfd";
    /// A requested change of a subscription.
    pub ChangeId = "chg";
    /// One declared withdrawal from a contract.
    pub WithdrawalId = "wdr";
    /// One ledger posting.
    pub PostingId = "bkg";
}

/// A member's id as issued by the auth service; opaque here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(String);

impl UserId {
    const LENGTH_MAX: usize = 64;
    const ANONYMIZED: &str = "erased_";
    const GUEST: &str = "guest_";

    /// `None` when the text cannot be an id of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        (plain && !text.is_empty() && text.len() <= Self::LENGTH_MAX).then(|| Self(text.to_owned()))
    }

    /// The id that replaces an erased member.
    pub fn anonymized(now: DateTime<Utc>) -> Self {
        Self(format!(
            "{}{}",
            Self::ANONYMIZED,
            kit::ids::new_uuid(now).simple()
        ))
    }

    pub fn is_anonymized(&self) -> bool {
        self.0.starts_with(Self::ANONYMIZED)
    }

    /// The id of a guest: a buyer without an account, valid for one order.
    pub fn guest(order_id: OrderId) -> Self {
        Self(format!("{}{}", Self::GUEST, order_id.as_uuid().simple()))
    }

    pub fn is_guest(&self) -> bool {
        self.0.starts_with(Self::GUEST)
    }

    /// `None` for a member.
    pub fn order_of_guest(&self) -> Option<OrderId> {
        let order_id = self.0.strip_prefix(Self::GUEST)?;
        uuid::Uuid::try_parse(order_id).ok().map(OrderId::from_uuid)
    }

    /// The id in events; empty for a guest.
    pub fn public_id(&self) -> String {
        if self.is_guest() {
            String::new()
        } else {
            self.0.clone()
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

//! The identities checkout hands out, and the one it is given.

use std::fmt;

use chrono::{DateTime, Utc};

kit::typed_id! {
    /// A campaign: what is sold, for how long, with which trial.
    pub CampaignId = "cmp";
    /// One campaign, with or without a coupon, in one currency. The browser buys by this id.
    pub PriceId = "prc";
    /// One time somebody was told a price.
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
    /// A page of a provider that is open for a member to pay.
    pub PageId = "ppg";
    /// Money on its way back to a buyer.
    pub RefundId = "rfd";
    /// Something a member wants of a subscription.
    pub WishId = "wsh";
    /// One declaration that somebody withdraws from a contract.
    pub WithdrawalId = "wdr";
    /// One transaction of the ledger.
    pub BookingId = "bkg";
}

/// A member, as the auth service names them: opaque here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(String);

impl UserId {
    const LENGTH_MAX: usize = 64;
    const NOBODY: &str = "erased_";
    const GUEST: &str = "guest_";

    /// `None` when the text cannot be an id of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        (plain && !text.is_empty() && text.len() <= Self::LENGTH_MAX).then(|| Self(text.to_owned()))
    }

    /// Stands in the place of somebody who is erased.
    pub fn nobody(now: DateTime<Utc>) -> Self {
        Self(format!("{}{}", Self::NOBODY, kit::ids::new_uuid(now).simple()))
    }

    pub fn is_nobody(&self) -> bool {
        self.0.starts_with(Self::NOBODY)
    }

    /// Somebody who buys without signing in: an id for that one order.
    pub fn guest(order_id: OrderId) -> Self {
        Self(format!("{}{}", Self::GUEST, order_id.as_uuid().simple()))
    }

    pub fn is_guest(&self) -> bool {
        self.0.starts_with(Self::GUEST)
    }

    /// `None`: they are no guest.
    pub fn order_of_guest(&self) -> Option<OrderId> {
        let order_id = self.0.strip_prefix(Self::GUEST)?;
        uuid::Uuid::try_parse(order_id).ok().map(OrderId::from_uuid)
    }

    /// As others are told of it; a guest is nobody they know.
    pub fn outside(&self) -> String {
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

//! Payment providers by id, and what a provider can do.

/// The stored identifier. Flows and rules ask for [`Capabilities`], never for a particular provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// Cards and wallets, on our own page.
    Stripe,
    /// Subscriptions that the buyer approves at PayPal.
    Paypal,
    /// Cards of Russia, in a widget.
    Yookassa,
    /// Cards of Russia, on the provider's page.
    Platron,
}

/// What a provider can do, whether or not it is configured: stored orders name it.
#[derive(Debug, PartialEq, Eq)]
pub struct Capabilities {
    pub checkout: CheckoutMode,
    pub renewals: RenewalMode,
    /// Changes of a subscription, in the order in which they are listed. `TerminateNow` is supported by every provider.
    pub changes: &'static [ChangeKind],
    pub features: &'static [Feature],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// A subscription can begin without a payment.
    FreeTrials,
    /// It stores our customers. Deleting a customer ends the customer's subscriptions.
    Customers,
    /// A subscription here excludes a new one at another provider.
    ExclusiveSubscription,
    /// The event map has events of its captures and failures.
    PaymentEvents,
}

impl Capabilities {
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }
}

/// A change of a subscription that a member can request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Cancel,
    Reactivate,
    Card,
    Pause,
    Resume,
    Plan,
    CancelScheduledPlan,
    TerminateNow,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Reactivate => "keep",
            Self::Card => "card",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Plan => "plan",
            Self::CancelScheduledPlan => "keep_plan",
            Self::TerminateNow => "end",
        }
    }
}

/// Where a buyer pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutMode {
    /// With a card that our page collects.
    OwnPage,
    /// The buyer approves a subscription at the provider; then it is linked.
    Approval,
    /// On the provider's page or in its widget, one period at a time.
    Hosted,
}

/// Who initiates the charges of renewals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenewalMode {
    ProviderBilled,
    /// Checkout requests each charge of a saved payment method.
    MerchantBilled,
}

const STRIPE: Capabilities = Capabilities {
    checkout: CheckoutMode::OwnPage,
    renewals: RenewalMode::ProviderBilled,
    changes: &[
        ChangeKind::Cancel,
        ChangeKind::Reactivate,
        ChangeKind::Card,
        ChangeKind::Pause,
        ChangeKind::Resume,
        ChangeKind::Plan,
        ChangeKind::CancelScheduledPlan,
    ],
    features: &[Feature::FreeTrials, Feature::Customers],
};

/// PayPal manages its buyers' cards itself, and a cancellation there is final.
const PAYPAL: Capabilities = Capabilities {
    checkout: CheckoutMode::Approval,
    renewals: RenewalMode::ProviderBilled,
    changes: &[ChangeKind::Cancel, ChangeKind::Pause, ChangeKind::Resume],
    features: &[Feature::FreeTrials],
};

/// Another card would be another payment by its owner. A payment method is saved only with a payment, so there are no free trials.
const YOOKASSA: Capabilities = Capabilities {
    checkout: CheckoutMode::Hosted,
    renewals: RenewalMode::MerchantBilled,
    changes: &[
        ChangeKind::Cancel,
        ChangeKind::Reactivate,
        ChangeKind::Pause,
        ChangeKind::Resume,
    ],
    features: &[Feature::ExclusiveSubscription],
};

/// As YooKassa, and with events of its own in the event map.
const PLATRON: Capabilities = Capabilities {
    features: &[Feature::ExclusiveSubscription, Feature::PaymentEvents],
    ..YOOKASSA
};

impl Provider {
    pub const ALL: [Self; 4] = [Self::Stripe, Self::Paypal, Self::Yookassa, Self::Platron];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
            Self::Paypal => "paypal",
            Self::Yookassa => "yookassa",
            Self::Platron => "platron",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    pub fn capabilities(self) -> &'static Capabilities {
        match self {
            Self::Stripe => &STRIPE,
            Self::Paypal => &PAYPAL,
            Self::Yookassa => &YOOKASSA,
            Self::Platron => &PLATRON,
        }
    }

    pub fn is_merchant_initiated(self) -> bool {
        self.capabilities().renewals == RenewalMode::MerchantBilled
    }

    pub fn has(self, feature: Feature) -> bool {
        self.capabilities().has(feature)
    }

    pub fn names_with(feature: Feature) -> Vec<&'static str> {
        let found = Self::ALL.into_iter().filter(|it| it.has(feature));
        found.map(Self::name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_read_as_they_are_written() {
        for provider in Provider::ALL {
            assert_eq!(Provider::named(provider.name()), Some(provider));
        }
        assert_eq!(Provider::named("barter"), None);
    }
}

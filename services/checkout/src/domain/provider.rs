//! Payment providers.

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

    /// Renewals are merchant-initiated: checkout requests each charge.
    pub fn is_merchant_initiated(self) -> bool {
        matches!(self, Self::Yookassa | Self::Platron)
    }

    /// A subscription here excludes a new one at another provider.
    pub fn is_russian(self) -> bool {
        matches!(self, Self::Yookassa | Self::Platron)
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

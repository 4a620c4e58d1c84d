//! Who takes money for us.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    Stripe,
}

impl Provider {
    pub const ALL: [Self; 1] = [Self::Stripe];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
        }
    }
}

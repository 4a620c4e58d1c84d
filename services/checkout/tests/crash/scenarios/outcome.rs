//! The scenarios: provider, counted calls and expected outcome of each.

use checkout::domain::provider::Provider;

use crate::fake_provider::STRIPE;

pub const CHANGES: &str = "select count(*) from payment where kind = 'change' and state = 'succeeded'";
pub const RENEWALS: &str = "select count(*) from payment where kind = 'renewal'";
const ACTIVE: &str = "select count(*) from subscription where state = 'active'";
const GIVEN_BACK: &str = "select count(*) from refund where reason = 'requested' and state = 'succeeded'";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    OneTime,
    /// The bank asks the buyer.
    OneTimeAsked,
    MonthAsked,
    PaidTrial,
    Addition,
    Survey,
    Yookassa,
    PlatronGift,
    Paypal,
    Cancel,
    Plan,
    LaterPlan,
    Card,
    /// As the provider renews it.
    Renewal,
    /// As we do.
    YookassaRenewal,
    PlatronRenewal,
    /// Another card pays what the one before did not.
    Overdue,
    Refund,
    YookassaRefund,
    PlatronRefund,
    PaypalRefund,
    Withdrawal,
    /// Paid although the buyer owns the product already; refunded without a request.
    DuplicateCapture,
}

/// The exact expected counts. Captures and refunds are counted at the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub orders: usize,
    /// Initial payments, at any provider.
    pub paid: usize,
    pub paid_events: usize,
    pub taken: usize,
    pub renewed_events: usize,
    pub recovered_events: usize,
    pub refunds: usize,
    pub given_back: usize,
    pub refund_events: usize,
    /// At Stripe.
    pub subscriptions: usize,
    /// Of what it is about.
    pub done: usize,
}

const BOUGHT_ONCE: Outcome = Outcome {
    orders: 1,
    paid: 1,
    paid_events: 1,
    taken: 1,
    renewed_events: 0,
    recovered_events: 0,
    refunds: 0,
    given_back: 0,
    refund_events: 0,
    subscriptions: 0,
    done: 1,
};

const SUBSCRIBED: Outcome = Outcome {
    subscriptions: 1,
    ..BOUGHT_ONCE
};

impl Outcome {
    pub fn times(self, count: usize) -> Self {
        self.zip(self, |each, _| each * count)
    }

    pub fn reaches(self, other: Self) -> bool {
        self.zip(other, usize::min) == other
    }

    const fn given_back(self) -> Self {
        Self {
            refunds: 1,
            given_back: 1,
            refund_events: 1,
            ..self
        }
    }

    fn zip(self, other: Self, both: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            orders: both(self.orders, other.orders),
            paid: both(self.paid, other.paid),
            paid_events: both(self.paid_events, other.paid_events),
            taken: both(self.taken, other.taken),
            renewed_events: both(self.renewed_events, other.renewed_events),
            recovered_events: both(self.recovered_events, other.recovered_events),
            refunds: both(self.refunds, other.refunds),
            given_back: both(self.given_back, other.given_back),
            refund_events: both(self.refund_events, other.refund_events),
            subscriptions: both(self.subscriptions, other.subscriptions),
            done: both(self.done, other.done),
        }
    }
}

impl Scenario {
    pub fn provider(self) -> Provider {
        match self {
            Self::Yookassa | Self::YookassaRenewal | Self::YookassaRefund => Provider::Yookassa,
            Self::PlatronGift | Self::PlatronRenewal | Self::PlatronRefund => Provider::Platron,
            Self::Paypal | Self::PaypalRefund => Provider::Paypal,
            _ => Provider::Stripe,
        }
    }

    pub fn providers(self) -> &'static str {
        match self.provider() {
            Provider::Stripe => "stripe",
            Provider::Yookassa => "stripe,yookassa",
            Provider::Platron => "stripe,platron",
            Provider::Paypal => "stripe,paypal",
        }
    }

    pub fn calls(self) -> &'static str {
        match self.provider() {
            Provider::Stripe => STRIPE,
            Provider::Yookassa => "/yookassa/v3/*",
            Provider::Platron => "/platron/*",
            Provider::Paypal => "/paypal/*",
        }
    }

    /// The same buyer does it again and again, a month on each time.
    pub fn is_of_one_buyer(self) -> bool {
        matches!(self, Self::Renewal | Self::Overdue)
    }

    /// Of one who has done it once.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::OneTime | Self::OneTimeAsked | Self::Yookassa | Self::PlatronGift | Self::Paypal => {
                BOUGHT_ONCE
            }
            Self::MonthAsked | Self::Survey | Self::Cancel | Self::Card => SUBSCRIBED,
            Self::PaidTrial => Outcome {
                orders: 2,
                ..SUBSCRIBED
            },
            Self::Addition => Outcome {
                orders: 2,
                paid: 2,
                paid_events: 2,
                taken: 2,
                ..SUBSCRIBED
            },
            // The annual plan of the later one was charged for before.
            Self::Plan | Self::LaterPlan | Self::Renewal => Outcome {
                taken: 2,
                renewed_events: 1,
                ..SUBSCRIBED
            },
            Self::Overdue => Outcome {
                taken: 2,
                renewed_events: 1,
                recovered_events: 1,
                ..SUBSCRIBED
            },
            Self::YookassaRenewal | Self::PlatronRenewal => Outcome {
                taken: 2,
                renewed_events: 1,
                ..BOUGHT_ONCE
            },
            Self::Refund | Self::Withdrawal => SUBSCRIBED.given_back(),
            Self::YookassaRefund | Self::PlatronRefund | Self::PaypalRefund => BOUGHT_ONCE.given_back(),
            Self::DuplicateCapture => Outcome {
                orders: 2,
                paid: 2,
                taken: 2,
                ..SUBSCRIBED.given_back()
            },
        }
    }

    /// How often it was done.
    pub fn done(self) -> &'static str {
        match self {
            Self::OneTime | Self::OneTimeAsked => {
                "select count(*) from orders where kind = 'one_time' and state = 'paid'"
            }
            Self::Addition => "select count(*) from orders where kind = 'addition' and state = 'paid'",
            Self::Survey => "select count(*) from survey_order where paid_at is not null",
            Self::MonthAsked | Self::Yookassa | Self::Paypal => ACTIVE,
            Self::PaidTrial => "select count(*) from subscription where state = 'trialing'",
            Self::PlatronGift => {
                "select count(*) from outbox where event->>'type' like '%platron_payment.captured'"
            }
            Self::Cancel => {
                "select count(distinct subscription_id) from subscription_change where kind = 'cancel' and state = 'done'"
            }
            Self::Card => {
                "select count(distinct subscription_id) from subscription_change where kind = 'card' and state = 'done'"
            }
            Self::Plan => CHANGES,
            Self::LaterPlan => "select count(*) from billing_state where next_plan_price_id is not null",
            Self::Renewal | Self::Overdue | Self::YookassaRenewal | Self::PlatronRenewal => RENEWALS,
            Self::Refund | Self::YookassaRefund | Self::PlatronRefund | Self::PaypalRefund => GIVEN_BACK,
            Self::Withdrawal => {
                "select count(*) from outbox where event->>'type' like '%withdrawal.accepted'"
            }
            Self::DuplicateCapture => {
                "select count(*) from refund where reason = 'excess' and state = 'succeeded'"
            }
        }
    }
}

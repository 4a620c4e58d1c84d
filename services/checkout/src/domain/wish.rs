//! What a member may want of their subscription, and when it makes sense.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::arrears::Arrears;
use super::campaign::Terms;
use super::ids::{PriceId, SubscriptionId, WishId};
use super::life::{Life, NextPlan};
use super::provider::Provider;
use super::subscription::SubscriptionState;

/// Three months, whichever they are.
pub const PAUSE_MAX: TimeDelta = TimeDelta::days(92);
/// How long what a plan costs is kept as it was shown.
pub const PREVIEW_LIVES: TimeDelta = TimeDelta::minutes(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// At the end of what is paid; of an unpaid renewal, now.
    Cancel,
    /// Not to cancel after all.
    Keep,
    /// Another card, which pays what is overdue at once.
    Card {
        payment_method_id: String,
    },
    /// The periods that begin before then are skipped.
    Pause {
        until: DateTime<Utc>,
    },
    Resume,
    /// A dearer plan at once, for the difference that was shown; a cheaper one when the paid time ends, for nothing now.
    Plan {
        price_id: PriceId,
        prorated_at: DateTime<Utc>,
        shown: Money,
    },
    /// Not to change to the cheaper plan after all.
    KeepPlan,
    /// At once, whatever is paid for: the contract was withdrawn from.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishKind {
    Cancel,
    Keep,
    Card,
    Pause,
    Resume,
    Plan,
    KeepPlan,
    End,
}

impl WishKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Keep => "keep",
            Self::Card => "card",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Plan => "plan",
            Self::KeepPlan => "keep_plan",
            Self::End => "end",
        }
    }
}

impl Wish {
    pub fn kind(&self) -> WishKind {
        match self {
            Self::Cancel => WishKind::Cancel,
            Self::Keep => WishKind::Keep,
            Self::Card { .. } => WishKind::Card,
            Self::Pause { .. } => WishKind::Pause,
            Self::Resume => WishKind::Resume,
            Self::Plan { .. } => WishKind::Plan,
            Self::KeepPlan => WishKind::KeepPlan,
            Self::End => WishKind::End,
        }
    }

    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}

/// What members can have of the provider that takes the money. PayPal's buyers keep their cards there, and what was cancelled
/// there stays so.
fn offered(provider: Provider) -> &'static [WishKind] {
    use WishKind::{Cancel, Card, Keep, KeepPlan, Pause, Plan, Resume};

    match provider {
        Provider::Stripe => &[Cancel, Keep, Card, Pause, Resume, Plan, KeepPlan],
        Provider::Paypal => &[Cancel, Pause, Resume],
        // Another card would be another payment of its owner's.
        Provider::Yookassa | Provider::Platron => &[Cancel, Keep, Pause, Resume],
    }
}

/// Whoever withdraws from a contract is asked for nothing more, whoever takes the money.
pub fn check_offered(provider: Provider, kind: WishKind) -> Result<(), Refusal> {
    if kind == WishKind::End || offered(provider).contains(&kind) {
        Ok(())
    } else {
        Err(Refusal::NotOffered)
    }
}

/// What a member can wish now, and would change something.
pub fn wishes(
    provider: Provider,
    state: &SubscriptionState,
    life: &Life,
    now: DateTime<Utc>,
) -> Vec<WishKind> {
    let is_asked = |wish: &Wish| decide(wish, state, life, now) == Ok(Next::Ask);
    let goes_on = check_settled(state, life).is_ok() && life.paused_until.is_none();
    let makes_sense = |kind: &WishKind| match kind {
        WishKind::Cancel => is_asked(&Wish::Cancel),
        WishKind::Keep => is_asked(&Wish::Keep),
        WishKind::Resume => is_asked(&Wish::Resume),
        WishKind::Card => true,
        WishKind::KeepPlan => is_asked(&Wish::KeepPlan),
        WishKind::Pause => goes_on && life.scheduled().is_none() && can_skip_a_period(state, now),
        WishKind::Plan => goes_on,
        WishKind::End => false,
    };
    if state.has_ended() || *state == SubscriptionState::Incomplete {
        return Vec::new();
    }
    offered(provider).iter().copied().filter(makes_sense).collect()
}

/// A pause within what is paid for changes nothing. Pages offer whole months, and three of them may be 89 days.
fn can_skip_a_period(state: &SubscriptionState, now: DateTime<Utc>) -> bool {
    let latest = now + PAUSE_MAX - TimeDelta::days(4);
    state.period_end().is_some_and(|end| end < latest)
}

/// Another period is charged when this one ends. What is paused goes on afterwards.
pub fn renews(state: &SubscriptionState, life: &Life) -> bool {
    let has_begun = !state.has_ended() && *state != SubscriptionState::Incomplete;
    has_begun && life.cancel_at.is_none()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WishState {
    /// The provider may or may not have heard of it.
    Open,
    Done {
        at: DateTime<Utc>,
    },
    Refused {
        code: String,
        at: DateTime<Utc>,
    },
}

/// A wish that is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWish {
    pub wish_id: WishId,
    pub subscription_id: SubscriptionId,
    pub wish: Wish,
    pub idempotency_key: String,
    pub state: WishState,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Ask,
    /// It is so already.
    Nothing,
}

/// Why a wish makes no sense now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    NotBegun,
    /// Whoever takes the money cannot do it.
    NotOffered,
    Ended,
    /// What is overdue comes first.
    PastDue,
    /// It ends soon: it must be kept first.
    Ending,
    Paused,
    /// Another plan follows: that must be undone first.
    PlanScheduled,
    /// Only what is paid for can be paused or changed.
    OnTrial,
    PauseTooLong,
    PreviewExpired,
}

pub fn decide(
    wish: &Wish,
    state: &SubscriptionState,
    life: &Life,
    now: DateTime<Utc>,
) -> Result<Next, Refusal> {
    match state {
        SubscriptionState::Incomplete => return Err(Refusal::NotBegun),
        SubscriptionState::Canceled { .. } | SubscriptionState::Expired { .. } => return Err(Refusal::Ended),
        _ => {}
    }
    let ask_unless = |is_so: bool| if is_so { Next::Nothing } else { Next::Ask };
    match wish {
        Wish::Cancel => Ok(ask_unless(life.cancel_at.is_some() && life.arrears.is_none())),
        Wish::Keep => Ok(ask_unless(life.cancel_at.is_none())),
        Wish::Card { .. } | Wish::End => Ok(Next::Ask),
        Wish::Resume => Ok(ask_unless(life.paused_until.is_none())),
        Wish::Pause { until } => {
            check_settled(state, life)?;
            if life.scheduled().is_some() {
                return Err(Refusal::PlanScheduled);
            }
            if *until <= now || *until > now + PAUSE_MAX {
                return Err(Refusal::PauseTooLong);
            }
            Ok(ask_unless(life.paused_until == Some(*until)))
        }
        Wish::KeepPlan => Ok(ask_unless(life.scheduled().is_none())),
        Wish::Plan {
            price_id,
            prorated_at,
            shown,
        } => {
            check_settled(state, life)?;
            if life.paused_until.is_some() {
                return Err(Refusal::Paused);
            }
            let scheduled = life.scheduled();
            let is_so = scheduled.map(|next| next.price_id).or(life.plan_price_id);
            if is_so == Some(*price_id) {
                return Ok(Next::Nothing);
            }
            if scheduled.is_some() && shown.minor > 0 {
                return Err(Refusal::PlanScheduled);
            }
            if *prorated_at > now || *prorated_at < now - PREVIEW_LIVES {
                return Err(Refusal::PreviewExpired);
            }
            Ok(Next::Ask)
        }
    }
}

/// A life after the provider has done what was wished; `next_plan` is what was scheduled by it, and `now` is after its answer.
#[must_use]
pub fn done(life: Life, wish: &Wish, next_plan: Option<NextPlan>, now: DateTime<Utc>) -> Life {
    match (wish, next_plan) {
        // The new card pays at once what the old one did not.
        (Wish::Card { .. }, _) => Life {
            arrears: life.arrears.map(tried_anew),
            ..life
        },
        // The one before it has begun when this one follows it.
        (Wish::Plan { .. }, Some(next)) => Life {
            plan_price_id: life
                .next_plan
                .filter(|before| before.starts_at < next.starts_at)
                .map(|before| before.price_id)
                .or(life.plan_price_id),
            next_plan: Some(next),
            ..life
        },
        (Wish::Plan { price_id, .. }, None) => Life {
            plan_price_id: Some(*price_id),
            next_plan: None,
            ..life
        },
        // What may have begun before it was undone stays, until the provider shows which.
        (Wish::Cancel | Wish::KeepPlan, _) => Life {
            next_plan: life.next_plan.filter(|next| next.starts_at <= now),
            ..life
        },
        (Wish::Keep | Wish::Pause { .. } | Wish::Resume | Wish::End, _) => life,
    }
}

fn tried_anew(arrears: Arrears) -> Arrears {
    if arrears.try_key.is_none() {
        arrears.tried()
    } else {
        arrears
    }
}

/// A plan that costs less begins when what is paid for ends; any other at once.
pub fn is_later(plan: &Terms, current: &Terms) -> bool {
    plan.amount.minor < current.amount.minor
}

/// Paid, and going on.
pub fn check_settled(state: &SubscriptionState, life: &Life) -> Result<(), Refusal> {
    if matches!(state, SubscriptionState::Trialing { .. }) {
        return Err(Refusal::OnTrial);
    }
    if life.arrears.is_some() || matches!(state, SubscriptionState::PastDue { .. }) {
        return Err(Refusal::PastDue);
    }
    if life.cancel_at.is_some() {
        return Err(Refusal::Ending);
    }
    Ok(())
}

#[cfg(test)]
#[path = "wish_tests.rs"]
mod tests;

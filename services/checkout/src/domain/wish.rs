//! What a member may want of their subscription, and when it makes sense.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::ids::{PriceId, SubscriptionId, WishId};
use super::life::Life;
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
    /// A dearer plan, for the difference that was shown.
    Plan {
        price_id: PriceId,
        prorated_at: DateTime<Utc>,
        shown: Money,
    },
}

impl Wish {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Keep => "keep",
            Self::Card { .. } => "card",
            Self::Pause { .. } => "pause",
            Self::Resume => "resume",
            Self::Plan { .. } => "plan",
        }
    }
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
    Ended,
    /// What is overdue comes first.
    PastDue,
    /// It ends soon: it must be kept first.
    Ending,
    Paused,
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
        Wish::Card { .. } => Ok(Next::Ask),
        Wish::Resume => Ok(ask_unless(life.paused_until.is_none())),
        Wish::Pause { until } => {
            check_settled(state, life)?;
            if *until <= now || *until > now + PAUSE_MAX {
                return Err(Refusal::PauseTooLong);
            }
            Ok(ask_unless(life.paused_until == Some(*until)))
        }
        Wish::Plan {
            price_id,
            prorated_at,
            ..
        } => {
            check_settled(state, life)?;
            if life.paused_until.is_some() {
                return Err(Refusal::Paused);
            }
            if life.plan_price_id == Some(*price_id) {
                return Ok(Next::Nothing);
            }
            if *prorated_at > now || *prorated_at < now - PREVIEW_LIVES {
                return Err(Refusal::PreviewExpired);
            }
            Ok(Next::Ask)
        }
    }
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
mod tests {
    use super::*;
    use crate::domain::arrears::{Arrears, Grace};
    use crate::domain::fixtures::{later, noon, price};

    fn life() -> Life {
        Life::new(SubscriptionId::new(noon()))
    }

    fn active() -> SubscriptionState {
        SubscriptionState::Active {
            period_end: later(24 * 30),
        }
    }

    fn in_arrears() -> Life {
        let grace = Grace(TimeDelta::days(14));
        Life {
            arrears: Some(Arrears::begin("in_1", price(), "lost_card", grace, noon())),
            ..life()
        }
    }

    fn leaving() -> Life {
        Life {
            cancel_at: Some(later(24 * 30)),
            ..life()
        }
    }

    fn plan(prorated_at: DateTime<Utc>) -> Wish {
        Wish::Plan {
            price_id: PriceId::new(noon()),
            prorated_at,
            shown: price(),
        }
    }

    fn every_wish() -> [Wish; 6] {
        [
            Wish::Cancel,
            Wish::Keep,
            Wish::Card {
                payment_method_id: "pm_1".into(),
            },
            Wish::Pause { until: later(24) },
            Wish::Resume,
            plan(noon()),
        ]
    }

    #[test]
    fn nothing_is_wished_of_what_has_ended_or_not_begun() {
        for wish in every_wish() {
            let ended = SubscriptionState::Canceled { at: noon() };
            assert_eq!(decide(&wish, &ended, &life(), noon()), Err(Refusal::Ended));
            let open = SubscriptionState::Incomplete;
            assert_eq!(decide(&wish, &open, &life(), noon()), Err(Refusal::NotBegun));
        }
    }

    #[test]
    fn cancel_and_keep_undo_each_other_and_repeat_nothing() {
        let check = |wish: Wish, life: &Life| decide(&wish, &active(), life, noon()).unwrap();
        assert_eq!(check(Wish::Cancel, &life()), Next::Ask);
        assert_eq!(check(Wish::Cancel, &leaving()), Next::Nothing);
        assert_eq!(check(Wish::Keep, &leaving()), Next::Ask);
        assert_eq!(check(Wish::Keep, &life()), Next::Nothing);
        assert_eq!(check(Wish::Resume, &life()), Next::Nothing);
    }

    #[test]
    fn a_debt_leaves_a_new_card_and_a_cancel() {
        let state = SubscriptionState::PastDue {
            period_end: later(24),
        };
        for wish in every_wish() {
            let answer = decide(&wish, &state, &in_arrears(), noon());
            match wish {
                Wish::Pause { .. } | Wish::Plan { .. } => assert_eq!(answer, Err(Refusal::PastDue)),
                Wish::Cancel | Wish::Card { .. } => assert_eq!(answer, Ok(Next::Ask)),
                Wish::Keep | Wish::Resume => assert_eq!(answer, Ok(Next::Nothing)),
            }
        }
    }

    #[test]
    fn a_pause_is_between_now_and_three_months() {
        let check = |until| decide(&Wish::Pause { until }, &active(), &life(), noon());
        assert_eq!(check(noon()), Err(Refusal::PauseTooLong));
        assert_eq!(check(noon() + PAUSE_MAX), Ok(Next::Ask));
        assert_eq!(check(later(1) + PAUSE_MAX), Err(Refusal::PauseTooLong));
        let ending = decide(&Wish::Pause { until: later(24) }, &active(), &leaving(), noon());
        assert_eq!(ending, Err(Refusal::Ending));
    }

    #[test]
    fn a_plan_is_changed_by_what_was_just_shown() {
        let check = |at| decide(&plan(at), &active(), &life(), noon());
        assert_eq!(check(noon()), Ok(Next::Ask));
        assert_eq!(
            check(noon() - PREVIEW_LIVES - TimeDelta::seconds(1)),
            Err(Refusal::PreviewExpired)
        );
        assert_eq!(check(later(1)), Err(Refusal::PreviewExpired));
        let trial = SubscriptionState::Trialing { until: later(24) };
        assert_eq!(
            decide(&plan(noon()), &trial, &life(), noon()),
            Err(Refusal::OnTrial)
        );
    }
}

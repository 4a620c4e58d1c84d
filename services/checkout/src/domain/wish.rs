//! What a member may want of their subscription, and when it makes sense.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::ids::{PriceId, SubscriptionId, WishId};
use super::life::Life;
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
    /// A dearer plan, for the difference that was shown.
    Plan {
        price_id: PriceId,
        prorated_at: DateTime<Utc>,
        shown: Money,
    },
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
    use WishKind::{Cancel, Card, Keep, Pause, Plan, Resume};

    match provider {
        Provider::Stripe => &[Cancel, Keep, Card, Pause, Resume, Plan],
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
        WishKind::Pause | WishKind::Plan => goes_on,
        WishKind::End => false,
    };
    if state.has_ended() || *state == SubscriptionState::Incomplete {
        return Vec::new();
    }
    offered(provider).iter().copied().filter(makes_sense).collect()
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

    fn every_wish() -> [Wish; 7] {
        [
            Wish::Cancel,
            Wish::Keep,
            Wish::Card {
                payment_method_id: "pm_1".into(),
            },
            Wish::Pause { until: later(24) },
            Wish::Resume,
            plan(noon()),
            Wish::End,
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
                Wish::Cancel | Wish::Card { .. } | Wish::End => assert_eq!(answer, Ok(Next::Ask)),
                Wish::Keep | Wish::Resume => assert_eq!(answer, Ok(Next::Nothing)),
            }
        }
    }

    #[test]
    fn what_can_be_wished_depends_on_the_provider_and_the_moment() {
        let paypal = |state: &SubscriptionState, life: &Life| wishes(Provider::Paypal, state, life, noon());
        assert_eq!(paypal(&active(), &life()), [WishKind::Cancel, WishKind::Pause]);
        assert_eq!(paypal(&active(), &leaving()), []);
        assert_eq!(paypal(&active(), &in_arrears()), [WishKind::Cancel]);
        let paused = Life {
            paused_until: Some(later(24)),
            ..life()
        };
        assert_eq!(paypal(&active(), &paused), [WishKind::Cancel, WishKind::Resume]);
        assert_eq!(paypal(&SubscriptionState::Incomplete, &life()), []);
        let stripe = wishes(Provider::Stripe, &active(), &leaving(), noon());
        assert_eq!(stripe, [WishKind::Keep, WishKind::Card]);
    }

    #[test]
    fn what_is_shown_as_a_wish_is_decided_to_be_asked_for() {
        for provider in Provider::ALL {
            for life in [life(), leaving(), in_arrears()] {
                for kind in wishes(provider, &active(), &life, noon()) {
                    let wish = every_wish().into_iter().find(|wish| wish.kind() == kind).unwrap();
                    assert_eq!(decide(&wish, &active(), &life, noon()), Ok(Next::Ask), "{wish:?}");
                    assert_eq!(check_offered(provider, kind), Ok(()));
                }
            }
        }
        let undone = check_offered(Provider::Paypal, WishKind::Keep);
        assert_eq!(undone, Err(Refusal::NotOffered));
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

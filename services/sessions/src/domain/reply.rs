//! A text on its way from the model to whoever asked.

kit::typed_id! {
    /// One text that was asked for.
    pub ReplyId = "air"
}

/// Far more than a page of text: what goes on beyond it is no reply any more.
pub const LENGTH_MAX: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyState {
    Writing,
    /// Whole.
    Finished,
    /// What is there stands, and nothing will follow.
    Failed(Reason),
}

/// Why a reply will not be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The model is not reached, or refuses us.
    Unavailable,
    Busy,
    /// The model will not answer this.
    Declined,
    /// The model stopped in the middle, or never came to an end.
    BrokenOff,
    /// Our own process ended while it wrote.
    Interrupted,
}

impl Reason {
    pub const ALL: [Self; 5] = [
        Self::Unavailable,
        Self::Busy,
        Self::Declined,
        Self::BrokenOff,
        Self::Interrupted,
    ];

    /// Stable: stored, counted and told.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unavailable => "AI_UNAVAILABLE",
            Self::Busy => "AI_BUSY",
            Self::Declined => "AI_DECLINED",
            Self::BrokenOff => "AI_BROKEN_OFF",
            Self::Interrupted => "AI_INTERRUPTED",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::Unavailable => "The AI cannot be reached. Try again in a moment.",
            Self::Busy => "The AI is busy. Try again in a moment.",
            Self::Declined => "The AI does not answer this. Try other words.",
            Self::BrokenOff | Self::Interrupted => "The text broke off. Ask again for a whole one.",
        }
    }
}

/// As it is stored and told: a carriage return ends a field of an event stream, and Postgres keeps no zero characters.
pub fn cleaned(text: &str) -> String {
    text.replace(['\r', '\0'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_known_again_by_its_code() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(Reason::from_code("AI_TIRED"), None);
    }

    #[test]
    fn what_cannot_be_kept_or_told_is_left_out() {
        assert_eq!(cleaned("a\r\nb\0c"), "a\nbc");
    }
}

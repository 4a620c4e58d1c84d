//! States of a reply and the reasons why one fails.

use kit::error::ErrorCode;

kit::typed_id! {
    /// One generated text.
    pub ReplyId = "air"
}

/// Far more than the requested 220 words; a longer text fails as incomplete.
pub const LENGTH_MAX: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyState {
    Writing,
    /// The text is complete.
    Finished,
    /// The stored chunks stay readable; no more will follow.
    Failed(FailureReason),
}

/// Why a reply is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureReason {
    /// The model is unreachable or rejects our requests.
    Unavailable,
    Busy,
    /// The model declines to answer the question.
    Declined,
    /// The model's stream ended early, or took too long.
    Incomplete,
    /// Our process ended during generation.
    Interrupted,
}

impl FailureReason {
    pub const ALL: [Self; 5] = [
        Self::Unavailable,
        Self::Busy,
        Self::Declined,
        Self::Incomplete,
        Self::Interrupted,
    ];

    /// Stable: stored, sent to clients and used as a metric label.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unavailable => ErrorCode::AiUnavailable.as_str_name(),
            Self::Busy => ErrorCode::AiBusy.as_str_name(),
            Self::Declined => ErrorCode::AiDeclined.as_str_name(),
            Self::Incomplete => ErrorCode::AiBrokenOff.as_str_name(),
            Self::Interrupted => ErrorCode::AiInterrupted.as_str_name(),
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
            Self::Incomplete | Self::Interrupted => "The text broke off. Ask again for a whole one.",
        }
    }
}

/// Removes carriage returns, which end a field of an event stream, and zero characters, which Postgres does not store.
pub fn sanitize(text: &str) -> String {
    text.replace(['\r', '\0'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_round_trip_by_code() {
        for reason in FailureReason::ALL {
            assert_eq!(FailureReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(FailureReason::from_code("AI_TIRED"), None);
    }

    #[test]
    fn sanitize_removes_carriage_returns_and_zeros() {
        assert_eq!(sanitize("a\r\nb\0c"), "a\nbc");
    }
}

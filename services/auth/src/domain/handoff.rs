//! Handoff tokens: purpose and single use.
use chrono::{DateTime, Utc};
use kit::error::{ErrorCode, FieldError};

use crate::domain::user::UserId;

/// Where the token is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The app's own site.
    Autologin,
    Chat,
    Survey,
    Therapy,
}

impl Purpose {
    pub fn parse(given: &str) -> Result<Self, FieldError> {
        match given {
            "autologin" => Ok(Self::Autologin),
            "chat" => Ok(Self::Chat),
            "survey" => Ok(Self::Survey),
            "therapy" => Ok(Self::Therapy),
            _ => Err(FieldError::new(
                "purpose",
                ErrorCode::Invalid,
                "One of autologin, chat, survey, therapy.",
            )),
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Autologin => "autologin",
            Self::Chat => "chat",
            Self::Survey => "survey",
            Self::Therapy => "therapy",
        }
    }
}

/// What is on record about a token.
#[derive(Clone, Copy, Debug)]
pub struct Handoff {
    pub user_id: UserId,
    pub expires_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffError {
    /// Never issued, or purged.
    Unknown,
    /// Used or expired.
    Expired,
}

/// The member of a token.
pub fn redeem(on_record: Option<Handoff>, now: DateTime<Utc>) -> Result<UserId, HandoffError> {
    let handoff = on_record.ok_or(HandoffError::Unknown)?;
    if handoff.used_at.is_some() || handoff.expires_at <= now {
        return Err(HandoffError::Expired);
    }
    Ok(handoff.user_id)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_token_is_good_once_and_in_time() {
        let now = DateTime::UNIX_EPOCH;
        let handoff = Handoff {
            user_id: UserId::new(now),
            expires_at: now + TimeDelta::minutes(5),
            used_at: None,
        };
        assert_eq!(redeem(Some(handoff), now), Ok(handoff.user_id));
        assert_eq!(
            redeem(Some(handoff), handoff.expires_at),
            Err(HandoffError::Expired)
        );
        let used = Handoff {
            used_at: Some(now),
            ..handoff
        };
        assert_eq!(redeem(Some(used), now), Err(HandoffError::Expired));
        assert_eq!(redeem(None, now), Err(HandoffError::Unknown));
    }

    #[test]
    fn purposes_are_read_as_they_are_written() {
        for name in ["autologin", "chat", "survey", "therapy"] {
            assert_eq!(Purpose::parse(name).unwrap().as_str(), name);
        }
        assert_eq!(Purpose::parse("admin").unwrap_err().field, "purpose");
    }
}

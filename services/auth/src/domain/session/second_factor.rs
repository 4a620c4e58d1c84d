//! Rules of the second factor: typed codes, accepted time steps, and the address that authenticator apps read.
use chrono::{DateTime, TimeDelta, Utc};
use kit::error::{ErrorCode, FieldError};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::domain::email::Email;

/// A sign-in waits so long for its second factor.
pub const CHALLENGE_TTL: TimeDelta = TimeDelta::minutes(10);

pub const RECOVERY_CODES: usize = 10;
pub const RECOVERY_CODE_SYMBOLS: usize = 12;
const SYMBOLS_PER_GROUP: usize = 4;

const ISSUER: &str = "Stillpoint";
const STEP_SECS: i64 = 30;
const TOTP_DIGITS: usize = 6;
/// Steps before and after the present one: clocks differ, and typing takes time.
const DRIFT: i64 = 1;

/// The time steps whose codes are accepted now: each once, and none before one that was accepted.
pub fn candidate_steps(now: DateTime<Utc>, last_step: Option<i64>) -> impl Iterator<Item = i64> {
    let present = now.timestamp().div_euclid(STEP_SECS);
    let is_unused = move |step: &i64| last_step.is_none_or(|last| *step > last);
    (present - DRIFT..=present + DRIFT).filter(is_unused)
}

/// A code as it was typed, without separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedCode {
    Totp(String),
    Recovery(String),
}

impl TypedCode {
    pub fn parse(typed: &str) -> Result<Self, FieldError> {
        let symbols = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let code = symbols.collect::<String>().to_lowercase();
        if code.is_empty() {
            return Err(FieldError::new("code", ErrorCode::Required, "Enter the code."));
        }
        let is_totp = code.len() == TOTP_DIGITS && code.bytes().all(|byte| byte.is_ascii_digit());
        Ok(if is_totp {
            Self::Totp(code)
        } else {
            Self::Recovery(code)
        })
    }
}

/// In groups, as it is shown.
pub fn shown_recovery_code(code: &str) -> String {
    let symbols: Vec<char> = code.chars().collect();
    let groups = symbols.chunks(SYMBOLS_PER_GROUP).map(String::from_iter);
    groups.collect::<Vec<String>>().join("-")
}

/// The key URI of authenticator apps. `secret` is in Base32.
pub fn key_uri(email: &Email, secret: &str) -> String {
    let account = utf8_percent_encode(email.as_str(), NON_ALPHANUMERIC);
    format!(
        "otpauth://totp/{ISSUER}:{account}?secret={secret}&issuer={ISSUER}&algorithm=SHA1&digits={TOTP_DIGITS}&period={STEP_SECS}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_steps_are_accepted_and_none_twice() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(3000);
        let steps = |last| candidate_steps(now, last).collect::<Vec<_>>();
        assert_eq!(steps(None), [99, 100, 101]);
        assert_eq!(steps(Some(99)), [100, 101]);
        assert_eq!(steps(Some(101)), [0; 0]);
    }

    #[test]
    fn a_code_is_read_as_it_is_typed() {
        let parse = |typed: &str| TypedCode::parse(typed);
        assert_eq!(parse(" 123 456 "), Ok(TypedCode::Totp("123456".to_owned())));
        let recovery = Ok(TypedCode::Recovery("0a1b2c3d4e5f".to_owned()));
        assert_eq!(parse("0A1B-2C3D-4E5F"), recovery);
        assert_eq!(parse("1234567"), Ok(TypedCode::Recovery("1234567".to_owned())));
        assert_eq!(parse(" - ").unwrap_err().code, "REQUIRED");
    }

    #[test]
    fn a_recovery_code_is_shown_in_groups_and_read_back() {
        let shown = shown_recovery_code("0a1b2c3d4e5f");
        assert_eq!(shown, "0a1b-2c3d-4e5f");
        assert_eq!(
            TypedCode::parse(&shown),
            Ok(TypedCode::Recovery("0a1b2c3d4e5f".to_owned()))
        );
    }

    #[test]
    fn the_uri_names_issuer_account_and_secret() {
        let email = Email::parse("ada@example.com").unwrap();
        assert_eq!(
            key_uri(&email, "MZXW6YTB"),
            "otpauth://totp/Stillpoint:ada%40example%2Ecom?secret=MZXW6YTB&issuer=Stillpoint&algorithm=SHA1&digits=6&period=30"
        );
    }
}

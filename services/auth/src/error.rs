//! Errors of auth: a public code and text, apart from internal detail for the log.
use std::time::Duration;

use chrono::TimeDelta;
use kit::error::{ErrorCode, Failure, FieldError, Kind};
use kit::idempotency;
use tonic::Status;

use crate::crypto::passwords::HashingError;
use crate::domain::session::step_up::{StepUpMethod, StepUpRequired};
use crate::domain::social::TokenError;

/// Long enough for what is under way to end.
const BUSY_RETRY: Duration = Duration::from_secs(1);

/// Detail of `STEP_UP_REQUIRED`: the methods, separated by commas.
const STEP_UP_METHODS: &str = "methods";

/// As long as a provider that does not answer is left alone.
const PROVIDER_RETRY: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("fields are not valid")]
    Invalid(Vec<FieldError>),
    #[error("the e-mail address has an account")]
    EmailTaken,
    #[error("e-mail and password do not belong together")]
    InvalidCredentials,
    /// The field of the form that holds it.
    #[error("the password is not the account's")]
    WrongPassword(&'static str),
    #[error("a recent authentication is required")]
    StepUpRequired(&'static [StepUpMethod]),
    #[error("the account must keep its second factor")]
    SecondFactorRequired,
    #[error("the code is not one of the second factor")]
    SecondFactorWrong,
    #[error("no second factor is enrolled")]
    SecondFactorNotEnrolled,
    #[error("the challenge was used, is over, or never was one")]
    ChallengeExpired,
    #[error("the link ends no session")]
    LinkInvalid,
    #[error("there is no such erasure")]
    UnknownErasure,
    #[error("the session is unknown, expired or revoked")]
    SessionExpired,
    #[error("the link was used, is over, or never was one")]
    LinkExpired,
    #[error("the handoff token was used or is over")]
    HandoffExpired,
    #[error("the handoff token is of another member than the browser's session")]
    HandoffOtherMember,
    #[error("the handoff token was never given out")]
    HandoffUnknown,
    #[error("a provider's token is not believed: {0}")]
    SocialToken(TokenError),
    #[error("the provider returned no address")]
    SocialEmailMissing,
    #[error("the provider does not vouch for the address")]
    SocialEmailUnverified,
    #[error("the address has an account that must be signed in to")]
    SocialLinkRequired,
    #[error("the identity has no account and the request creates none")]
    SocialAccountMissing,
    #[error("the provider is not set up here")]
    SocialNotOffered,
    #[error("provider of sign-in: {0}")]
    SocialUnavailable(String),
    #[error("too many attempts, {} s to wait", wait.num_seconds())]
    TooManyAttempts { wait: TimeDelta },
    #[error(transparent)]
    Idempotency(#[from] idempotency::Rejection),
    #[error(transparent)]
    Hashing(#[from] HashingError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("event: {0}")]
    Event(#[from] serde_json::Error),
    #[error("no key can sign access tokens")]
    SigningKey,
    #[error("AUTH_SECOND_FACTOR_KEY does not decrypt the secret")]
    SecondFactorKey,
}

impl Error {
    /// Code of a rejected token, in the response and the event.
    pub fn handoff_code(&self) -> ErrorCode {
        match self {
            Self::HandoffExpired => ErrorCode::TokenExpired,
            Self::HandoffOtherMember => ErrorCode::TokenOtherMember,
            _ => ErrorCode::TokenUnknown,
        }
    }

    /// Of the proofs that sensitive calls need.
    fn member_failure(&self) -> Failure {
        match self {
            Self::StepUpRequired(methods) => {
                let methods: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
                Failure::new(
                    Kind::Forbidden,
                    ErrorCode::StepUpRequired,
                    "Confirm that it is you first: your sign-in was too long ago.",
                )
                .detail(STEP_UP_METHODS, methods.join(","))
            }
            Self::WrongPassword(field) => Failure::new(
                Kind::Forbidden,
                ErrorCode::WrongPassword,
                "This is not the password of your account.",
            )
            .field(
                field,
                ErrorCode::Wrong,
                "This is not the password of your account.",
            ),
            _ => Failure::new(
                Kind::NotFound,
                ErrorCode::UnknownErasure,
                "There is no such receipt.",
            ),
        }
    }

    /// Of second factors and their challenges.
    fn second_factor_failure(&self) -> Failure {
        match self {
            Self::SecondFactorRequired => Failure::new(
                Kind::Forbidden,
                ErrorCode::SecondFactorRequired,
                "Your role needs a second factor.",
            ),
            Self::SecondFactorWrong => Failure::fields(vec![FieldError::new(
                "code",
                ErrorCode::SecondFactorWrong,
                "This code is wrong, or was used before.",
            )]),
            Self::SecondFactorNotEnrolled => Failure::new(
                Kind::Conflict,
                ErrorCode::SecondFactorNotEnrolled,
                "Set up a second factor first.",
            ),
            _ => Failure::new(
                Kind::Unauthenticated,
                ErrorCode::ChallengeExpired,
                "This sign-in took too long. Start again.",
            ),
        }
    }

    /// Of passwords, tokens and links that do not open what they are brought for.
    fn credential_failure(&self) -> Failure {
        let (kind, code, message) = match self {
            Self::InvalidCredentials => (
                Kind::Unauthenticated,
                ErrorCode::InvalidCredentials,
                "E-mail or password is wrong.",
            ),
            Self::LinkExpired => (
                Kind::Refused,
                ErrorCode::LinkExpired,
                "This link was used or has expired. Ask for another one.",
            ),
            Self::LinkInvalid => (
                Kind::NotFound,
                ErrorCode::LinkInvalid,
                "This link was used or has expired.",
            ),
            Self::HandoffExpired => (
                Kind::Refused,
                self.handoff_code(),
                "This token was used or has expired.",
            ),
            Self::HandoffUnknown => (Kind::Refused, self.handoff_code(), "This is no token of ours."),
            Self::HandoffOtherMember => (
                Kind::Refused,
                self.handoff_code(),
                "Another member is signed in in this browser.",
            ),
            _ => (
                Kind::Unauthenticated,
                ErrorCode::SessionExpired,
                "Your session has ended. Sign in again.",
            ),
        };
        Failure::new(kind, code, message)
    }

    /// Failures of provider sign-ins.
    fn social_failure(&self) -> Failure {
        let (kind, code, message) = match self {
            Self::SocialEmailMissing => (
                Kind::Refused,
                ErrorCode::SocialEmailMissing,
                "Your account there has no e-mail address. Sign up with the form instead.",
            ),
            Self::SocialEmailUnverified => (
                Kind::Refused,
                ErrorCode::SocialEmailUnverified,
                "Your e-mail address is not confirmed there. Sign in with your password instead.",
            ),
            Self::SocialLinkRequired => (
                Kind::Conflict,
                ErrorCode::SocialLinkRequired,
                "This e-mail address already has an account. Sign in with its password to join the two.",
            ),
            Self::SocialAccountMissing => (
                Kind::Refused,
                ErrorCode::SocialAccountMissing,
                "There is no account for this sign-in yet. Sign up first.",
            ),
            Self::SocialNotOffered => (
                Kind::NotFound,
                ErrorCode::SocialNotOffered,
                "This way to sign in is not offered here.",
            ),
            Self::SocialUnavailable(_) => (
                Kind::Unavailable,
                ErrorCode::SocialUnavailable,
                "This way to sign in does not work at the moment. Try again soon.",
            ),
            _ => (
                Kind::Unauthenticated,
                ErrorCode::SocialTokenInvalid,
                "That sign-in could not be confirmed. Try again.",
            ),
        };
        let failure = Failure::new(kind, code, message);
        match self {
            Self::SocialUnavailable(_) => failure.retry_after(PROVIDER_RETRY),
            _ => failure,
        }
    }

    /// What the caller may know.
    fn public_failure(&self) -> Failure {
        match self {
            Self::Invalid(errors) => Failure::fields(errors.clone()),
            Self::EmailTaken => Failure::new(
                Kind::Conflict,
                ErrorCode::R100,
                "This e-mail address already has an account. Sign in instead.",
            )
            .field(
                "email",
                ErrorCode::Taken,
                "This e-mail address already has an account.",
            ),
            Self::InvalidCredentials
            | Self::SessionExpired
            | Self::LinkExpired
            | Self::LinkInvalid
            | Self::HandoffExpired
            | Self::HandoffOtherMember
            | Self::HandoffUnknown => self.credential_failure(),
            Self::WrongPassword(_) | Self::StepUpRequired(_) | Self::UnknownErasure => self.member_failure(),
            Self::SecondFactorRequired
            | Self::SecondFactorWrong
            | Self::SecondFactorNotEnrolled
            | Self::ChallengeExpired => self.second_factor_failure(),
            Self::SocialToken(_)
            | Self::SocialEmailMissing
            | Self::SocialEmailUnverified
            | Self::SocialLinkRequired
            | Self::SocialAccountMissing
            | Self::SocialNotOffered
            | Self::SocialUnavailable(_) => self.social_failure(),
            Self::TooManyAttempts { wait } => too_many_attempts(*wait),
            Self::Idempotency(rejection) => (*rejection).into(),
            Self::Hashing(HashingError::Busy) => Failure::new(
                Kind::Unavailable,
                ErrorCode::Busy,
                "Many people are signing in. Try again in a moment.",
            )
            .retry_after(BUSY_RETRY),
            Self::Database(error) => Failure::of_database(error),
            Self::Hashing(HashingError::Hash(_) | HashingError::Thread(_))
            | Self::Event(_)
            | Self::SigningKey
            | Self::SecondFactorKey => Failure::internal(),
        }
    }
}

fn too_many_attempts(wait: TimeDelta) -> Failure {
    let minutes = wait.num_seconds().max(1).unsigned_abs().div_ceil(60);
    let message = match minutes {
        1 => "Too many attempts. Try again in a minute.".to_owned(),
        _ => format!("Too many attempts. Try again in {minutes} minutes."),
    };
    Failure::new(Kind::TooMany, ErrorCode::TooManyAttempts, message)
        .retry_after(Duration::from_secs(wait.num_seconds().max(1).unsigned_abs()))
}

impl From<StepUpRequired> for Error {
    fn from(StepUpRequired(methods): StepUpRequired) -> Self {
        Self::StepUpRequired(methods)
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        error.public_failure().into_status(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throttled_caller_learns_how_long_to_wait() {
        let failure = Error::TooManyAttempts {
            wait: TimeDelta::seconds(61),
        }
        .public_failure();
        assert_eq!(failure.retry_after, Some(Duration::from_secs(61)));
        assert_eq!(failure.message, "Too many attempts. Try again in 2 minutes.");
    }

    #[test]
    fn a_step_up_names_its_methods() {
        let methods = &[StepUpMethod::Password, StepUpMethod::Code];
        let failure = Error::StepUpRequired(methods).public_failure();
        assert_eq!(failure.details["methods"], "password,code");
    }

    #[test]
    fn inside_detail_stays_inside() {
        let error = Error::Database(sqlx::Error::Protocol("host 10.0.0.7".to_owned()));
        assert!(error.to_string().contains("10.0.0.7"));
        assert_eq!(error.public_failure(), Failure::internal());
    }
}

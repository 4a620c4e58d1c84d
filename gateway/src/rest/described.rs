//! What several calls take and answer alike, for the description of the API. Nothing is made of these types.
#![expect(dead_code, reason = "the description is derived from them")]
use utoipa::{IntoParams, IntoResponses};

use crate::error::ProblemBody;
use crate::rest::auth::SignedIn;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Destination {
    /// A page of this site; it comes back where it may be led to
    #[param(rename = "redirectPage")]
    redirect_page: Option<String>,
}

/// What a provider's payload has no room for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SurveyTaker {
    /// The survey order a sign-up belongs to; `orderId` is read as well
    orderid: Option<String>,
    /// The page's language: mails to the member are written in it
    #[param(example = "tr")]
    lang: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct Repeatable {
    /// A repeat with the same key has one effect
    #[param(rename = "Idempotency-Key")]
    idempotency_key: Option<String>,
}

#[derive(IntoResponses)]
pub enum SigningUp {
    /// The session is in the cookie `stillpoint_session`
    #[response(status = 201)]
    SignedUp(SignedIn),
    /// R100: the address has an account
    #[response(status = 409, content_type = "application/problem+json")]
    Taken(ProblemBody),
    /// `VALIDATION_FAILED`
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemBody),
}

/// `TOO_MANY_ATTEMPTS`, with `Retry-After`
#[derive(IntoResponses)]
#[response(status = 429, content_type = "application/problem+json")]
pub struct Throttled(ProblemBody);

/// V100: not signed in
#[derive(IntoResponses)]
#[response(status = 401, content_type = "application/problem+json")]
pub struct NotSignedIn(ProblemBody);

//! Parameters and responses that several endpoints share, for the `OpenAPI` document only.
#![expect(dead_code, reason = "the description is derived from them")]
use serde_json::json;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{IntoParams, IntoResponses};

use crate::protocol::error::ProblemBody;

/// What `body::number` reads.
pub fn number_or_text() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Integer, Type::String, Type::Null]))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
        .minimum(Some(i32::MIN))
        .maximum(Some(i32::MAX))
        .pattern(Some("^(-?[0-9]{1,9})?$"))
        .description(Some(
            "A number, or one as text: pages send what their storage or their address held.",
        ))
        .examples([json!(0)])
        .build()
}

/// The first digits of a card: at most eight, as text or as a number.
pub fn digits() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Integer]))
        .minimum(Some(0))
        .maximum(Some(99_999_999))
        .pattern(Some("^[0-9]{1,8}$"))
        .examples([json!("440776")])
        .build()
}

/// Texts, numbers, true, false and null by their names.
pub fn scalars() -> Object {
    let types = [Type::String, Type::Number, Type::Boolean, Type::Null];
    let scalar = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter(types))
        .build();
    ObjectBuilder::new()
        .additional_properties(Some(Schema::Object(scalar)))
        .build()
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RedirectPageParam {
    /// A page of this site; it comes back where it may be led to
    #[param(rename = "redirectPage")]
    redirect_page: Option<String>,
}

/// Query parameters of a social sign-in; the payloads are specified to the last field.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SocialSignInParams {
    /// The survey order a sign-up belongs to; `orderId` is read as well
    orderid: Option<String>,
    /// The page's language: mails to the member are written in it
    #[param(example = "tr")]
    lang: Option<String>,
    /// With any value but `false`, no account is created: 422 `SOCIAL_ACCOUNT_MISSING`
    #[param(rename = "existingOnly", example = "true")]
    existing_only: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKeyParam {
    /// A repeat with the same key has one effect
    #[param(rename = "Idempotency-Key")]
    idempotency_key: Option<String>,
}

/// `TOO_MANY_ATTEMPTS`, with `Retry-After`
#[derive(IntoResponses)]
#[response(status = 429, content_type = "application/problem+json")]
pub struct Throttled(ProblemBody);

/// `STEP_UP_REQUIRED`, with `methods`: the authentication is older than ten minutes
#[derive(IntoResponses)]
#[response(status = 403, content_type = "application/problem+json")]
pub struct StepUpRequired(ProblemBody);

/// V100: not signed in
#[derive(IntoResponses)]
#[response(status = 401, content_type = "application/problem+json")]
pub struct NotSignedIn(ProblemBody);

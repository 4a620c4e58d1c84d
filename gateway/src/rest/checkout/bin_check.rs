//! Whether a card is part of a bank's offer, in the specified data/error envelope.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use kit::error::{ErrorCode, Kind};
use proto::checkout::v1::CheckBinRequest;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters;
use crate::protocol::error::{EnvelopeError, HandlerResult, Problem};
use crate::rest::body::JsonOrForm;
use crate::state::AppState;

const DIGITS_MAX: usize = 8;

/// Deliberately without `Debug`: nothing of a card is ever logged.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct BinRequest {
    /// The first digits of the card, at most eight.
    #[serde(deserialize_with = "digits")]
    #[schema(schema_with = parameters::digits)]
    card: String,
}

/// Text or a number. The error does not repeat the value: it may be a card number.
fn digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Text(String),
        Number(u64),
        // JSON Schema takes 440776.0 for a whole number as well.
        Decimal(f64),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::Text(text) => text,
        Given::Number(number) => number.to_string(),
        Given::Decimal(number) => number.to_string(),
    })
}

#[derive(Serialize, ToSchema)]
pub struct BinResponse {
    data: BinCheck,
    #[schema(value_type = Option<String>)]
    error: Option<()>,
    #[schema(value_type = Option<String>)]
    error_code: Option<()>,
}

#[derive(Serialize, ToSchema)]
pub struct BinCheck {
    /// True: the card is not part of the offer.
    error: bool,
    /// What it opens.
    #[schema(example = "teb40")]
    campaign: Option<String>,
}

/// Whether a card, by its first digits, is part of a bank's offer.
#[utoipa::path(
    post, path = "/bincheck", tag = "checkout",
    request_body(content((BinRequest = "application/json"), (BinRequest = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, body = BinResponse),
        (status = 422, body = EnvelopeError, description = "More than eight digits, or something else than digits"),
        (status = 429, body = EnvelopeError, description = "RATE_LIMITED"),
    )
)]
pub async fn bincheck(
    State(app): State<Arc<AppState>>,
    JsonOrForm(asked): JsonOrForm<BinRequest>,
) -> HandlerResult<Json<BinResponse>> {
    let bin = first_digits(&asked.card)?;
    let answer = app.clients.checkout().check_bin(CheckBinRequest { bin }).await?;
    let campaign = Some(answer.into_inner().campaign).filter(|campaign| !campaign.is_empty());
    Ok(Json(BinResponse {
        data: BinCheck {
            error: campaign.is_none(),
            campaign,
        },
        error: None,
        error_code: None,
    }))
}

/// A whole card number goes no further than here.
fn first_digits(card: &str) -> HandlerResult<String> {
    let digits = card.trim();
    let (code, message) = match digits.len() {
        0 => (ErrorCode::Required, "Type the first digits of the card."),
        1..=DIGITS_MAX if digits.bytes().all(|byte| byte.is_ascii_digit()) => return Ok(digits.to_owned()),
        1..=DIGITS_MAX => (ErrorCode::NotDigits, "Type digits alone."),
        _ => (ErrorCode::TooLong, "Type at most the first eight digits."),
    };
    Err(Problem::new(Kind::Invalid, ErrorCode::ValidationFailed, message).field("card", code, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(card: &str) -> bool {
        first_digits(card).is_err()
    }

    #[test]
    fn one_to_eight_digits_are_taken_without_what_is_around_them() {
        assert_eq!(first_digits(" 440776 ").ok().as_deref(), Some("440776"));
        assert!(!refused("4") && !refused("44077612"));
    }

    #[test]
    fn number_is_read_as_its_digits_and_other_values_are_not_echoed() {
        let read = |json: &str| serde_json::from_str::<BinRequest>(json).map(|asked| asked.card);
        assert_eq!(read("{\"card\": 440776}").ok().as_deref(), Some("440776"));
        let list = read("{\"card\": [4242424242424242]}").unwrap_err();
        assert!(!list.to_string().contains("4242"));
        let fraction = read("{\"card\": 42424242.5}").unwrap();
        assert!(!format!("{:?}", first_digits(&fraction).unwrap_err()).contains("4242"));
    }

    #[test]
    fn card_numbers_and_words_are_refused_without_echo() {
        for card in ["", "440776123", "4242424242424242", "4407-76", "card"] {
            assert!(refused(card), "{card}");
        }
        let problem = first_digits("4242424242424242").unwrap_err();
        assert!(!format!("{problem:?}").contains("4242"));
    }
}

//! A survey's order and its accepted fields. Callers are anonymous, so every field has a limit.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::tracking::PARAMETERS;

use crate::domain::ids::SurveyOrderId;

const FLOW_DEFAULT: i32 = 0;
const VARIANT_DEFAULT: i32 = 15;
const NUMBER_MAX: i32 = 9_999;
const WORD_MAX_CHARS: usize = 64;
const TRACKING_MAX_CHARS: usize = 256;

/// As the page sent it.
#[derive(Debug, Clone, Default)]
pub struct SurveyOrderRequest {
    pub flow: Option<i32>,
    pub variant: Option<i32>,
    pub ab_group: String,
    pub product_type: String,
    pub language: String,
    pub country: String,
    pub tracking: BTreeMap<String, String>,
}

/// Which survey, for which product, from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub flow: i32,
    pub variant: i32,
    pub ab_group: Option<String>,
    pub product_type: String,
    pub language: String,
    pub country: String,
    pub tracking: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyOrder {
    pub survey_order_id: SurveyOrderId,
    pub terms: Terms,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct ValidationError {
    pub field: &'static str,
    pub why: &'static str,
}

impl Terms {
    pub fn accept(request: SurveyOrderRequest) -> Result<Self, ValidationError> {
        let product_type = request.product_type.split('-').next().unwrap_or_default();
        Ok(Self {
            flow: number("flow", request.flow, FLOW_DEFAULT)?,
            variant: number("variant", request.variant, VARIANT_DEFAULT)?,
            ab_group: Some(word("abgroup", &request.ab_group)?).filter(|group| !group.is_empty()),
            product_type: word("producttype", product_type)?,
            language: language(&request.language)?,
            country: word("country", &request.country)?,
            tracking: tracking(request.tracking),
        })
    }
}

fn number(field: &'static str, given: Option<i32>, default: i32) -> Result<i32, ValidationError> {
    let number = given.unwrap_or(default);
    if (0..=NUMBER_MAX).contains(&number) {
        return Ok(number);
    }
    Err(ValidationError {
        field,
        why: "is not a number from 0 to 9999",
    })
}

fn word(field: &'static str, text: &str) -> Result<String, ValidationError> {
    let text = text.trim();
    if text.chars().count() <= WORD_MAX_CHARS && !text.chars().any(char::is_control) {
        return Ok(text.to_owned());
    }
    Err(ValidationError {
        field,
        why: "is not one line of at most 64 characters",
    })
}

fn language(tag: &str) -> Result<String, ValidationError> {
    let is_plain = tag
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_plain && (2..=16).contains(&tag.len()) {
        return Ok(tag.to_owned());
    }
    Err(ValidationError {
        field: "lang",
        why: "is no language tag",
    })
}

/// A parameter that makes no sense is left out: the order is worth more than it.
fn tracking(parameters: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let is_kept = |name: &str, value: &str| {
        PARAMETERS.contains(&name)
            && value.chars().count() <= TRACKING_MAX_CHARS
            && !value.chars().any(char::is_control)
    };
    parameters
        .into_iter()
        .filter(|(name, value)| is_kept(name, value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> SurveyOrderRequest {
        SurveyOrderRequest {
            language: "tr".into(),
            ..SurveyOrderRequest::default()
        }
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let terms = Terms::accept(request()).unwrap();
        assert_eq!((terms.flow, terms.variant, terms.ab_group), (0, 15, None));
        let said = SurveyOrderRequest {
            flow: Some(2),
            variant: Some(79),
            ab_group: " b ".into(),
            ..request()
        };
        let terms = Terms::accept(said).unwrap();
        assert_eq!(
            (terms.flow, terms.variant, terms.ab_group.as_deref()),
            (2, 79, Some("b"))
        );
    }

    #[test]
    fn product_is_what_stands_before_the_first_dash() {
        for (given, kept) in [
            ("coaching-x", "coaching"),
            ("therapy-a-b", "therapy"),
            ("soul", "soul"),
            ("-x", ""),
            ("", ""),
        ] {
            let product_type = given.to_owned();
            let terms = Terms::accept(SurveyOrderRequest {
                product_type,
                ..request()
            });
            assert_eq!(terms.unwrap().product_type, kept, "{given}");
        }
    }

    #[test]
    fn only_allowed_tracking_is_kept() {
        let given = [
            ("utm_source", "mail"),
            ("adid", "7"),
            ("token", "secret"),
            ("cpid", "a\nb"),
        ];
        let tracking = given
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let terms = Terms::accept(SurveyOrderRequest {
            tracking,
            ..request()
        })
        .unwrap();
        let kept: Vec<_> = terms.tracking.keys().map(String::as_str).collect();
        assert_eq!(kept, ["adid", "utm_source"]);
    }

    #[test]
    fn nonsense_is_refused_by_its_field() {
        let long = "x".repeat(65);
        for (wrong, field) in [
            (
                SurveyOrderRequest {
                    flow: Some(-1),
                    ..request()
                },
                "flow",
            ),
            (
                SurveyOrderRequest {
                    variant: Some(10_000),
                    ..request()
                },
                "variant",
            ),
            (
                SurveyOrderRequest {
                    ab_group: "a\0".into(),
                    ..request()
                },
                "abgroup",
            ),
            (
                SurveyOrderRequest {
                    product_type: long,
                    ..request()
                },
                "producttype",
            ),
            (SurveyOrderRequest::default(), "lang"),
            (
                SurveyOrderRequest {
                    language: "<b>".into(),
                    ..request()
                },
                "lang",
            ),
        ] {
            assert_eq!(Terms::accept(wrong).unwrap_err().field, field);
        }
    }
}

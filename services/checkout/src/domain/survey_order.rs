//! The order a survey hangs on, and what may be asked for. Whoever opens it is nobody yet, so everything has a limit.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::tracking::PARAMETERS;

use super::ids::SurveyOrderId;

const FLOW_DEFAULT: i32 = 0;
const VARIANT_DEFAULT: i32 = 15;
const NUMBER_MAX: i32 = 9_999;
const WORD_MAX_CHARS: usize = 64;
const TRACKING_MAX_CHARS: usize = 256;

/// As the page sent it.
#[derive(Debug, Clone, Default)]
pub struct Asked {
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
pub struct Fault {
    pub field: &'static str,
    pub why: &'static str,
}

impl Terms {
    pub fn accept(asked: Asked) -> Result<Self, Fault> {
        let product_type = asked.product_type.split('-').next().unwrap_or_default();
        Ok(Self {
            flow: number("flow", asked.flow, FLOW_DEFAULT)?,
            variant: number("variant", asked.variant, VARIANT_DEFAULT)?,
            ab_group: Some(word("abgroup", &asked.ab_group)?).filter(|group| !group.is_empty()),
            product_type: word("producttype", product_type)?,
            language: language(&asked.language)?,
            country: word("country", &asked.country)?,
            tracking: tracking(asked.tracking),
        })
    }
}

fn number(field: &'static str, given: Option<i32>, default: i32) -> Result<i32, Fault> {
    let number = given.unwrap_or(default);
    if (0..=NUMBER_MAX).contains(&number) {
        return Ok(number);
    }
    Err(Fault {
        field,
        why: "is not a number from 0 to 9999",
    })
}

fn word(field: &'static str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.chars().count() <= WORD_MAX_CHARS && !text.chars().any(char::is_control) {
        return Ok(text.to_owned());
    }
    Err(Fault {
        field,
        why: "is not one line of at most 64 characters",
    })
}

fn language(tag: &str) -> Result<String, Fault> {
    let is_plain = tag
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_plain && (2..=16).contains(&tag.len()) {
        return Ok(tag.to_owned());
    }
    Err(Fault {
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

    fn asked() -> Asked {
        Asked {
            language: "tr".into(),
            ..Asked::default()
        }
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let terms = Terms::accept(asked()).unwrap();
        assert_eq!((terms.flow, terms.variant, terms.ab_group), (0, 15, None));
        let said = Asked {
            flow: Some(2),
            variant: Some(79),
            ab_group: " b ".into(),
            ..asked()
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
            let terms = Terms::accept(Asked {
                product_type,
                ..asked()
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
        let terms = Terms::accept(Asked { tracking, ..asked() }).unwrap();
        let kept: Vec<_> = terms.tracking.keys().map(String::as_str).collect();
        assert_eq!(kept, ["adid", "utm_source"]);
    }

    #[test]
    fn nonsense_is_refused_by_its_field() {
        let long = "x".repeat(65);
        for (wrong, field) in [
            (
                Asked {
                    flow: Some(-1),
                    ..asked()
                },
                "flow",
            ),
            (
                Asked {
                    variant: Some(10_000),
                    ..asked()
                },
                "variant",
            ),
            (
                Asked {
                    ab_group: "a\0".into(),
                    ..asked()
                },
                "abgroup",
            ),
            (
                Asked {
                    product_type: long,
                    ..asked()
                },
                "producttype",
            ),
            (Asked::default(), "lang"),
            (
                Asked {
                    language: "<b>".into(),
                    ..asked()
                },
                "lang",
            ),
        ] {
            assert_eq!(Terms::accept(wrong).unwrap_err().field, field);
        }
    }
}

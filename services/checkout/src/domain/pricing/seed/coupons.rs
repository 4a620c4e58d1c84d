//! Files of kind `coupons`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::amounts::{Problem, problem};
use super::{ErrorCollector, SourceFile, country, documents};
use crate::domain::pricing::coupon::{Coupon, Limits};

pub fn read(
    files: &[(SourceFile<'_>, documents::Coupons)],
    errors: &mut ErrorCollector,
) -> HashMap<String, Coupon> {
    let mut coupons = HashMap::new();
    for (sheet, document) in files {
        for (index, written) in document.coupons.iter().enumerate() {
            let at = format!("coupons.{index}");
            let coupon = coupon(sheet, &at, written, errors);
            let code = coupon.code.clone();
            if coupons.insert(code.clone(), coupon).is_some() {
                let twice = (
                    format!("{code} is given twice"),
                    "keep one of the two.".to_owned(),
                );
                errors.error(sheet, format!("{at}.code"), twice);
            }
        }
    }
    coupons
}

fn coupon(
    sheet: &SourceFile<'_>,
    at: &str,
    written: &documents::Coupon,
    errors: &mut ErrorCollector,
) -> Coupon {
    errors.take(sheet, format!("{at}.code"), code(&written.code));
    if !(1..=95).contains(&written.percent_off) {
        let why = format!("{} is not between 1 and 95", written.percent_off);
        let fix = "write the discount in whole percent.".to_owned();
        errors.error(sheet, format!("{at}.percent_off"), (why, fix));
    }
    for (field, limit) in [
        ("redemptions_max", written.redemptions_max),
        ("member_max", written.member_max),
    ] {
        errors.take(sheet, format!("{at}.{field}"), limit_of(limit));
    }
    Coupon {
        code: written.code.clone(),
        percent_off: written.percent_off,
        limits: limits(sheet, at, written, errors),
    }
}

fn limits(
    sheet: &SourceFile<'_>,
    at: &str,
    written: &documents::Coupon,
    errors: &mut ErrorCollector,
) -> Limits {
    let mut moment_of = |field: &str, text: Option<&str>| {
        let read = text.map(moment).transpose();
        errors.take(sheet, format!("{at}.{field}"), read).flatten()
    };
    let valid_from = moment_of("valid_from", written.valid_from.as_deref());
    let valid_until = moment_of("valid_until", written.valid_until.as_deref());
    if let (Some(from), Some(until)) = (valid_from, valid_until)
        && until <= from
    {
        let why = "it ends before it begins".to_owned();
        let fix = "write a later moment.".to_owned();
        errors.error(sheet, format!("{at}.valid_until"), (why, fix));
    }
    let countries = written
        .countries
        .iter()
        .filter_map(|text| errors.take(sheet, format!("{at}.countries"), country(text)))
        .collect();
    Limits {
        redemptions_max: written.redemptions_max,
        member_max: written.member_max,
        valid_from,
        valid_until,
        countries,
    }
}

fn code(text: &str) -> Result<(), Problem> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if plain && (1..=32).contains(&text.len()) {
        return Ok(());
    }
    problem(
        format!("{text:?} is no code"),
        "use capital letters and digits, at most 32.",
    )
}

fn limit_of(limit: Option<i32>) -> Result<(), Problem> {
    match limit {
        Some(limit) if limit < 1 => problem(
            format!("{limit} is less than one"),
            "write how often it can be used, or leave it out.",
        ),
        _ => Ok(()),
    }
}

fn moment(text: &str) -> Result<DateTime<Utc>, Problem> {
    text.parse().or_else(|_| {
        problem(
            format!("{text:?} is no moment"),
            "write it like 2026-12-31T23:00:00Z.",
        )
    })
}

//! Billing periods and timestamps. Periods are counted from the anchor, so that the 31st returns after a short month.

use chrono::{DateTime, Months, SecondsFormat, TimeDelta, Utc};

/// `count` days, weeks, months or years after the anchor; an unknown unit counts as months.
pub fn after(anchor: i64, unit: &str, count: i64) -> i64 {
    let Some(anchor_time) = DateTime::<Utc>::from_timestamp(anchor, 0) else {
        return anchor;
    };
    let end = match unit {
        "day" => anchor_time.checked_add_signed(TimeDelta::days(count)),
        "week" => anchor_time.checked_add_signed(TimeDelta::weeks(count)),
        "year" => months(count * 12).and_then(|months| anchor_time.checked_add_months(months)),
        _ => months(count).and_then(|months| anchor_time.checked_add_months(months)),
    };
    end.map_or(anchor, |end| end.timestamp())
}

fn months(count: i64) -> Option<Months> {
    u32::try_from(count).ok().map(Months::new)
}

/// A timestamp as providers write it in JSON.
pub fn rfc3339(at: i64) -> String {
    DateTime::<Utc>::from_timestamp(at, 0)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Secs, true)
}

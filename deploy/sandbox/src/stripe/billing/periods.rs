//! The periods of a price.

use serde_json::Value;

use crate::engine::calendar;

/// The end of the `cycles`-th period after the anchor.
pub fn period_end(anchor: i64, recurring: &Value, cycles: i64) -> i64 {
    let count = recurring["interval_count"].as_i64().unwrap_or(1) * cycles;
    calendar::after(anchor, recurring["interval"].as_str().unwrap_or("month"), count)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use serde_json::json;

    use super::*;

    fn day(text: &str) -> i64 {
        format!("{text}T10:00:00Z")
            .parse::<DateTime<Utc>>()
            .unwrap()
            .timestamp()
    }

    #[test]
    fn months_are_counted_from_the_anchor() {
        let monthly = json!({"interval": "month", "interval_count": 1});
        let anchor = day("2027-12-31");
        assert_eq!(period_end(anchor, &monthly, 1), day("2028-01-31"));
        assert_eq!(period_end(anchor, &monthly, 2), day("2028-02-29"));
        assert_eq!(period_end(anchor, &monthly, 3), day("2028-03-31"));
    }

    #[test]
    fn a_leap_day_year_ends_on_the_28th() {
        let yearly = json!({"interval": "year", "interval_count": 1});
        assert_eq!(period_end(day("2028-02-29"), &yearly, 1), day("2029-02-28"));
        assert_eq!(period_end(day("2028-02-29"), &yearly, 4), day("2032-02-29"));
    }
}

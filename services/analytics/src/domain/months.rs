//! Which months must have a partition.
use chrono::{Datelike, Months, NaiveDate};

/// The first days of this month and of the `ahead` months after it.
pub fn months_from(today: NaiveDate, ahead: u32) -> impl Iterator<Item = NaiveDate> {
    let this_month = today.with_day(1).unwrap_or(today);
    (0..=ahead).filter_map(move |n| this_month.checked_add_months(Months::new(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn months(today: &str, ahead: u32) -> Vec<String> {
        months_from(today.parse().unwrap(), ahead)
            .map(|day| day.to_string())
            .collect()
    }

    #[test]
    fn months_follow_each_other_over_the_year() {
        assert_eq!(
            months("2026-11-20", 2),
            ["2026-11-01", "2026-12-01", "2027-01-01"]
        );
    }

    #[test]
    fn the_last_day_of_a_long_month_skips_no_short_one() {
        assert_eq!(months("2027-01-31", 1), ["2027-01-01", "2027-02-01"]);
    }
}

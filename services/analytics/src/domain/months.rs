//! The months that need a partition.
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
    fn months_continue_into_the_next_year() {
        assert_eq!(
            months("2026-11-20", 2),
            ["2026-11-01", "2026-12-01", "2027-01-01"]
        );
    }

    #[test]
    fn month_end_does_not_skip_a_shorter_month() {
        assert_eq!(months("2027-01-31", 1), ["2027-01-01", "2027-02-01"]);
    }
}

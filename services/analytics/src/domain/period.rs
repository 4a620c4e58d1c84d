//! The days a summary covers.
use chrono::{Days, NaiveDate};
use kit::error::{ErrorCode, FieldError};

const DEFAULT_DAYS: i32 = 30;
const MAX_DAYS: i32 = 366;

/// UTC days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub first: NaiveDate,
    pub last: NaiveDate,
}

impl Period {
    /// The last `days` days, today included; 0 means the default.
    pub fn last(days: i32, today: NaiveDate) -> Result<Self, FieldError> {
        let days = if days == 0 { DEFAULT_DAYS } else { days };
        if !(1..=MAX_DAYS).contains(&days) {
            let rule = format!("Between 1 and {MAX_DAYS} days can be summarised.");
            return Err(FieldError::new("days", ErrorCode::OutOfRange, rule));
        }
        let before_today = Days::new(u64::from(days.unsigned_abs()) - 1);
        Ok(Self {
            first: today.checked_sub_days(before_today).unwrap_or(today),
            last: today,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> NaiveDate {
        "2026-11-20".parse().unwrap()
    }

    #[test]
    fn one_day_means_today() {
        assert_eq!(
            Period::last(1, today()).unwrap(),
            Period {
                first: today(),
                last: today()
            }
        );
    }

    #[test]
    fn zero_means_thirty_days() {
        let period = Period::last(0, today()).unwrap();
        assert_eq!(period.first.to_string(), "2026-10-22");
        assert_eq!(period, Period::last(30, today()).unwrap());
    }

    #[test]
    fn period_out_of_range_is_an_error() {
        assert!(Period::last(366, today()).is_ok());
        for days in [367, -1, i32::MIN, i32::MAX] {
            assert_eq!(Period::last(days, today()).unwrap_err().field, "days");
        }
    }
}

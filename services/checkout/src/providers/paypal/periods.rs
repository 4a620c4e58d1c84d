//! Assigns payments of a subscription to periods. PayPal reports only the time of a payment.

use chrono::{DateTime, Months, TimeDelta, Utc};

/// PayPal charges renewals at its own hour, up to a day early.
const EARLY: TimeDelta = TimeDelta::days(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// The period of each payment, by its time, oldest first. A payment is assigned to the current period. If that is paid, it
/// is assigned to the latest unpaid period, else to the next period. Each period is paid once, and later payments do not
/// change earlier assignments.
pub fn of(moments: &[DateTime<Utc>], months: u32) -> Vec<Period> {
    let months = months.max(1);
    let Some(&begun) = moments.first() else {
        return Vec::new();
    };
    let start = |number: u32| {
        let at = begun.checked_add_months(Months::new(months.saturating_mul(number)));
        at.unwrap_or(DateTime::<Utc>::MAX_UTC)
    };
    let mut taken: Vec<u32> = Vec::with_capacity(moments.len());
    for moment in moments {
        let last = taken.iter().max().copied();
        let mut running = last.unwrap_or(0);
        while start(running + 1) <= *moment + EARLY {
            running += 1;
        }
        let free = |number: &u32| !taken.contains(number);
        let number = match last {
            None => 0,
            Some(last) if running > last => running,
            Some(last) => (0..last).rev().find(free).unwrap_or(last + 1),
        };
        taken.push(number);
    }
    let period = |number: u32| Period {
        from: start(number),
        until: start(number + 1),
    };
    taken.into_iter().map(period).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("{text}:00:00Z").parse().unwrap()
    }

    fn starts(moments: &[&str]) -> Vec<String> {
        let moments: Vec<_> = moments.iter().map(|text| at(text)).collect();
        let periods = of(&moments, 1);
        periods
            .iter()
            .map(|period| period.from.format("%m-%d").to_string())
            .collect()
    }

    #[test]
    fn each_renewal_pays_for_the_month_that_begins() {
        let paid = ["2026-11-20T12", "2026-12-20T10", "2027-01-20T14"];
        assert_eq!(starts(&paid), ["11-20", "12-20", "01-20"]);
    }

    #[test]
    fn a_late_payment_pays_for_its_month() {
        let paid = ["2026-11-20T12", "2026-12-25T12", "2027-01-20T12"];
        assert_eq!(starts(&paid), ["11-20", "12-20", "01-20"]);
    }

    #[test]
    fn two_in_one_month_are_for_what_stayed_unpaid_and_what_runs() {
        let paid = ["2026-11-20T12", "2027-01-20T12", "2027-01-22T12", "2027-02-20T12"];
        assert_eq!(starts(&paid), ["11-20", "01-20", "12-20", "02-20"]);
    }

    #[test]
    fn a_first_payment_that_was_late_moves_nothing_out_of_its_place() {
        let paid = ["2026-11-25T12", "2026-12-20T12", "2027-01-20T12"];
        assert_eq!(starts(&paid), ["11-25", "12-25", "01-25"]);
    }

    #[test]
    fn the_last_day_of_a_month_is_kept() {
        let paid = ["2027-01-31T12", "2027-02-28T12", "2027-03-31T12"];
        assert_eq!(starts(&paid), ["01-31", "02-28", "03-31"]);
    }

    /// Random payments: no period is paid twice, and assignments do not change.
    #[test]
    fn whatever_is_paid_no_time_is_paid_for_twice_and_nothing_moves() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..500 {
            let mut moment = at("2026-01-31T12");
            let mut moments = vec![moment];
            let mut known = of(&moments, 1);
            for _ in 0..24 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                moment += TimeDelta::hours(i64::try_from((state >> 33) % (90 * 24)).unwrap());
                moments.push(moment);
                let periods = of(&moments, 1);
                assert_eq!(periods[..known.len()], known, "{moments:?}");
                known = periods;
            }
            for (place, period) in known.iter().enumerate() {
                assert!(period.from < period.until);
                let mut others = known[..place].iter();
                assert!(
                    others.all(|other| other.until <= period.from || period.until <= other.from),
                    "{moments:?}"
                );
            }
        }
    }
}

//! Coupons: discount, limits and validity.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coupon {
    pub code: String,
    pub percent_off: u8,
    pub limits: Limits,
}

/// What is absent or empty limits nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    pub redemptions_max: Option<i32>,
    pub member_max: Option<i32>,
    pub valid_from: Option<DateTime<Utc>>,
    /// The first moment at which it no longer counts.
    pub valid_until: Option<DateTime<Utc>>,
    pub countries: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Unknown,
    OtherCampaign,
    NotActive,
    Expired,
    OtherCountry,
    Exhausted,
    AlreadyUsed,
}

impl Coupon {
    /// All that can be said without counting.
    pub fn check(&self, country: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Limits {
            valid_from,
            valid_until,
            countries,
            ..
        } = &self.limits;
        if valid_from.is_some_and(|begin| now < begin) {
            return Err(Refusal::NotActive);
        }
        if valid_until.is_some_and(|end| now >= end) {
            return Err(Refusal::Expired);
        }
        if !countries.is_empty() && !countries.contains(country) {
            return Err(Refusal::OtherCountry);
        }
        Ok(())
    }

    /// Whether the database must be asked how often it was taken.
    pub fn is_counted(&self) -> bool {
        self.limits.redemptions_max.is_some() || self.limits.member_max.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{later, noon};

    fn coupon(limits: Limits) -> Coupon {
        Coupon {
            code: "SPRING".into(),
            percent_off: 20,
            limits,
        }
    }

    #[test]
    fn coupon_counts_from_its_first_moment_until_just_before_its_last() {
        let spring = coupon(Limits {
            valid_from: Some(noon()),
            valid_until: Some(later(2)),
            ..Limits::default()
        });
        assert_eq!(spring.check("TR", later(-1)), Err(Refusal::NotActive));
        assert_eq!(spring.check("TR", noon()), Ok(()));
        assert_eq!(spring.check("TR", later(1)), Ok(()));
        assert_eq!(spring.check("TR", later(2)), Err(Refusal::Expired));
    }

    #[test]
    fn coupon_of_some_countries_is_refused_elsewhere() {
        let turkish = coupon(Limits {
            countries: BTreeSet::from(["TR".to_owned()]),
            ..Limits::default()
        });
        assert_eq!(turkish.check("TR", noon()), Ok(()));
        assert_eq!(turkish.check("DE", noon()), Err(Refusal::OtherCountry));
        assert_eq!(coupon(Limits::default()).check("DE", noon()), Ok(()));
    }
}

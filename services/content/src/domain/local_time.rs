//! A local date and time, and its instant in a time zone.

use chrono::{DateTime, Utc};
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use crate::domain::validation_error::ValidationError;

/// What an editor asked for, and when that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// As it was given: `2027-03-28T09:00`.
    pub local: String,
    /// An IANA name: `Europe/Berlin`.
    pub zone: String,
    pub at: DateTime<Utc>,
}

/// What a person should know about how a time was understood.
pub type Note = String;

impl LocalTime {
    /// A time that the zone's clocks skip is refused; of one that comes twice the earlier is meant, and noted.
    pub fn resolve(local: &str, zone: &str) -> Result<(Self, Option<Note>), Vec<ValidationError>> {
        let mut errors = Vec::new();
        let time = parse(local);
        if time.is_none() {
            let message = "must be a date and time as 2027-03-28T09:00";
            errors.push(ValidationError::not_allowed("localTime", message));
        }
        // The rules compiled in, not those of the machine: everywhere the same answer.
        let found = TimeZoneDatabase::bundled().get(zone).ok();
        if found.is_none() {
            let message = "must be the IANA name of a time zone, as Europe/Berlin";
            errors.push(ValidationError::not_allowed("timeZone", message));
        }
        let (Some(time), Some(found)) = (time, found) else {
            return Err(errors);
        };
        let (at, note) = moment(time, &found).map_err(|error| vec![error])?;
        let resolved = Self {
            local: local.to_owned(),
            zone: zone.to_owned(),
            at,
        };
        Ok((resolved, note))
    }
}

fn parse(local: &str) -> Option<civil::DateTime> {
    ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
        .into_iter()
        .find_map(|format| civil::DateTime::strptime(format, local).ok())
}

fn moment(time: civil::DateTime, zone: &TimeZone) -> Result<(DateTime<Utc>, Option<Note>), ValidationError> {
    let unfit = |message: String| ValidationError::not_allowed("localTime", message);
    let out_of_range = || unfit("is too far away".to_owned());
    let (offset, note) = match zone.to_ambiguous_timestamp(time).offset() {
        AmbiguousOffset::Unambiguous { offset } => (offset, None),
        AmbiguousOffset::Fold { before, .. } => {
            let note = "This time comes twice, because clocks are put back; the earlier one is meant.";
            (before, Some(note.to_owned()))
        }
        AmbiguousOffset::Gap { before, .. } => {
            // Read with the offset from before the jump, the time lies behind it by just as much as it was in it.
            let next = before.to_timestamp(time).map_err(|_| out_of_range())?;
            let next = next.to_zoned(zone.clone()).datetime();
            let next = next.strftime("%Y-%m-%dT%H:%M");
            return Err(unfit(format!(
                "does not exist there: clocks are put forward over it; {next} does"
            )));
        }
    };
    let timestamp = offset.to_timestamp(time).map_err(|_| out_of_range())?;
    let at = DateTime::from_timestamp(timestamp.as_second(), 0).ok_or_else(out_of_range)?;
    Ok((at, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(local: &str, zone: &str) -> (String, bool) {
        let (time, note) = LocalTime::resolve(local, zone).unwrap();
        (time.at.to_rfc3339(), note.is_some())
    }

    #[test]
    fn the_offset_is_that_of_the_day() {
        assert_eq!(
            at("2027-01-10T09:00", "Europe/Berlin"),
            ("2027-01-10T08:00:00+00:00".to_owned(), false)
        );
        assert_eq!(
            at("2027-07-10T09:00:30", "Europe/Berlin"),
            ("2027-07-10T07:00:30+00:00".to_owned(), false)
        );
        assert_eq!(
            at("2027-07-10T09:00", "Asia/Kolkata"),
            ("2027-07-10T03:30:00+00:00".to_owned(), false)
        );
    }

    #[test]
    fn of_a_time_that_comes_twice_the_earlier_is_meant() {
        assert_eq!(
            at("2027-10-31T02:30", "Europe/Berlin"),
            ("2027-10-31T00:30:00+00:00".to_owned(), true)
        );
    }

    #[test]
    fn a_time_that_clocks_skip_is_refused_with_the_next_that_exists() {
        let errors = LocalTime::resolve("2027-03-28T02:30", "Europe/Berlin").unwrap_err();
        assert_eq!(errors[0].field, "localTime");
        assert!(errors[0].message.contains("2027-03-28T03:30"), "{}", errors[0]);
    }

    #[test]
    fn invalid_time_and_zone_are_reported_at_once() {
        let errors = LocalTime::resolve("tomorrow", "Mars/Olympus").unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["localTime", "timeZone"]);
        for local in [
            "2027-03-28",
            "2027-02-30T09:00",
            "2027-03-28T09:00Z",
            "2027-03-28T25:00",
        ] {
            assert!(LocalTime::resolve(local, "Europe/Berlin").is_err(), "{local}");
        }
    }
}

//! Number of events of one type on one day.
use chrono::NaiveDate;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyCount {
    pub day: NaiveDate,
    pub event: String,
    pub count: i64,
}

//! Pure rules: validation and redaction of browser events, the subjects of an event, partitions and periods.
pub mod daily_count;
pub mod months;
pub mod period;
mod personal_numbers;
pub mod privacy;
pub mod subjects;
pub mod web_event;

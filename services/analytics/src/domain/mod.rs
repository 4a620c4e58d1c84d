//! What may be recorded and over which days it is counted. Pure: no clock, no I/O.
pub mod about;
pub mod daily_count;
pub mod months;
mod numbers;
pub mod period;
pub mod privacy;
pub mod web_event;

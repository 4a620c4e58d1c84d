//! The consumed events, through the inbox. kit handles the erasure requests.
use kit::consumer::ConsumerSpec;
use kit::erasure;

pub const ERASURES: ConsumerSpec = ConsumerSpec {
    name: "sessions-erasure",
    subjects: &[erasure::REQUESTED],
    max_attempts: 20,
};

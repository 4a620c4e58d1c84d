//! What sessions listens to, through the inbox. What is done then is kit's.
use kit::consumer::ConsumerSpec;
use kit::erasure;

pub const ERASURES: ConsumerSpec = ConsumerSpec {
    name: "sessions-erasure",
    subjects: &[erasure::REQUESTED],
    max_attempts: 20,
};

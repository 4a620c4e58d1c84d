//! What sessions listens to, through the inbox. What is done then is kit's.
use kit::consumer::Spec;
use kit::erasure;

pub const ERASURES: Spec = Spec {
    name: "sessions-erasure",
    subjects: &[erasure::REQUESTED],
    max_attempts: 20,
};

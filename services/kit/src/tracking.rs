//! The query parameters that tell where a visitor came from. Every other one may be a secret and goes nowhere.

/// The only ones ever kept or forwarded.
pub const PARAMETERS: [&str; 11] = [
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_content",
    "utm_term",
    "cpname",
    "agname",
    "adname",
    "cpid",
    "agid",
    "adid",
];

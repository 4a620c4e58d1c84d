//! Tracking parameters of URLs. Any other parameter may be a secret and is neither stored nor forwarded.

/// The only parameters that are stored or forwarded.
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

//! Rights, limits, redirects and CSP reports.
mod csp_reports;
mod guess_limits;
mod limits;
mod redirects;
mod unauthorized;

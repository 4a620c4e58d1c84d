//! Endpoints that the gateway answers by itself: countries, redirect targets, CSP reports and API descriptions.
pub mod countries;
pub mod country;
pub mod csp_reports;
pub mod documents;
pub mod redirects;

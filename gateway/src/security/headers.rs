//! What a browser may do with our answers.
use axum::http::HeaderMap;
use http::header::{REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use http::{HeaderName, HeaderValue};

use crate::security::site::Site;

/// For what is no page.
pub const API_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Only stored answers carry it.
pub const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// The headers that every answer carries.
#[derive(Clone)]
pub struct SecurityHeaders {
    all: Vec<(HeaderName, HeaderValue)>,
}

impl SecurityHeaders {
    pub fn new(site: &Site) -> Self {
        let mut all = vec![
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (
                REFERRER_POLICY,
                HeaderValue::from_static("strict-origin-when-cross-origin"),
            ),
            (
                HeaderName::from_static("permissions-policy"),
                HeaderValue::from_static("camera=(), microphone=(), geolocation=(), usb=()"),
            ),
            // Payment and sign-in providers open windows that speak to the page.
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("same-origin-allow-popups"),
            ),
        ];
        if site.is_https() {
            let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            all.push((STRICT_TRANSPORT_SECURITY, year));
        }
        Self { all }
    }

    pub fn write(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.all {
            headers.insert(name, value.clone());
        }
    }
}

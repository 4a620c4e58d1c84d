//! The cookie of a survey's browser.
use axum::http::HeaderMap;

use crate::security::cookies::SessionCookie;

/// The order a browser began, and the key to its answers.
pub struct SurveyCookie {
    pub order_id: String,
    pub access_key: String,
}

impl SurveyCookie {
    pub fn read(cookie: SessionCookie, headers: &HeaderMap) -> Option<Self> {
        let (order_id, access_key) = cookie.survey(headers)?.split_once('.')?;
        Some(Self {
            order_id: order_id.to_owned(),
            access_key: access_key.to_owned(),
        })
    }

    /// The key of this order; empty where the browser began another.
    pub fn key_of(cookie: SessionCookie, headers: &HeaderMap, order_id: &str) -> String {
        let held = Self::read(cookie, headers).filter(|held| held.order_id == order_id);
        held.map(|held| held.access_key).unwrap_or_default()
    }
}

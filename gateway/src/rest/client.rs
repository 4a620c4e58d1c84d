//! The client of a request.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::state::AppState;

/// The client of a request, for handlers.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

impl FromRequestParts<Arc<AppState>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Self, Infallible> {
        Ok(Self(app.limits.client_of(&parts.headers, &parts.extensions)))
    }
}

//! Counts wrong coupons per client, and refuses the coupons of a client with too many of them.
use kit::error::ErrorCode;
use std::sync::Arc;

use axum::body::{self, Body};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::protocol::error::{HandlerResult, Problem};
use crate::protocol::media_type::text_field;
use crate::state::AppState;

/// For calls that may name a coupon. Its body is whole by now, and small.
pub async fn coupons(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> HandlerResult<Response> {
    let client = app.limits.client_of(request.headers(), request.extensions());
    let guesses = &app.limits.coupons;
    let request = match guesses.check(client) {
        Ok(()) => request,
        Err(refusal) => without_coupon(request).await.ok_or(refusal)?,
    };
    let response = next.run(request).await;
    let problem = response.extensions().get::<Problem>();
    if problem.is_some_and(|problem| problem.failure().error_code() == Some(ErrorCode::UnknownCoupon)) {
        guesses.count_wrong(client);
    }
    Ok(response)
}

/// `None`: it names one. A client that guessed wrong too often can still buy at the full price.
async fn without_coupon(request: Request) -> Option<Request> {
    let (parts, body) = request.into_parts();
    let bytes = body::to_bytes(body, usize::MAX).await.ok()?;
    let coupon = text_field(&parts.headers, &bytes, "coupon_code");
    let names_none = coupon.is_none_or(|coupon| coupon.trim().is_empty());
    names_none.then(|| Request::from_parts(parts, Body::from(bytes)))
}

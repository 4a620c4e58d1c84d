//! Limits around a route: concurrency, rates, body size and time.
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use kit::error::{ErrorCode, Kind};

use crate::protocol::allowances::Allowance;
use crate::protocol::error::{HandlerResult, Problem};
use crate::security::limits::Rate;
use crate::state::AppState;

/// Refuses a request at once while too many others run.
pub async fn shed_load(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> HandlerResult<Response> {
    let Some(_slot) = app.limits.try_slot() else {
        metrics::counter!("gateway_shed_total").increment(1);
        return Err(Problem::new(
            Kind::Unavailable,
            ErrorCode::Overloaded,
            "Too busy; try again in a moment.",
        )
        .retry_after(1));
    };
    Ok(next.run(request).await)
}

/// Counts the request against one of the client's rates.
pub async fn rate(
    State((app, rate)): State<(Arc<AppState>, Rate)>,
    request: Request,
    next: Next,
) -> HandlerResult<Response> {
    let client = app.limits.client_of(request.headers(), request.extensions());
    app.limits.admit(rate, client)?;
    Ok(next.run(request).await)
}

/// Takes the whole body in, within its own time, then lets the call run until its deadline, which travels inwards.
pub async fn bound_body_and_time(
    State((app, allowance)): State<(Arc<AppState>, Allowance)>,
    request: Request,
    next: Next,
) -> HandlerResult<Response> {
    let request = with_whole_body(request, allowance.body_bytes, app.config.server.body_timeout).await?;
    let answer = kit::deadline::within(allowance.deadline, next.run(request)).await;
    Ok(answer.unwrap_or_else(|_| too_slow()))
}

/// For addresses that read no body: what is sent all the same is not waited for, so an unknown address is 404 whatever comes with it.
pub async fn without_body(State(deadline): State<Duration>, request: Request, next: Next) -> Response {
    let (parts, _unread) = request.into_parts();
    let request = Request::from_parts(parts, Body::empty());
    let answer = kit::deadline::within(deadline, next.run(request)).await;
    answer.unwrap_or_else(|_| too_slow())
}

fn too_slow() -> Response {
    Problem::new(
        Kind::Timeout,
        ErrorCode::Timeout,
        "It took too long; try again in a moment.",
    )
    .into_response()
}

async fn with_whole_body(request: Request, most_bytes: usize, within: Duration) -> HandlerResult<Request> {
    let (parts, body) = request.into_parts();
    let collected = tokio::time::timeout(within, Limited::new(body, most_bytes).collect()).await;
    match collected {
        Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let message = format!("The body may have at most {most_bytes} bytes.");
            Err(Problem::new(Kind::Invalid, ErrorCode::BodyTooLarge, message))
        }
        Ok(Err(_)) => Err(
            Problem::new(Kind::Invalid, ErrorCode::MalformedBody, "The body broke off.").field(
                "body",
                ErrorCode::Incomplete,
                "The body broke off.",
            ),
        ),
        Err(_) => Err(Problem::new(
            Kind::Timeout,
            ErrorCode::BodyTimeout,
            "The body took too long to arrive.",
        )),
    }
}

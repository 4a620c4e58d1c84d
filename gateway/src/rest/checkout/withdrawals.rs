//! Withdrawal from a contract, with or without a session, as EU law requires.
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use proto::checkout::v1::DeclareWithdrawalRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters::{IdempotencyKeyParam, Throttled};
use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::body::Json;
use crate::rest::checkout::subscriptions::incomplete_response;
use crate::rest::idempotency::IdempotencyKey;
use crate::rest::viewer::Viewer;
use crate::state::AppState;

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct WithdrawalRequest {
    #[schema(example = "Ada Lovelace")]
    full_name: String,
    /// Where it is confirmed to.
    #[schema(example = "ada@example.com")]
    email: String,
    /// The number of an order, a subscription or a receipt, or another description of the contract; at most 200 characters.
    #[schema(value_type = Option<String>, example = "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    reference: Option<String>,
    /// Which the confirmation is written in; English when left out.
    #[schema(value_type = Option<String>, example = "de")]
    language: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalReceipt {
    #[schema(example = "wdr_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    id: String,
    /// When it was declared, in UTC.
    received_at: DateTime<Utc>,
}

/// Declares a withdrawal from a contract. It is confirmed by mail at once; the response does not reveal whether an account or order exists.
#[utoipa::path(
    post, path = "/api/withdrawals", tag = "checkout", request_body = WithdrawalRequest, params(IdempotencyKeyParam),
    responses(
        (status = 202, body = WithdrawalReceipt),
        (status = 409, body = ProblemBody, content_type = "application/problem+json",
         description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json",
         description = "VALIDATION_FAILED, with `full_name`, `email`, `reference` and `language` among the fields"),
        Throttled,
    )
)]
pub async fn declare_withdrawal(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    Json(declared): Json<WithdrawalRequest>,
) -> HandlerResult<Response> {
    let request = DeclareWithdrawalRequest {
        full_name: declared.full_name,
        email: declared.email,
        reference: declared.reference.unwrap_or_default(),
        language: declared.language.unwrap_or_default(),
        user_id: viewer.map(|viewer| viewer.user.user_id).unwrap_or_default(),
        idempotency_key,
    };
    let answer = app.clients.checkout().declare_withdrawal(request).await?;
    let answer = answer.into_inner();
    let received_at = answer.received_at.and_then(|at| at.try_into().ok());
    let received = WithdrawalReceipt {
        id: answer.withdrawal_id,
        received_at: received_at.ok_or_else(incomplete_response)?,
    };
    let headers = [(CACHE_CONTROL, "no-store")];
    Ok((StatusCode::ACCEPTED, headers, axum::Json(received)).into_response())
}

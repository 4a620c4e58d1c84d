//! Access tokens for clients without the session cookie, and the public keys of their signatures.
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use proto::auth::v1::{IssueAccessTokenRequest, ListPublicKeysRequest, PublicKey};
use secrecy::ExposeSecret;
use serde::Serialize;
use utoipa::ToSchema;

use crate::openapi::parameters::NotSignedIn;
use crate::protocol::error::HandlerResult;
use crate::rest::viewer::Viewer;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub struct SignedToken {
    #[schema(example = "eyJhbGciOiJFZERTQSJ9.e30.c2ln")]
    access_token: String,
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// Seconds.
    #[schema(example = 900)]
    expires_in: i32,
}

/// RFC 7517.
#[derive(Serialize, ToSchema)]
pub struct KeySet {
    keys: Vec<Key>,
}

/// An Ed25519 key (RFC 8037).
#[derive(Serialize, ToSchema)]
pub struct Key {
    #[schema(example = "OKP")]
    kty: &'static str,
    #[schema(example = "Ed25519")]
    crv: &'static str,
    #[schema(example = "EdDSA")]
    alg: &'static str,
    #[serde(rename = "use")]
    #[schema(example = "sig")]
    usage: &'static str,
    kid: String,
    #[schema(example = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")]
    x: String,
}

impl From<PublicKey> for Key {
    fn from(key: PublicKey) -> Self {
        Self {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            usage: "sig",
            kid: key.key_id,
            x: key.x,
        }
    }
}

/// Creates a signed token of the member, valid for 15 minutes and only while the session is.
#[utoipa::path(
    post, path = "/api/auth/access-tokens", tag = "auth",
    responses(
        (status = 201, body = SignedToken),
        NotSignedIn,
    )
)]
pub async fn issue_access_token(viewer: Viewer, State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let request = IssueAccessTokenRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().issue_access_token(request).await?.into_inner();
    let body = SignedToken {
        access_token: answer.access_token,
        token_type: "Bearer",
        expires_in: answer.expires_in_secs,
    };
    Ok((
        StatusCode::CREATED,
        [(CACHE_CONTROL, "no-store")],
        axum::Json(body),
    )
        .into_response())
}

/// The public keys of access tokens. A key is listed two hours before its first signature.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "auth", responses((status = 200, body = KeySet)))]
pub async fn key_set(State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let answer = app
        .clients
        .auth()
        .list_public_keys(ListPublicKeysRequest {})
        .await?
        .into_inner();
    let keys = answer.keys.into_iter().map(Key::from).collect();
    Ok((
        [(CACHE_CONTROL, "public, max-age=3600")],
        axum::Json(KeySet { keys }),
    )
        .into_response())
}

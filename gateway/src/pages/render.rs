//! Asking the web renderer for an answer.
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_RANGES, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_SECURITY_POLICY, DATE, ETAG, LAST_MODIFIED, SERVER, SET_COOKIE, TRANSFER_ENCODING, VARY,
};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::Semaphore;

use crate::cache::cache_policy::CachePolicy;
use crate::cache::tags::CacheTag;
use crate::config::PageSettings;
use crate::security::site::Site;

const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");

/// Makes the renderer request a draft. Visitors' own headers never reach it.
const PREVIEW_TOKEN: HeaderName = HeaderName::from_static("x-stillpoint-preview");

/// Ours to say, or of no meaning behind a cache.
const NOT_PASSED_ON: [HeaderName; 14] = [
    ACCEPT_RANGES,
    CACHE_CONTROL,
    CONNECTION,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_SECURITY_POLICY,
    DATE,
    ETAG,
    HeaderName::from_static("keep-alive"),
    LAST_MODIFIED,
    SERVER,
    SET_COOKIE,
    TRANSFER_ENCODING,
    VARY,
];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("the renderer cannot be reached: {0}")]
    Unreachable(String),
    #[error("the renderer took too long")]
    TooSlow,
    #[error("too many pages are being made")]
    Busy,
    #[error("the renderer answered {0}")]
    Failed(StatusCode),
    #[error("the answer is larger than allowed")]
    TooLarge,
    #[error("a service did not answer: {0}")]
    Service(String),
    #[error("making the page crashed")]
    Crashed,
}

/// An answer as it was made, before it is compressed.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub cache_policy: CachePolicy,
    pub tags: Vec<CacheTag>,
}

pub struct Renderer {
    client: Client<HttpConnector, Empty<Bytes>>,
    base: Uri,
    headers: HeaderMap,
    timeout: Duration,
    slots: Semaphore,
    max_bytes: usize,
}

impl Renderer {
    pub fn new(base: Uri, site: &Site, settings: &PageSettings) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(Duration::from_secs(1)));
        Self {
            client: Client::builder(TokioExecutor::new())
                .pool_max_idle_per_host(8)
                .build(connector),
            base,
            headers: request_headers(site),
            timeout: settings.render_timeout,
            slots: Semaphore::new(settings.render_concurrency),
            max_bytes: settings.max_bytes,
        }
    }

    /// Neither query nor cookies go along: an answer depends on its path alone.
    pub async fn render(&self, path: &str) -> Result<Rendered, RenderError> {
        self.render_with(path, self.headers.clone()).await
    }

    /// With the draft that a token lets one see.
    pub async fn preview(&self, path: &str, token: &str) -> Result<Rendered, RenderError> {
        let mut headers = self.headers.clone();
        let token = HeaderValue::try_from(token);
        headers.insert(PREVIEW_TOKEN, token.map_err(|_| RenderError::Crashed)?);
        self.render_with(path, headers).await
    }

    async fn render_with(&self, path: &str, headers: HeaderMap) -> Result<Rendered, RenderError> {
        let rendering = async {
            let _slot = self.slots.acquire().await.map_err(|_| RenderError::Busy)?;
            let response = self.send(path, headers).await?;
            self.take(response).await
        };
        tokio::time::timeout(self.timeout, rendering)
            .await
            .unwrap_or(Err(RenderError::TooSlow))
    }

    async fn send(&self, path: &str, headers: HeaderMap) -> Result<Response<Incoming>, RenderError> {
        let unreachable = |error: &dyn std::error::Error| RenderError::Unreachable(error.to_string());
        let mut parts = self.base.clone().into_parts();
        parts.path_and_query = Some(
            path.parse()
                .map_err(|error| unreachable(&error as &http::uri::InvalidUri))?,
        );
        let uri = Uri::from_parts(parts).map_err(|error| unreachable(&error))?;
        let mut request = Request::new(Empty::new());
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        let response = self
            .client
            .request(request)
            .await
            .map_err(|error| unreachable(&error))?;
        match response.status() {
            status if status.is_server_error() => Err(RenderError::Failed(status)),
            _ => Ok(response),
        }
    }

    async fn take(&self, response: Response<Incoming>) -> Result<Rendered, RenderError> {
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, self.max_bytes)
            .collect()
            .await
            .map_err(|error| {
                if error.is::<LengthLimitError>() {
                    return RenderError::TooLarge;
                }
                RenderError::Unreachable(error.to_string())
            })?;
        let policy = CachePolicy::of(parts.status, &parts.headers);
        let keys = parts
            .headers
            .get(SURROGATE_KEY)
            .and_then(|keys| keys.to_str().ok())
            .unwrap_or_default();
        let tags = CacheTag::of_header(keys);
        let mut headers = parts.headers;
        for name in NOT_PASSED_ON {
            headers.remove(name);
        }
        headers.insert(CACHE_CONTROL, policy.cache_control());
        Ok(Rendered {
            status: parts.status,
            headers,
            body: body.to_bytes(),
            cache_policy: policy,
            tags,
        })
    }
}

fn request_headers(site: &Site) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert("x-forwarded-proto", HeaderValue::from_static(site.scheme()));
    if let Ok(host) = HeaderValue::from_str(site.authority()) {
        headers.insert("x-forwarded-host", host);
    }
    headers
}

//! The hyper service in front of the router: answers from the caches, routes everything else.
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, Either};
use http::{Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::Service;
use tower::ServiceExt;

use crate::cache::entry::CacheStatus;
use crate::pages::Pages;
use crate::security::limits::Peer;
use crate::server::handlers::cached_query::Outcome;
use crate::server::handlers::{cached_query, preview};
use crate::state::AppState;

pub type Body = http_body_util::Either<Full<Bytes>, axum::body::Body>;
type ServiceResult = Result<Response<Body>, Infallible>;

#[derive(Clone)]
pub struct CachedRouter {
    app: Arc<AppState>,
    routes: Router,
}

impl CachedRouter {
    pub fn new(app: Arc<AppState>, routes: Router) -> Self {
        Self { app, routes }
    }

    pub fn pages(&self) -> &Pages {
        &self.app.pages
    }

    pub fn for_peer(&self, peer: SocketAddr) -> PeerService {
        PeerService {
            router: self.clone(),
            peer,
        }
    }

    fn cached_page<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        if preview::is_requested(request.uri(), request.headers(), self.app.session_cookie) {
            return None;
        }
        let entry = self.app.pages.fresh(request.uri().path())?;
        Some(
            entry
                .respond(request.method(), request.headers(), CacheStatus::Hit)
                .map(Body::Left),
        )
    }
}

impl CachedRouter {
    async fn graphql(self, request: Request<Incoming>) -> ServiceResult {
        match cached_query::answer(&self.app, request).await {
            Outcome::Answered(response) => Ok(response.map(Body::Left)),
            Outcome::Unhandled(request) => self.route(request).await,
        }
    }

    async fn route(self, request: Request<axum::body::Body>) -> ServiceResult {
        let Ok(response) = self.routes.oneshot(request).await;
        Ok(response.map(Body::Right))
    }
}

/// The service of one connection.
#[derive(Clone)]
pub struct PeerService {
    router: CachedRouter,
    peer: SocketAddr,
}

impl Service<Request<Incoming>> for PeerService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<ServiceResult>, BoxFuture<'static, ServiceResult>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        if let Some(response) = self.router.cached_page(&request) {
            return Either::Left(ready(Ok(response)));
        }
        request.extensions_mut().insert(Peer(self.peer));
        if cached_query::is_cacheable(&request) {
            let edge = self.router.clone();
            return Either::Right(async move { edge.graphql(request).await }.boxed());
        }
        Either::Right(
            self.router
                .clone()
                .route(request.map(axum::body::Body::new))
                .boxed(),
        )
    }
}

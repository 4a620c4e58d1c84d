//! The first thing a request meets: what the page cache holds is written at once, everything else goes to the routes.
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

use crate::pages::Pages;
use crate::pages::entry::Outcome;
use crate::security::limits::Peer;

pub type Body = http_body_util::Either<Full<Bytes>, axum::body::Body>;
type Answer = Result<Response<Body>, Infallible>;

#[derive(Clone)]
pub struct Edge {
    pages: Arc<Pages>,
    routes: Router,
}

impl Edge {
    pub fn new(pages: Arc<Pages>, routes: Router) -> Self {
        Self { pages, routes }
    }

    pub fn for_peer(&self, peer: SocketAddr) -> PeerEdge {
        PeerEdge {
            edge: self.clone(),
            peer,
        }
    }

    fn cached<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let entry = self.pages.fresh(request.uri().path())?;
        Some(
            entry
                .respond(request.method(), request.headers(), Outcome::Hit)
                .map(Body::Left),
        )
    }
}

/// One connection's view of the edge.
#[derive(Clone)]
pub struct PeerEdge {
    edge: Edge,
    peer: SocketAddr,
}

impl Service<Request<Incoming>> for PeerEdge {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<Answer>, BoxFuture<'static, Answer>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        if let Some(response) = self.edge.cached(&request) {
            return Either::Left(ready(Ok(response)));
        }
        request.extensions_mut().insert(Peer(self.peer));
        let answering = self
            .edge
            .routes
            .clone()
            .oneshot(request.map(axum::body::Body::new));
        Either::Right(
            answering
                .map(|answer| answer.map(|response| response.map(Body::Right)))
                .boxed(),
        )
    }
}

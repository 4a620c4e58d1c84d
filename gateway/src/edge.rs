//! The first thing a request meets: what is held in memory is written at once, everything else goes to the routes.
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

use crate::app::App;
use crate::graphql::quick::{self, Taken};
use crate::pages::entry::Outcome;
use crate::pages::{Pages, preview};
use crate::security::limits::Peer;

pub type Body = http_body_util::Either<Full<Bytes>, axum::body::Body>;
type Answer = Result<Response<Body>, Infallible>;

#[derive(Clone)]
pub struct Edge {
    app: Arc<App>,
    routes: Router,
}

impl Edge {
    pub fn new(app: Arc<App>, routes: Router) -> Self {
        Self { app, routes }
    }

    pub fn pages(&self) -> &Pages {
        &self.app.pages
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
        if preview::is_asked(request.uri(), request.headers()) {
            return None;
        }
        let entry = self.app.pages.fresh(request.uri().path())?;
        Some(
            entry
                .respond(request.method(), request.headers(), Outcome::Hit)
                .map(Body::Left),
        )
    }
}

impl Edge {
    async fn question(self, request: Request<Incoming>) -> Answer {
        match quick::answer(&self.app, request).await {
            Taken::Answered(response) => Ok(response.map(Body::Left)),
            Taken::Other(request) => self.routed(request).await,
        }
    }

    async fn routed(self, request: Request<axum::body::Body>) -> Answer {
        let Ok(response) = self.routes.oneshot(request).await;
        Ok(response.map(Body::Right))
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
        if quick::may_answer(&request) {
            let edge = self.edge.clone();
            return Either::Right(async move { edge.question(request).await }.boxed());
        }
        Either::Right(
            self.edge
                .clone()
                .routed(request.map(axum::body::Body::new))
                .boxed(),
        )
    }
}

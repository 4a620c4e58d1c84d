//! What every handler can reach.
use std::sync::Arc;

use kit::clock::Clock;
use kit::run::AppContext;
use tokio_util::sync::CancellationToken;

use crate::cache::response_cache::ResponseCache;
use crate::clients::Clients;
use crate::config::Config;
use crate::graphql::Graphql;
use crate::openapi::documents::Documents;
use crate::pages::Pages;
use crate::security::cookies::SessionCookie;
use crate::security::headers::SecurityHeaders;
use crate::security::limits::Limits;

pub struct AppState {
    pub config: Config,
    pub clock: Clock,
    pub clients: Clients,
    pub pages: Arc<Pages>,
    pub graphql: Graphql,
    pub limits: Arc<Limits>,
    pub security_headers: SecurityHeaders,
    pub session_cookie: SessionCookie,
    pub documents: Documents,
    /// Cancelled when the process stops; streams end then.
    pub shutdown: CancellationToken,
}

impl AppState {
    pub fn new(host: &AppContext, config: Config, documents: Documents) -> Arc<Self> {
        let clients = Clients::new(&host.directory);
        let session_cookie = if config.site.is_https() {
            SessionCookie::for_https()
        } else {
            SessionCookie::for_http()
        };
        let pages = Pages::new(&config, host, clients.clone());
        let responses = ResponseCache::new(
            host.clock.clone(),
            config.pages.answer_bytes,
            Arc::clone(pages.tags()),
        );
        Arc::new(Self {
            graphql: Graphql::new(clients.clone(), &config, responses),
            pages,
            limits: Arc::new(Limits::new(&config.clients)),
            security_headers: SecurityHeaders::new(&config.site),
            documents,
            clock: host.clock.clone(),
            shutdown: host.shutdown.clone(),
            session_cookie,
            clients,
            config,
        })
    }
}

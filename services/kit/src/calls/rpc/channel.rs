//! Connections to services in other processes.

use std::io;
use std::time::Duration;

use http::Uri;
use http::uri::Scheme;
use hyper_util::rt::TokioIo;
use proto::services::ServiceAddress;
use rustls::pki_types::{InvalidDnsNameError, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tonic::transport::{Channel, Endpoint};

use crate::tls::Tls;

/// With the handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const KEEP_ALIVE: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub(crate) enum ChannelError {
    #[error("not an address: {0}")]
    Uri(#[from] http::uri::InvalidUri),
    #[error("not an address")]
    Parts(#[from] http::Error),
    #[error("expected an address with {0}://")]
    Scheme(&'static str),
    #[error("no name of a service: {0}")]
    Name(#[from] InvalidDnsNameError),
}

pub(super) fn default_address(service: &ServiceAddress, tls: Option<&Tls>) -> String {
    format!("{}://{}", scheme(tls), service.default_authority())
}

const fn scheme(tls: Option<&Tls>) -> &'static str {
    match tls {
        Some(_) => "https",
        None => "http",
    }
}

/// Connects to `service` on first use and again after a loss, each time with the certificate that is current then. The other side must
/// have the certificate of `service`.
pub(crate) fn channel(service: &str, address: &str, tls: Option<Tls>) -> Result<Channel, ChannelError> {
    let address: Uri = address.parse()?;
    let scheme = scheme(tls.as_ref());
    if address.scheme_str() != Some(scheme) || address.host().is_none() {
        return Err(ChannelError::Scheme(scheme));
    }
    let Some(tls) = tls else {
        let endpoint = endpoint(address).connect_timeout(CONNECT_TIMEOUT);
        return Ok(endpoint.connect_lazy());
    };
    let server = ServerName::try_from(service.to_owned())?;
    let connector = tower::service_fn(move |uri: Uri| connect(uri, server.clone(), tls.clone()));
    // tonic rejects https without its own TLS, which cannot replace a certificate. The origin is what requests contain.
    let endpoint = endpoint(plain(&address)?).origin(address);
    Ok(endpoint.connect_with_connector_lazy(connector))
}

fn endpoint(address: Uri) -> Endpoint {
    Endpoint::from(address)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .keep_alive_timeout(KEEP_ALIVE)
}

fn plain(address: &Uri) -> Result<Uri, http::Error> {
    Uri::builder()
        .scheme(Scheme::HTTP)
        .authority(address.authority().map_or("", http::uri::Authority::as_str))
        .path_and_query("/")
        .build()
}

/// With its own time limit: tonic would report the end of its limit as an error of the service.
async fn connect(
    uri: Uri,
    server: ServerName<'static>,
    tls: Tls,
) -> io::Result<TokioIo<TlsStream<TcpStream>>> {
    const HTTPS: u16 = 443;
    let connecting = async {
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(HTTPS))).await?;
        stream.set_nodelay(true)?;
        TlsConnector::from(tls.client()).connect(server, stream).await
    };
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
    connected
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        .map(TokioIo::new)
}

//! `NATS_URL`: one server or several of one cluster, comma separated, with the credentials of the connection. Or the credentials
//! are in files, and so are the certificates of TLS.

use std::path::PathBuf;

use async_nats::{ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};

/// Files of the connection. Certificates and their keys are read at every connection, nkeys and credentials at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// `NATS_NKEY_FILE`: the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// `NATS_CREDENTIALS_FILE`: a JWT with its seed.
    pub credentials: Option<PathBuf>,
    /// `NATS_CA_FILE`: the only certificate authorities to accept. Requires TLS.
    pub ca: Option<PathBuf>,
    /// `NATS_CERT_FILE` and `NATS_KEY_FILE`. Requires TLS.
    pub certificate: Option<ClientCertificate>,
}

/// A certificate of this process, with its private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCertificate {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Files {
    /// Adds the files to `options`.
    pub async fn add_to(&self, mut options: ConnectOptions) -> Result<ConnectOptions, ConnectError> {
        if let Some(file) = &self.nkey {
            let seed = tokio::fs::read_to_string(file).await.map_err(unreadable)?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(file) = &self.credentials {
            options = options.credentials_file(file).await.map_err(unreadable)?;
        }
        if let Some(file) = &self.ca {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some(client) = &self.certificate {
            let (certificate, key) = (client.certificate.clone(), client.key.clone());
            options = options.add_client_certificate(certificate, key).require_tls(true);
        }
        Ok(options)
    }

    /// Whether these files identify this process to a server.
    pub const fn identify(&self) -> bool {
        self.nkey.is_some() || self.credentials.is_some() || self.certificate.is_some()
    }
}

fn unreadable(error: std::io::Error) -> ConnectError {
    ConnectError::with_source(ConnectErrorKind::Authentication, error)
}

/// What an address says.
pub struct Address {
    /// Without credentials: the client library writes its servers to its logs.
    pub servers: Vec<ServerAddr>,
    /// They sign in with the credentials.
    pub options: ConnectOptions,
    /// A token is no user.
    pub user: Option<String>,
}

/// Whether the address has credentials.
pub(crate) fn has_credentials(url: &str) -> bool {
    url.split(',')
        .filter_map(|server| server.trim().parse::<ServerAddr>().ok())
        .any(|server| server.username().is_some())
}

/// Adds the credentials in the address to `options`: `user:password@`, or a token alone, `token@`. The client library parses both and
/// uses neither.
pub fn parse(url: &str, options: ConnectOptions) -> Result<Address, ConnectError> {
    let servers = url
        .split(',')
        .map(|server| server.trim().parse())
        .collect::<Result<Vec<ServerAddr>, _>>()
        .map_err(unusable)?;
    // The servers of a cluster share their accounts.
    let signed_in = servers.iter().find(|server| server.username().is_some());
    let (options, user) = match signed_in.map(|server| (server.username(), server.password())) {
        Some((Some(user), Some(password))) => {
            let user = decoded(user);
            (
                options.user_and_password(user.clone(), decoded(password)),
                Some(user),
            )
        }
        Some((Some(token), None)) => (options.token(decoded(token)), None),
        _ => (options, None),
    };
    Ok(Address {
        servers: servers
            .into_iter()
            .map(without_credentials)
            .collect::<Result<_, _>>()?,
        options,
        user,
    })
}

fn without_credentials(server: ServerAddr) -> Result<ServerAddr, ConnectError> {
    let mut url = server.into_inner();
    // They fail for addresses that cannot have credentials.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    ServerAddr::from_url(url).map_err(unusable)
}

fn unusable(error: std::io::Error) -> ConnectError {
    ConnectError::with_source(ConnectErrorKind::ServerParse, error)
}

/// Decodes percent-escapes such as `%40` for `@`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| *first == b'%').and_then(byte);
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() {
            after.get(2..).unwrap_or_default()
        } else {
            after
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn byte(hex: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(hex).ok()?;
    u8::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_is_known_by_its_password_and_a_token_is_no_user() {
        let user_of = |url: &str| parse(url, ConnectOptions::new()).unwrap().user;
        assert_eq!(user_of("nats://check%40out:x@a:1"), Some("check@out".to_owned()));
        assert_eq!(user_of("nats://token@a:1"), None);
        assert_eq!(user_of("nats://a:1"), None);
        assert!(has_credentials("nats://token@a:1") && has_credentials("nats://b:1, nats://x:y@a:1"));
        assert!(!has_credentials("nats://a:1"));
    }

    #[test]
    fn escapes_are_undone_and_nothing_else_is_changed() {
        for (written, meant) in [
            ("plain", "plain"),
            ("p%40ss%3Aword", "p@ss:word"),
            ("a+b", "a+b"),
            ("100%", "100%"),
            ("%zz", "%zz"),
            ("%C3%A9", "é"),
        ] {
            assert_eq!(decoded(written), meant, "{written}");
        }
    }

    #[test]
    fn several_servers_of_a_cluster_are_read() {
        let address = parse("nats://a:1, nats://b:2", ConnectOptions::new()).unwrap();
        let hosts: Vec<_> = address
            .servers
            .iter()
            .map(|server| (server.host(), server.port()))
            .collect();
        assert_eq!(hosts, [("a", 1), ("b", 2)]);
        assert!(parse("nats://a:many", ConnectOptions::new()).is_err());
    }

    #[test]
    fn servers_are_without_the_credentials() {
        for (url, user) in [
            ("nats://ada:secret@a:1", Some("ada")),
            ("nats://secret@a:1", None),
        ] {
            let address = parse(url, ConnectOptions::new()).unwrap();
            assert_eq!(address.user.as_deref(), user);
            let shown = format!("{:?}", address.servers);
            assert!(!shown.contains("secret") && shown.contains('a'), "{shown}");
        }
    }
}

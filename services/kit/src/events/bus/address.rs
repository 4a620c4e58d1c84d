//! `NATS_URL`: one server or several of one cluster, comma separated, with the credentials of the connection.

use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};

/// The servers, and options that sign in with the credentials in the address: `user:password@`, or a token alone, `token@`. The client
/// library parses both and uses neither.
pub fn parse(
    url: &str,
    options: ConnectOptions,
) -> Result<(Vec<ServerAddr>, ConnectOptions), async_nats::ConnectError> {
    let servers = url
        .split(',')
        .map(|server| server.trim().parse())
        .collect::<Result<Vec<ServerAddr>, _>>()
        .map_err(|error| async_nats::ConnectError::with_source(ConnectErrorKind::ServerParse, error))?;
    // The servers of a cluster share their accounts.
    let signed_in = servers.iter().find(|server| server.username().is_some());
    let options = match signed_in.map(|server| (server.username(), server.password())) {
        Some((Some(user), Some(password))) => options.user_and_password(decoded(user), decoded(password)),
        Some((Some(token), None)) => options.token(decoded(token)),
        _ => options,
    };
    Ok((servers, options))
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
        let (servers, _) = parse("nats://a:1, nats://b:2", ConnectOptions::new()).unwrap();
        let hosts: Vec<_> = servers
            .iter()
            .map(|server| (server.host(), server.port()))
            .collect();
        assert_eq!(hosts, [("a", 1), ("b", 2)]);
        assert!(parse("nats://a:many", ConnectOptions::new()).is_err());
    }
}

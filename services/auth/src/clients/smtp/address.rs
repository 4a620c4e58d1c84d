//! `SMTP_URL`: where the mail server is and how to speak with it.
use std::borrow::Cow;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

const PORT: u16 = 25;
const STARTTLS_PORT: u16 = 587;
const TLS_PORT: u16 = 465;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    None,
    /// In the clear for a moment; what does not offer TLS then is not spoken with.
    StartTls,
    Tls,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub credentials: Option<(String, String)>,
}

impl Server {
    pub fn unsecured(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            port: PORT,
            security: Security::None,
            credentials: None,
        }
    }
}

impl FromStr for Server {
    /// Never holds the address itself: a password may stand in it.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url =
            Url::parse(text).map_err(|_| "is no address such as smtps://user:password@mail.example:465")?;
        let tls = url.query_pairs().find(|(name, _)| name == "tls");
        let (security, port) = match (url.scheme(), tls.as_ref().map(|(_, value)| value.as_ref())) {
            ("smtp", None) => (Security::None, PORT),
            ("smtp", Some("required")) => (Security::StartTls, STARTTLS_PORT),
            ("smtps", None) => (Security::Tls, TLS_PORT),
            _ => return Err("is neither smtp://…, smtp://…?tls=required nor smtps://…"),
        };
        let credentials = credentials(&url)?;
        if credentials.is_some() && security == Security::None {
            return Err("would send its password in the clear: use smtps://… or ?tls=required");
        }
        let host = url.host_str().ok_or("names no host")?;
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(port),
            security,
            credentials,
        })
    }
}

fn credentials(url: &Url) -> Result<Option<(String, String)>, &'static str> {
    let Some(password) = url.password() else {
        return if url.username().is_empty() {
            Ok(None)
        } else {
            Err("has a user without a password")
        };
    };
    let plain = |text| {
        let decoded = percent_decode_str(text).decode_utf8().map(Cow::into_owned);
        decoded.map_err(|_| "has a user or a password that is no text")
    };
    Ok(Some((plain(url.username())?, plain(password)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, u16, Security) {
        let server: Server = text.parse().unwrap();
        (server.host, server.port, server.security)
    }

    #[test]
    fn the_scheme_says_how_it_is_secured() {
        assert_eq!(
            read("smtp://127.0.0.1:8025"),
            ("127.0.0.1".into(), 8025, Security::None)
        );
        assert_eq!(read("smtp://relay"), ("relay".into(), 25, Security::None));
        assert_eq!(
            read("smtp://m.example?tls=required"),
            ("m.example".into(), 587, Security::StartTls)
        );
        assert_eq!(
            read("smtps://m.example"),
            ("m.example".into(), 465, Security::Tls)
        );
        assert_eq!(read("smtp://[::1]:8025").0, "::1");
    }

    #[test]
    fn credentials_are_decoded() {
        let server: Server = "smtps://a%40b.c:p%2Fw%20d@m.example".parse().unwrap();
        assert_eq!(server.credentials, Some(("a@b.c".into(), "p/w d".into())));
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        for wrong in [
            "smtp://ada:secret@m.example",
            "smtp://ada:secret@m.example?tls=opportunistic",
            "http://ada:secret@m.example",
            "smtps://secret@m.example",
            "smtps://a:%ff@m.example",
            "m.example:25",
            "",
        ] {
            let error = wrong.parse::<Server>().err().unwrap();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}

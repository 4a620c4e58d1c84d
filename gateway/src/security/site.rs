//! The site's own origin. HSTS, the security of cookies and cross-site checks follow it.
use std::str::FromStr;

use url::Url;

#[derive(Clone)]
pub struct Site {
    origin: String,
}

impl Site {
    /// `https://www.example.org`, without a slash at the end.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn scheme(&self) -> &'static str {
        if self.is_https() { "https" } else { "http" }
    }

    /// Host and, where it is not the usual one, port.
    pub fn authority(&self) -> &str {
        self.origin
            .split_once("://")
            .map_or("", |(_, authority)| authority)
    }

    /// Without the port.
    pub fn host(&self) -> &str {
        let authority = self.authority();
        let port = authority
            .rsplit_once(':')
            .filter(|(_, port)| !port.ends_with(']'));
        port.map_or(authority, |(host, _)| host)
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

impl Default for Site {
    fn default() -> Self {
        Self {
            origin: "http://localhost:8080".into(),
        }
    }
}

impl FromStr for Site {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        let bare = url.path() == "/" && url.query().is_none() && url.username().is_empty();
        if matches!(url.scheme(), "http" | "https") && url.has_host() && bare {
            return Ok(Self {
                origin: url.origin().ascii_serialization(),
            });
        }
        Err("must be an http or https address with a host and no path".into())
    }
}

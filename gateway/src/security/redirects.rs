//! Where we may send a browser: to our own paths, and by name to a few hosts of others.
//!
//! A path is judged by what a browser makes of it: `/\evil`, `//evil` and `/./\evil` all lead to another host.
use std::collections::BTreeSet;

use kit::config::EnvReader;
use url::{Position, Url};

const HERE: &str = "https://here.invalid";
const LONGEST_BYTES: usize = 2048;

/// A parameter of an address that asks to be led somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `redirectPage`, `nextPage`: a page of this site.
    Page,
    /// `soul_redirection_url`, `url`: a page of a host that we know.
    External,
}

/// Decides for every redirect parameter. What it answers is made anew from the parsed address, never the text that came.
#[derive(Clone, Debug, Default)]
pub struct Redirects {
    hosts: BTreeSet<String>,
    /// `http://localhost:8090`: on this machine, without TLS.
    local_origins: BTreeSet<String>,
}

impl Redirects {
    /// `REDIRECT_HOSTS`
    pub fn read(reader: &mut EnvReader<'_>) -> Self {
        let hosts = reader.list("REDIRECT_HOSTS", &[]);
        Self::parse(hosts).unwrap_or_else(|error| {
            reader.fail("REDIRECT_HOSTS", error);
            Self::default()
        })
    }

    /// Hosts as in [`Redirects::new`]. One with `http://` in front must be this machine, where development has no TLS.
    fn parse(hosts: Vec<String>) -> Result<Self, String> {
        let (origins, hosts) = hosts
            .into_iter()
            .partition::<Vec<_>, _>(|host| host.contains("://"));
        let local_origins = origins.iter().map(|origin| local_origin(origin));
        Ok(Self {
            local_origins: local_origins.collect::<Result<_, _>>()?,
            ..Self::new(hosts)
        })
    }

    /// `hosts` as they stand in an address, with their port where it is not 443.
    pub fn new(hosts: impl IntoIterator<Item = String>) -> Self {
        Self {
            hosts: hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect(),
            local_origins: BTreeSet::new(),
        }
    }

    /// `None`: not there. The caller goes where it would have gone without the parameter.
    pub fn resolve(&self, parameter: Parameter, wanted: &str) -> Option<String> {
        // Browsers drop tabs and line ends wherever they stand, and read a backslash as a slash.
        let disguised = wanted.chars().any(|c| c.is_control() || c == '\\');
        if disguised || wanted.trim() != wanted || wanted.len() > LONGEST_BYTES {
            return None;
        }
        match parameter {
            Parameter::Page => own_page(wanted),
            Parameter::External => self.known_host(wanted),
        }
    }

    fn known_host(&self, wanted: &str) -> Option<String> {
        let (_, rest) = wanted.split_once("://")?;
        if rest.starts_with('/') || !wanted.is_ascii() {
            return None;
        }
        let url = Url::parse(wanted).ok()?;
        let bare = url.username().is_empty() && url.password().is_none();
        let is_known = match url.scheme() {
            "https" => self
                .hosts
                .contains(&url[Position::BeforeHost..Position::AfterPort]),
            "http" => self.local_origins.contains(&url.origin().ascii_serialization()),
            _ => false,
        };
        (bare && is_known).then(|| url.as_str().trim_end_matches('/').to_owned())
    }
}

/// The origin of an `http` address of this machine, as browsers write it.
fn local_origin(text: &str) -> Result<String, String> {
    let url = Url::parse(text).map_err(|error| format!("{text}: {error}"))?;
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if url.scheme() == "http" && is_local && url.path() == "/" {
        return Ok(url.origin().ascii_serialization());
    }
    Err(format!(
        "{text}: a host without scheme is led to over https; http:// is for localhost alone"
    ))
}

fn own_page(wanted: &str) -> Option<String> {
    if !wanted.starts_with('/') || wanted.starts_with("//") {
        return None;
    }
    let url = Url::parse(HERE).and_then(|base| base.join(wanted)).ok()?;
    OwnPath::parse(url.path())?;
    let fits = url.origin().ascii_serialization() == HERE;
    fits.then(|| url[Position::BeforePath..].to_owned())
}

/// A path (no query) on this site, safe to be sent as `Location`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPath(String);

impl OwnPath {
    pub fn parse(path: &str) -> Option<Self> {
        let rest = path.strip_prefix('/')?;
        let sound = rest.bytes().all(is_plain) && sound_segments(rest) && sound_escapes(rest);
        (sound && stays_here(path)).then(|| Self(path.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn with_slash(mut self) -> Self {
        if !self.0.ends_with('/') {
            self.0.push('/');
        }
        self
    }

    /// The value for `Location`; a query that could not be in a URI is dropped.
    pub fn location(&self, query: Option<&str>) -> String {
        match query {
            Some(query) if query.bytes().all(is_plain) => format!("{}?{query}", self.0),
            _ => self.0.clone(),
        }
    }
}

/// Visible ASCII without what ends a path or is read as a slash by browsers.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'#' | b'"' | b'<' | b'>' | b'`')
}

/// No `//`, `.` or `..`; the last segment may be empty, which is a slash at the end.
fn sound_segments(rest: &str) -> bool {
    let count = rest.split('/').count();
    rest.split('/').enumerate().all(|(index, segment)| match segment {
        "" => index + 1 == count,
        "." | ".." => false,
        _ => !segment.contains('?'),
    })
}

/// Escapes must be whole, and none may hide a slash, a backslash, a dot or a control character.
fn sound_escapes(rest: &str) -> bool {
    rest.split('%').skip(1).all(|tail| {
        let Some(Ok(byte)) = tail.get(..2).map(|hex| u8::from_str_radix(hex, 16)) else {
            return false;
        };
        tail.as_bytes().iter().take(2).all(u8::is_ascii_hexdigit)
            && !byte.is_ascii_control()
            && !matches!(byte, b'/' | b'\\' | b'.' | b'%')
    })
}

/// The last word has the parser that browsers' rules were written into.
fn stays_here(path: &str) -> bool {
    let joined = Url::parse(HERE).and_then(|base| base.join(path));
    joined.is_ok_and(|url| url.origin().ascii_serialization() == HERE && url.path() == path)
}

#[cfg(test)]
mod tests;

//! Where we may send a browser: to our own paths only.
//!
//! A path is judged by what a browser makes of it: `/\evil`, `//evil` and `/./\evil` all lead to another host.
use url::Url;

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
    const HERE: &str = "https://here.invalid";
    let joined = Url::parse(HERE).and_then(|base| base.join(path));
    joined.is_ok_and(|url| url.origin().ascii_serialization() == HERE && url.path() == path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn own_paths_pass() {
        for path in [
            "/",
            "/en",
            "/en/",
            "/en/payment/monthly/",
            "/tr/blog/a%C3%A7ik",
            "/en/offers/TEB40/",
        ] {
            assert!(OwnPath::parse(path).is_some(), "{path}");
        }
    }

    #[test]
    fn ways_out_are_refused() {
        let ways = [
            "",
            "en",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "/./\\evil.example",
            "/.//evil.example",
            "/../evil",
            "/%2e%2e/x",
            "/%2F/evil.example",
            "/%5Cevil.example",
            "/%252f",
            "/a\tb",
            "/a\nb",
            "/\u{0}",
            "https://evil.example/",
            "javascript:alert(1)",
            "/en?x",
            "/en#x",
            "/en/%0d%0aset-cookie",
            "/%",
            "/%+f",
            "/é",
        ];
        for path in ways {
            assert!(OwnPath::parse(path).is_none(), "{path:?}");
        }
    }

    #[test]
    fn query_is_kept_as_it_came() {
        let path = OwnPath::parse("/en").unwrap().with_slash();
        assert_eq!(
            path.location(Some("utm_source=a%20b&x=//y")),
            "/en/?utm_source=a%20b&x=//y"
        );
        assert_eq!(path.location(Some("a\r\nb")), "/en/");
        assert_eq!(path.location(None), "/en/");
    }

    proptest! {
        #[test]
        fn whatever_passes_stays_on_the_site(path in "[/\\\\.%a-z0-9:@?#\t\r\n -]{0,24}|/.{0,16}") {
            if let Some(own) = OwnPath::parse(&path) {
                let base = Url::parse("https://stillpoint.example/en/").unwrap();
                let landed = base.join(&own.with_slash().location(Some("q=1"))).unwrap();
                prop_assert_eq!(landed.host_str(), Some("stillpoint.example"));
                prop_assert_eq!(landed.scheme(), "https");
            }
        }

        #[test]
        fn ordinary_pages_always_pass(segments in proptest::collection::vec("[A-Za-z0-9_-]{1,12}", 1..5)) {
            let path = format!("/{}/", segments.join("/"));
            prop_assert!(OwnPath::parse(&path).is_some());
        }
    }
}

//! Path of a page without its locale.

use std::fmt;
use std::str::FromStr;

const LONGEST: usize = 512;

/// Starts with a slash and has none at the end; the root page is `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlPath(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must start with a slash, have none at the end, and hold only letters, digits, - . _ ~ between slashes"
)]
pub struct NotAPath;

impl UrlPath {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UrlPath {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = text.strip_prefix('/').ok_or(NotAPath)?;
        let fits = text.len() <= LONGEST && (inner.is_empty() || inner.split('/').all(is_segment));
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAPath)
        }
    }
}

/// Dots alone would walk up the path.
fn is_segment(segment: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    !segment.is_empty() && segment.bytes().all(allowed) && segment.bytes().any(|byte| byte != b'.')
}

impl fmt::Display for UrlPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_site_are_taken_as_written() {
        for path in [
            "/",
            "/signup",
            "/offers/TEB40",
            "/success/counseling-welcome/b2b",
            "/404",
        ] {
            assert_eq!(
                path.parse::<UrlPath>().map(|path| path.to_string()),
                Ok(path.to_owned())
            );
        }
    }

    #[test]
    fn anything_else_is_no_path() {
        for text in [
            "", "signup", "/signup/", "//", "/a//b", "/a b", "/../etc", "/a?b", "/a#b", "/%2e", "/ş", "/a\\b",
        ] {
            assert_eq!(text.parse::<UrlPath>(), Err(NotAPath), "{text}");
        }
        assert_eq!(
            format!("/{}", "a".repeat(LONGEST)).parse::<UrlPath>(),
            Err(NotAPath)
        );
    }
}

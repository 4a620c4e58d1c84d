//! Preview tokens: each opens the draft of one page until it expires.
use axum::http::HeaderMap;
use blocks::Locale;
use chrono::{DateTime, Utc};
use http::{HeaderName, HeaderValue};
use kit::error::Kind;
use proto::content::v1::{GetPreviewRequest, GetPreviewResponse, Page, PageForm};

use crate::clients::Clients;
use crate::protocol::error::Problem;

/// Other lengths are invalid; content is not called.
const TOKEN_CHARS: std::ops::RangeInclusive<usize> = 16..=256;

pub struct Preview {
    draft: Page,
    pub expires_at: DateTime<Utc>,
}

impl Preview {
    /// What a token lets one see; `None` for one that is unknown or over. Content judges it every time, so nothing about it
    /// needs to be signed.
    pub async fn of(token: &str, clients: &Clients) -> Result<Option<Self>, Problem> {
        if !TOKEN_CHARS.contains(&token.len()) || !token.bytes().all(is_plain) {
            return Ok(None);
        }
        let request = GetPreviewRequest {
            token: token.to_owned(),
            form: PageForm::Unspecified.into(),
        };
        match clients
            .content()
            .get_preview(request)
            .await
            .map_err(Problem::from)
        {
            Ok(answer) => Ok(read(answer.into_inner())),
            Err(problem) if problem.failure().kind == Kind::NotFound => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// The draft, if this is its page.
    pub fn page(&self, url_path: &str, locale: Locale) -> Option<&Page> {
        let is_it = self.draft.url_path == url_path && self.draft.locale == locale.code();
        is_it.then_some(&self.draft)
    }

    /// Where the page stands on the site.
    pub fn path(&self) -> String {
        match self.draft.url_path.trim_matches('/') {
            "" => format!("/{}/", self.draft.locale),
            path => format!("/{}/{path}/", self.draft.locale),
        }
    }
}

fn read(answer: GetPreviewResponse) -> Option<Preview> {
    Some(Preview {
        draft: answer.page?,
        expires_at: answer.expires_at?.try_into().ok()?,
    })
}

/// What may stand in a header and in a cookie.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

/// Keeps drafts out of search engines.
pub fn hide_from_search(headers: &mut HeaderMap) {
    const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");
    headers.insert(X_ROBOTS_TAG, HeaderValue::from_static("noindex, nofollow"));
}

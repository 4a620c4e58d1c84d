//! Creates a link to the draft of one page.

use chrono::TimeDelta;
use sha2::{Digest, Sha256};

use crate::domain::{ContentKey, Preview, PreviewId, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::stale_draft::published;
use crate::store::{draft, preview};

const TOKEN_BYTES: usize = 32;
const SHORTEST_SECS: i32 = 60;
const LONGEST_SECS: i32 = 7 * 24 * 60 * 60;

pub struct CreatedPreview {
    pub preview: Preview,
    /// Returned once; only its hash is stored.
    pub token: String,
}

impl Flows {
    pub async fn create_preview(
        &self,
        content_key: ContentKey,
        ttl_secs: i32,
    ) -> Result<CreatedPreview, Error> {
        if !(SHORTEST_SECS..=LONGEST_SECS).contains(&ttl_secs) {
            let message = format!("must be from {SHORTEST_SECS} to {LONGEST_SECS}");
            return Err(Error::Invalid(vec![ValidationError::not_allowed(
                "ttlSecs", message,
            )]));
        }
        let mut connection = self.pool.acquire().await?;
        let drafted = draft::find(&mut connection, &content_key).await?.body.is_some();
        if !drafted && published(&mut connection, &content_key).await?.is_none() {
            return Err(Error::NotFound(NotFoundKind::Draft));
        }
        let token = hex::encode(rand::random::<[u8; TOKEN_BYTES]>());
        let now = self.clock.now();
        let created = Preview {
            id: PreviewId::new(now),
            content_key,
            expires_at: now + TimeDelta::seconds(i64::from(ttl_secs)),
        };
        preview::insert(&mut connection, &created, &hash(&token), now).await?;
        Ok(CreatedPreview {
            preview: created,
            token,
        })
    }
}

/// Fast on purpose: 256 random bits need no slow hash.
pub(in crate::flows) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

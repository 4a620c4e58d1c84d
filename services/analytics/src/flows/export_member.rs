//! Exports all events about a member, one page at a time.
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::error::Error;
use crate::flows::Context;
use crate::store::member::{self, SubjectFilter};

pub use crate::store::member::MemberEvent;

const PAGE_SIZE: i64 = 500;

pub struct MemberExport {
    context: Arc<Context>,
    user_id: String,
    identifiers: Vec<String>,
    after: Option<(DateTime<Utc>, String)>,
}

impl MemberExport {
    pub async fn start(context: Arc<Context>, user_id: &str) -> Result<Self, Error> {
        let mut connection = context.pool.acquire().await?;
        let found_by = MemberIdentifiers::load(&context, &mut connection, user_id)
            .await?
            .all();
        drop(connection);
        Ok(Self {
            context,
            user_id: user_id.to_owned(),
            identifiers: found_by,
            after: None,
        })
    }

    /// `None` after the last page.
    pub async fn next(&mut self) -> Result<Option<Vec<MemberEvent>>, Error> {
        let after = self.after.as_ref().map(|(at, id)| (*at, id.as_str()));
        let mut connection = self.context.pool.acquire().await?;
        let filter = SubjectFilter {
            user_id: &self.user_id,
            identifiers: &self.identifiers,
        };
        let events = member::list_events(&mut connection, filter, after, PAGE_SIZE).await?;
        let Some(last) = events.last() else {
            return Ok(None);
        };
        self.after = Some((last.occurred_at, last.event_id.clone()));
        Ok(Some(events))
    }
}

/// The identifiers of a member in events.
pub struct MemberIdentifiers {
    /// Never reused for another person: the user id, its keyed hash, the survey orders of the sign-up.
    pub ids: Vec<String>,
    /// Keyed hashes of e-mail addresses, which another person may own later.
    addresses: Vec<String>,
}

impl MemberIdentifiers {
    pub async fn load(
        context: &Context,
        connection: &mut PgConnection,
        user_id: &str,
    ) -> Result<Self, sqlx::Error> {
        let hashed = context.pseudonyms.of_user_id(user_id);
        let addresses = member::list_hashed_addresses(connection, &hashed).await?;
        let survey_orders = member::list_survey_orders(connection, user_id).await?;
        Ok(Self {
            ids: [user_id.to_owned(), hashed]
                .into_iter()
                .chain(survey_orders)
                .collect(),
            addresses,
        })
    }

    pub fn all(&self) -> Vec<String> {
        self.ids.iter().chain(&self.addresses).cloned().collect()
    }
}

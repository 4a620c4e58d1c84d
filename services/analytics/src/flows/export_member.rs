//! Every event that is known to be about a member, some at a time.
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::error::Error;
use crate::flows::Context;
use crate::store::member::{self, Whose};

pub use crate::store::member::Kept;

const PAGE: i64 = 500;

pub struct MemberExport {
    context: Arc<Context>,
    user_id: String,
    found_by: Vec<String>,
    after: Option<(DateTime<Utc>, String)>,
}

impl MemberExport {
    pub async fn begin(context: Arc<Context>, user_id: &str) -> Result<Self, Error> {
        let mut connection = context.pool.acquire().await?;
        let found_by = Marks::of(&context, &mut connection, user_id).await?.all();
        drop(connection);
        Ok(Self {
            context,
            user_id: user_id.to_owned(),
            found_by,
            after: None,
        })
    }

    /// `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<Kept>>, Error> {
        let after = self.after.as_ref().map(|(at, id)| (*at, id.as_str()));
        let mut connection = self.context.pool.acquire().await?;
        let whose = Whose {
            user_id: &self.user_id,
            found_by: &self.found_by,
        };
        let events = member::events(&mut connection, whose, after, PAGE).await?;
        let Some(last) = events.last() else {
            return Ok(None);
        };
        self.after = Some((last.occurred_at, last.event_id.clone()));
        Ok(Some(events))
    }
}

/// By what a member is known here.
pub struct Marks {
    /// Their own, and nobody else's ever: their id, what pages report in its place, the surveys they signed up with.
    pub ids: Vec<String>,
    /// What pages report in the place of their address, which may be somebody's again.
    addresses: Vec<String>,
}

impl Marks {
    pub async fn of(
        context: &Context,
        connection: &mut PgConnection,
        user_id: &str,
    ) -> Result<Self, sqlx::Error> {
        let hashed = context.pseudonyms.of_user_id(user_id);
        let addresses = member::hashed_addresses(connection, &hashed).await?;
        let survey_orders = member::survey_orders(connection, user_id).await?;
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

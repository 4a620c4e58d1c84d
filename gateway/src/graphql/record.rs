//! What pages ask for by its id.
use std::sync::Arc;

use async_graphql::{Context, Result};
use blocks::{HeroComponent, Locale, Model};
use kit::error::Kind;
use proto::content::v1::GetRecordRequest;

use crate::clients::Clients;
use crate::graphql::protocol::graphql_error;
use crate::protocol::error::Problem;

/// A record as stored, with its id; `None` where no locale has it, or where this version cannot read it.
pub async fn load<M: Model>(ctx: &Context<'_>, id: String, locale: Locale) -> Result<Option<(M, String)>> {
    let request = GetRecordRequest {
        kind: M::NAME.to_owned(),
        id,
        locale: locale.code().to_owned(),
    };
    let clients = ctx.data::<Arc<Clients>>()?;
    let answer = match clients.content().get_record(request).await.map_err(Problem::from) {
        Ok(answer) => answer.into_inner(),
        Err(problem) if problem.failure().kind == Kind::NotFound => return Ok(None),
        Err(problem) => return Err(graphql_error(&problem)),
    };
    let Some(record) = answer.record else {
        return Ok(None);
    };
    match blocks::parse_record(&record.props_json) {
        Ok(read) => Ok(Some((read, record.id))),
        Err(error) => {
            tracing::warn!(model = M::NAME, %error, "stored record is unreadable; left out of the page");
            Ok(None)
        }
    }
}

/// With the prices of this locale in the blocks inside.
pub fn placed(record: HeroComponent, id: String, locale: Locale) -> HeroComponent {
    let section = Box::new(record.section.placed(id.clone(), locale));
    HeroComponent { id, section }
}

//! What stands around every page.
use std::sync::Arc;

use async_graphql::{Context, Result, SimpleObject};
use blocks::{Footer, Locale, Model, Navigation};
use proto::content::v1::{Block, GetChromeRequest};

use crate::clients::Clients;
use crate::graphql::protocol::graphql_error;

#[derive(SimpleObject)]
pub struct Chrome {
    pub navigation: Option<Navigation>,
    pub footer: Option<Footer>,
}

pub async fn load(ctx: &Context<'_>, locale: Locale) -> Result<Chrome> {
    let clients = ctx.data::<Arc<Clients>>()?;
    let request = GetChromeRequest {
        locale: locale.code().to_owned(),
    };
    let answer = clients
        .content()
        .get_chrome(request)
        .await
        .map_err(|status| graphql_error(&status.into()))?
        .into_inner();
    Ok(Chrome {
        navigation: read(answer.navigation),
        footer: read(answer.footer),
    })
}

fn read<M: Model>(block: Option<Block>) -> Option<M> {
    let block = block?;
    match blocks::parse_record(&block.props_json) {
        Ok(record) => Some(record),
        Err(error) => {
            tracing::warn!(model = M::NAME, %error, "stored record is unreadable; left out of the page");
            None
        }
    }
}

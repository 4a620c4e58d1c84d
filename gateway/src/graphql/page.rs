//! Pages as GraphQL has them.
use std::sync::Arc;

use async_graphql::{Context, Result, SimpleObject};
use blocks::{Block, Locale};
use chrono::{DateTime, Utc};
use kit::error::Kind;
use proto::content::v1::{self as content, GetPageRequest, ListPagesRequest, PageForm};

use crate::clients::Clients;
use crate::graphql::offers::{PageOffers, price_locale};
use crate::graphql::protocol::graphql_error;
use crate::graphql::seo::{Seo, non_empty};
use crate::protocol::error::Problem;
use crate::security::preview::Preview;

const FIRST_DEFAULT: i32 = 100;

#[derive(SimpleObject)]
pub struct Page {
    /// Starts with a slash, has none at the end; the root page is `/`.
    url_path: String,
    /// The locale that was asked for.
    locale: String,
    /// The locale whose sections these are.
    content_locale: String,
    template: String,
    #[graphql(name = "pageType")]
    kind: String,
    class_name: Option<String>,
    favicon: Option<String>,
    seo: Seo,
    sections: Vec<Block>,
    /// Every locale that has this page.
    available_locales: Vec<String>,
    snapshot_id: String,
    published_at: Option<DateTime<Utc>>,
}

#[derive(SimpleObject)]
pub struct PageConnection {
    nodes: Vec<PageSummary>,
    /// Given as `after`, it continues the list; null at its end.
    end_cursor: Option<String>,
}

#[derive(SimpleObject)]
pub struct PageSummary {
    url_path: String,
    locale: String,
    page_type: String,
    template: String,
    noindex: bool,
    published_at: Option<DateTime<Utc>>,
}

pub struct Listing {
    pub locale: Option<Locale>,
    pub page_type: Option<String>,
    pub first: Option<i32>,
    pub after: Option<String>,
}

pub async fn load(ctx: &Context<'_>, url_path: String, locale: Locale) -> Result<Option<Page>> {
    let previewed = ctx.data::<Option<Preview>>()?.as_ref();
    let page = match previewed.and_then(|preview| preview.page(&url_path, locale)) {
        Some(draft) => Some(draft.clone()),
        None => published(ctx, url_path, locale).await?,
    };
    let Some(page) = page else {
        return Ok(None);
    };
    let page = read(page, locale);
    let offers = ctx.data::<Arc<PageOffers>>()?;
    offers.expect(page.sections.iter().flat_map(Block::offer_keys));
    Ok(Some(page))
}

async fn published(ctx: &Context<'_>, url_path: String, locale: Locale) -> Result<Option<content::Page>> {
    let request = GetPageRequest {
        url_path,
        locale: locale.code().to_owned(),
        form: PageForm::Unspecified.into(),
    };
    let clients = ctx.data::<Arc<Clients>>()?;
    match clients.content().get_page(request).await.map_err(Problem::from) {
        Ok(answer) => Ok(answer.into_inner().page),
        Err(problem) if problem.failure().kind == Kind::NotFound => Ok(None),
        Err(problem) => Err(graphql_error(&problem)),
    }
}

pub async fn list(ctx: &Context<'_>, listing: Listing) -> Result<PageConnection> {
    let clients = ctx.data::<Arc<Clients>>()?;
    let request = ListPagesRequest {
        locale: listing
            .locale
            .map(|locale| locale.code().to_owned())
            .unwrap_or_default(),
        page_type: listing.page_type.unwrap_or_default(),
        page_size: listing.first.unwrap_or(FIRST_DEFAULT),
        page_token: listing.after.unwrap_or_default(),
    };
    let answer = clients
        .content()
        .list_pages(request)
        .await
        .map_err(|status| graphql_error(&status.into()))?
        .into_inner();
    Ok(PageConnection {
        nodes: answer.pages.into_iter().map(PageSummary::from).collect(),
        end_cursor: non_empty(answer.next_page_token),
    })
}

/// A row of a list is cheaper than a page, which has blocks.
pub fn listing_cost(first: Option<i32>, row: usize) -> usize {
    let rows = usize::try_from(first.unwrap_or(FIRST_DEFAULT)).unwrap_or(0);
    rows.saturating_mul(row) / 4
}

pub fn read(page: content::Page, locale: Locale) -> Page {
    let locale = price_locale(&page.url_path, locale);
    Page {
        sections: page
            .sections
            .into_iter()
            .filter_map(|block| section(block, locale))
            .collect(),
        url_path: page.url_path,
        locale: page.locale,
        content_locale: page.content_locale,
        template: page.template,
        kind: page.page_type,
        class_name: non_empty(page.class_name),
        favicon: non_empty(page.favicon),
        seo: page.seo.unwrap_or_default().into(),
        available_locales: page.available_locales,
        snapshot_id: page.snapshot_id,
        published_at: time(page.published_at),
    }
}

/// A block this version cannot read is left out: it must not take its page away.
fn section(block: content::Block, locale: Locale) -> Option<Block> {
    match blocks::parse(&block.component_name, &block.props_json) {
        Ok(read) => Some(read.placed(block.id, locale)),
        Err(error) => {
            metrics::counter!("gateway_blocks_unreadable_total").increment(1);
            tracing::warn!(block.id, %error, "stored block is unreadable; left out of the page");
            None
        }
    }
}

impl From<content::PageSummary> for PageSummary {
    fn from(page: content::PageSummary) -> Self {
        Self {
            url_path: page.url_path,
            locale: page.locale,
            page_type: page.page_type,
            template: page.template,
            noindex: page.noindex,
            published_at: time(page.published_at),
        }
    }
}

fn time(at: Option<proto::Timestamp>) -> Option<DateTime<Utc>> {
    at.and_then(|at| at.try_into().ok())
}

//! The root of every query.
use async_graphql::{Context, Object, Result};
use blocks::{B2bBookADemo, Footer, HeroComponent, Locale, Navigation, ScrollThrough};

use crate::graphql::chrome;
use crate::graphql::chrome::Chrome;
use crate::graphql::page;
use crate::graphql::page::{Page, PageConnection};
use crate::graphql::record;

/// Each page is a call to content, whatever is wanted of it.
const PAGE_COST: usize = 50;

pub struct Query;

#[Object]
impl Query {
    /// The published page, or its draft with a preview token for it; null when no locale has it. An untranslated page has the sections of `en`.
    #[graphql(complexity = "PAGE_COST + child_complexity")]
    async fn page(&self, ctx: &Context<'_>, url_path: String, locale: String) -> Option<Result<Page>> {
        match known(&locale) {
            Ok(locale) => page::load(ctx, url_path, locale).await.transpose(),
            Err(error) => Some(Err(error)),
        }
    }

    /// Every published page of a locale, by path.
    #[graphql(complexity = "page::listing_cost(first, child_complexity)")]
    #[expect(
        clippy::too_many_arguments,
        reason = "the specified field has these four, and the framework its two"
    )]
    async fn pages(
        &self,
        ctx: &Context<'_>,
        locale: Option<String>,
        page_type: Option<String>,
        #[graphql(validator(minimum = 1, maximum = 1000))] first: Option<i32>,
        after: Option<String>,
    ) -> Result<PageConnection> {
        let locale = locale.as_deref().map(known).transpose()?;
        page::list(
            ctx,
            page::Listing {
                locale,
                page_type,
                first,
                after,
            },
        )
        .await
    }

    /// Navigation and footer together: every page needs both.
    async fn chrome(&self, ctx: &Context<'_>, locale: String) -> Result<Chrome> {
        chrome::load(ctx, known(&locale)?).await
    }

    async fn navigation(&self, ctx: &Context<'_>, locale: String) -> Option<Result<Navigation>> {
        self.chrome(ctx, locale)
            .await
            .map(|chrome| chrome.navigation)
            .transpose()
    }

    async fn footer(&self, ctx: &Context<'_>, locale: String) -> Option<Result<Footer>> {
        self.chrome(ctx, locale)
            .await
            .map(|chrome| chrome.footer)
            .transpose()
    }

    /// The form of a demo page, by the id of its record.
    #[graphql(name = "mdB2bBookADemo")]
    async fn demo(
        &self,
        ctx: &Context<'_>,
        id: String,
        #[graphql(default = "en")] locale: String,
    ) -> Result<Option<B2bBookADemo>> {
        let found = record::load::<B2bBookADemo>(ctx, id, known(&locale)?).await?;
        Ok(found.map(|(record, id)| B2bBookADemo { id, ..record }))
    }

    /// A hero that pages share, by the id of its record.
    #[graphql(name = "mdHeroComponent")]
    async fn hero(
        &self,
        ctx: &Context<'_>,
        id: String,
        #[graphql(default = "en")] locale: String,
    ) -> Result<Option<HeroComponent>> {
        let locale = known(&locale)?;
        let found = record::load::<HeroComponent>(ctx, id, locale).await?;
        Ok(found.map(|(record, id)| record::placed(record, id, locale)))
    }

    /// Sections to scroll through, by the id of their record.
    async fn scroll_through(
        &self,
        ctx: &Context<'_>,
        id: String,
        #[graphql(default = "en")] locale: String,
    ) -> Result<Option<ScrollThrough>> {
        let found = record::load::<ScrollThrough>(ctx, id, known(&locale)?).await?;
        Ok(found.map(|(record, id)| ScrollThrough { id, ..record }))
    }
}

fn known(locale: &str) -> Result<Locale> {
    Ok(locale.parse()?)
}

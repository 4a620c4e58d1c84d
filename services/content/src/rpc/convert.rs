//! Messages to domain types and back.

use blocks::{Footer, Model, Navigation};
use proto::content::v1::{
    Block, GetChromeResponse, ListPagesRequest, ListPagesResponse, Page, PageSummary as SummaryMessage,
    PublishChromeRequest, PublishPageRequest, Seo as SeoMessage,
};
use serde_json::value::RawValue;

use crate::domain::{
    ChromeDraft, Fault, ListFilter, PageDraft, PageSummary, PageToken, PublishedChrome, PublishedPage,
    RecordDraft, SectionDraft, Seo, StoredBlock,
};
use crate::error::Error;

const USUAL_LIST: i32 = 100;
const LONGEST_LIST: i32 = 1000;

impl From<PublishPageRequest> for PageDraft {
    fn from(request: PublishPageRequest) -> Self {
        Self {
            url_path: request.url_path,
            locale: request.locale,
            template: request.template,
            page_type: request.page_type,
            class_name: request.class_name,
            favicon: request.favicon,
            seo: request.seo.unwrap_or_default().into(),
            sections: request.sections.into_iter().map(SectionDraft::from).collect(),
        }
    }
}

impl From<Block> for SectionDraft {
    fn from(block: Block) -> Self {
        Self {
            id: block.id,
            component_name: block.component_name,
            props: block.props_json,
        }
    }
}

impl From<Block> for RecordDraft {
    fn from(block: Block) -> Self {
        Self {
            component_name: block.component_name,
            props: block.props_json,
        }
    }
}

impl From<PublishChromeRequest> for ChromeDraft {
    fn from(request: PublishChromeRequest) -> Self {
        Self {
            locale: request.locale,
            navigation: request.navigation.unwrap_or_default().into(),
            footer: request.footer.unwrap_or_default().into(),
        }
    }
}

impl From<SeoMessage> for Seo {
    fn from(seo: SeoMessage) -> Self {
        Self {
            title: seo.title,
            description: seo.description,
            noindex: seo.noindex,
            nofollow: seo.nofollow,
            image_url: seo.image_url,
        }
    }
}

impl From<Seo> for SeoMessage {
    fn from(seo: Seo) -> Self {
        Self {
            title: seo.title,
            description: seo.description,
            noindex: seo.noindex,
            nofollow: seo.nofollow,
            image_url: seo.image_url,
        }
    }
}

impl From<PublishedPage> for Page {
    fn from(page: PublishedPage) -> Self {
        let document = page.document;
        Self {
            url_path: page.url_path,
            locale: page.locale.to_string(),
            content_locale: page.content_locale,
            template: document.template,
            page_type: document.page_type,
            class_name: document.class_name,
            favicon: document.favicon,
            seo: Some(document.seo.into()),
            sections: document.sections.into_iter().map(Block::from).collect(),
            snapshot_id: page.snapshot_id.to_string(),
            published_at: Some(page.published_at.into()),
            available_locales: page.available_locales,
        }
    }
}

impl From<StoredBlock> for Block {
    fn from(block: StoredBlock) -> Self {
        Self {
            id: block.id,
            component_name: block.component_name,
            props_json: into_text(block.props),
        }
    }
}

impl From<PublishedChrome> for GetChromeResponse {
    fn from(chrome: PublishedChrome) -> Self {
        Self {
            navigation: Some(record::<Navigation>(chrome.document.navigation)),
            footer: Some(record::<Footer>(chrome.document.footer)),
        }
    }
}

fn record<M: Model>(props: Box<RawValue>) -> Block {
    Block {
        id: String::new(),
        component_name: M::NAME.to_owned(),
        props_json: into_text(props),
    }
}

fn into_text(props: Box<RawValue>) -> String {
    Box::<str>::from(props).into()
}

impl From<PageSummary> for SummaryMessage {
    fn from(summary: PageSummary) -> Self {
        Self {
            url_path: summary.url_path,
            locale: summary.locale,
            page_type: summary.page_type,
            template: summary.template,
            noindex: summary.noindex,
            published_at: Some(summary.published_at.into()),
        }
    }
}

pub fn list_filter(request: ListPagesRequest) -> Result<ListFilter, Error> {
    let mut faults = Vec::new();
    let mut refuse = |field: &str, why: String| faults.push(Fault::not_allowed(field, why));
    let locale = match request.locale.as_str() {
        "" => None,
        code => code
            .parse()
            .map_err(|error: blocks::UnknownLocale| refuse("locale", error.to_string()))
            .ok(),
    };
    let after = request
        .page_token
        .parse::<PageToken>()
        .map_err(|error| refuse("pageToken", error.to_string()))
        .ok();
    let size = match request.page_size {
        0 => USUAL_LIST,
        size if (1..=LONGEST_LIST).contains(&size) => size,
        _ => {
            refuse("pageSize", format!("must be from 1 to {LONGEST_LIST}"));
            USUAL_LIST
        }
    };
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let limit = usize::try_from(size).unwrap_or_default();
    Ok(ListFilter {
        locale,
        page_type: request.page_type,
        after: after.unwrap_or_default(),
        limit,
    })
}

pub fn list_answer(pages: Vec<PageSummary>, next: Option<PageToken>) -> ListPagesResponse {
    ListPagesResponse {
        pages: pages.into_iter().map(SummaryMessage::from).collect(),
        next_page_token: next.map(|token| token.encode()).unwrap_or_default(),
    }
}

//! Pages, chrome and records: messages to domain types and back.

use blocks::{Footer, Model, Navigation};
use proto::content::v1 as wire;
use serde_json::value::RawValue;

use super::{optional_locale, page_size, page_token, unless};
use crate::domain::{
    ChromeDraft, ListFilter, NamedRecordDraft, PageDocument, PageDraft, PageSummary, PublishedChrome,
    PublishedPage, PublishedRecord, RecordDraft, SectionDraft, to_section,
};
use crate::error::Error;

impl From<wire::PublishPageRequest> for PageDraft {
    fn from(request: wire::PublishPageRequest) -> Self {
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

impl From<PageDraft> for wire::PublishPageRequest {
    fn from(draft: PageDraft) -> Self {
        Self {
            url_path: draft.url_path,
            locale: draft.locale,
            template: draft.template,
            page_type: draft.page_type,
            class_name: draft.class_name,
            favicon: draft.favicon,
            seo: Some(draft.seo.into()),
            sections: draft.sections.into_iter().map(wire::Block::from).collect(),
        }
    }
}

impl From<wire::Block> for SectionDraft {
    fn from(block: wire::Block) -> Self {
        Self {
            id: block.id,
            component_name: block.component_name,
            props: block.props_json,
        }
    }
}

impl From<SectionDraft> for wire::Block {
    fn from(section: SectionDraft) -> Self {
        Self {
            id: section.id,
            component_name: section.component_name,
            props_json: section.props,
        }
    }
}

impl From<wire::Block> for RecordDraft {
    fn from(block: wire::Block) -> Self {
        Self {
            component_name: block.component_name,
            props: block.props_json,
        }
    }
}

impl From<wire::PublishChromeRequest> for ChromeDraft {
    fn from(request: wire::PublishChromeRequest) -> Self {
        Self {
            locale: request.locale,
            navigation: request.navigation.unwrap_or_default().into(),
            footer: request.footer.unwrap_or_default().into(),
        }
    }
}

impl From<ChromeDraft> for wire::PublishChromeRequest {
    fn from(draft: ChromeDraft) -> Self {
        Self {
            locale: draft.locale,
            navigation: Some(record_block::<Navigation>(draft.navigation.props)),
            footer: Some(record_block::<Footer>(draft.footer.props)),
        }
    }
}

impl From<wire::PublishRecordRequest> for NamedRecordDraft {
    fn from(request: wire::PublishRecordRequest) -> Self {
        Self {
            locale: request.locale,
            id: request.id,
            record: request.record.unwrap_or_default().into(),
        }
    }
}

impl From<NamedRecordDraft> for wire::PublishRecordRequest {
    fn from(draft: NamedRecordDraft) -> Self {
        Self {
            locale: draft.locale,
            record: Some(wire::Block {
                id: draft.id.clone(),
                component_name: draft.record.component_name,
                props_json: draft.record.props,
            }),
            id: draft.id,
        }
    }
}

/// The page and its stored document. Sections are parsed only when requested.
pub fn answer(page: PublishedPage, form: wire::PageForm) -> Result<(wire::Page, Vec<u8>), Error> {
    let mut answer = wire::Page {
        url_path: page.url_path,
        locale: page.locale.to_string(),
        content_locale: page.content_locale,
        template: page.template,
        page_type: page.page_type,
        snapshot_id: page.snapshot_id.map(|id| id.to_string()).unwrap_or_default(),
        published_at: page.published_at.map(Into::into),
        available_locales: page.available_locales,
        ..wire::Page::default()
    };
    if form == wire::PageForm::Unspecified {
        let document: PageDocument = serde_json::from_str(&page.document)?;
        answer.class_name = document.class_name;
        answer.favicon = document.favicon;
        answer.seo = Some(document.seo.into());
        answer.sections = document
            .sections
            .iter()
            .map(|block| to_section(block).into())
            .collect();
    }
    Ok((answer, page.document.into_bytes()))
}

pub fn record(record: PublishedRecord) -> Result<wire::GetRecordResponse, Error> {
    let document = serde_json::from_str(&record.document)?;
    Ok(wire::GetRecordResponse {
        record: Some(to_section(&document).into()),
        content_locale: record.content_locale,
        snapshot_id: record.snapshot_id.to_string(),
    })
}

impl From<PublishedChrome> for wire::GetChromeResponse {
    fn from(chrome: PublishedChrome) -> Self {
        let text = |props: Box<RawValue>| Box::<str>::from(props).into();
        Self {
            navigation: Some(record_block::<Navigation>(text(chrome.document.navigation))),
            footer: Some(record_block::<Footer>(text(chrome.document.footer))),
        }
    }
}

fn record_block<M: Model>(props_json: String) -> wire::Block {
    wire::Block {
        id: String::new(),
        component_name: M::NAME.to_owned(),
        props_json,
    }
}

impl From<PageSummary> for wire::PageSummary {
    fn from(summary: PageSummary) -> Self {
        Self {
            url_path: summary.url_path,
            locale: summary.locale,
            page_type: summary.page_type,
            template: summary.template,
            noindex: summary.noindex,
            canonical_path: summary.canonical_path.unwrap_or_default(),
            published_at: Some(summary.published_at.into()),
        }
    }
}

pub fn list_filter(request: wire::ListPagesRequest) -> Result<ListFilter, Error> {
    let mut errors = Vec::new();
    let locale = optional_locale(&request.locale, &mut errors);
    let after = page_token(&request.page_token, &mut errors);
    let size = page_size(request.page_size, &mut errors);
    unless(errors)?;
    Ok(ListFilter {
        locale,
        page_type: request.page_type,
        after,
        limit: usize::try_from(size).unwrap_or_default(),
    })
}

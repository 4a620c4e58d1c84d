//! Content: a home page, its navigation and footer, and three pages to list.
use async_trait::async_trait;
use kit::error::Kind;
use proto::content::v1 as content;
use tonic::{Request, Response, Status};

use super::{Answer, refuse, session};

pub struct Content;

fn block(id: &str, component_name: &str, props: &serde_json::Value) -> content::Block {
    content::Block {
        id: id.into(),
        component_name: component_name.into(),
        props_json: props.to_string(),
    }
}

fn plan(campaign: &str) -> serde_json::Value {
    serde_json::json!({
        "title": campaign, "button": {"text": "Choose", "url": "/payment/annual"}, "price": {"campaignName": campaign},
    })
}

fn home(locale: &str) -> content::Page {
    let plans = serde_json::json!({"plans": [plan("web-monthly"), plan("web-annual"), plan("gone")]});
    content::Page {
        url_path: "/".into(),
        locale: locale.into(),
        content_locale: "en".into(),
        template: "Home".into(),
        page_type: "home".into(),
        seo: Some(content::Seo {
            title: "Stillpoint".into(),
            ..content::Seo::default()
        }),
        sections: vec![
            block("hero", "Hero", &serde_json::json!({"title": "Breathe"})),
            block("from-the-future", "Hologram", &serde_json::json!({"x": 1})),
            block("plans", "PlanList", &plans),
        ],
        snapshot_id: "snp_1".into(),
        published_at: session().expires_at,
        available_locales: vec!["en".into()],
        ..content::Page::default()
    }
}

#[async_trait]
impl content::content_service_server::ContentService for Content {
    async fn get_page(&self, request: Request<content::GetPageRequest>) -> Answer<content::GetPageResponse> {
        let request = request.into_inner();
        match request.url_path.as_str() {
            "/" => Ok(Response::new(content::GetPageResponse {
                page: Some(home(&request.locale)),
            })),
            "/broken" => Err(Status::internal("relation \"page\" does not exist")),
            _ => refuse(Kind::NotFound, "PAGE_NOT_FOUND", "There is no such page."),
        }
    }

    async fn get_chrome(&self, _: Request<content::GetChromeRequest>) -> Answer<content::GetChromeResponse> {
        let logo = serde_json::json!({"logo": {"url": "/favicon.svg", "alt": "Stillpoint"}});
        Ok(Response::new(content::GetChromeResponse {
            navigation: Some(block("navigation", "Navigation", &logo)),
            footer: Some(block("footer", "Footer", &logo)),
        }))
    }

    async fn list_pages(
        &self,
        request: Request<content::ListPagesRequest>,
    ) -> Answer<content::ListPagesResponse> {
        let summary = |locale: &str, url_path: &str| content::PageSummary {
            locale: locale.into(),
            url_path: url_path.into(),
            ..content::PageSummary::default()
        };
        let (pages, next_page_token) = match request.into_inner().page_token.as_str() {
            "" => (vec![summary("en", "/"), summary("tr", "/")], "2"),
            _ => (vec![summary("en", "/pricing")], ""),
        };
        Ok(Response::new(content::ListPagesResponse {
            pages,
            next_page_token: next_page_token.into(),
        }))
    }

    async fn publish_page(
        &self,
        _: Request<content::PublishPageRequest>,
    ) -> Answer<content::PublishPageResponse> {
        Err(Status::unimplemented("not from here"))
    }

    async fn publish_chrome(
        &self,
        _: Request<content::PublishChromeRequest>,
    ) -> Answer<content::PublishChromeResponse> {
        Err(Status::unimplemented("not from here"))
    }
}

//! Content: a home page, its navigation and footer, three pages to list, a record and the draft of a page.
use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use kit::error::Kind;
use proto::content::v1 as content;
use tonic::{Request, Response, Status};

use super::{Answer, FakeServices, a_month_on, refuse};

pub const PREVIEW_TOKEN: &str = "prv_0123456789abcdef";

pub struct Content(pub Arc<FakeServices>);

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

fn home(locale: &str, title: &str) -> content::Page {
    let plans = serde_json::json!({"plans": [plan("web-monthly"), plan("web-annual"), plan("gone")]});
    content::Page {
        url_path: "/".into(),
        locale: locale.into(),
        content_locale: "en".into(),
        template: "Home".into(),
        page_type: "home".into(),
        seo: Some(content::Seo {
            title: title.into(),
            ..content::Seo::default()
        }),
        sections: vec![
            block("hero", "Hero", &serde_json::json!({"title": "Breathe"})),
            block("from-the-future", "Hologram", &serde_json::json!({"x": 1})),
            block("plans", "PlanList", &plans),
        ],
        snapshot_id: "snp_1".into(),
        published_at: Some(a_month_on()),
        available_locales: vec!["en".into()],
        ..content::Page::default()
    }
}

/// As the contract describes it. What cannot be shown is left out.
fn document(page: &content::Page) -> Vec<u8> {
    let known = page.sections.iter().filter_map(|section| {
        let block = blocks::parse(&section.component_name, &section.props_json).ok()?;
        let mut stored = serde_json::json!({
            "__typename": section.component_name, "id": section.id, "componentName": section.component_name,
        });
        let props = block.to_props().unwrap().as_object().unwrap().clone();
        let set = props.into_iter().filter(|(_, value)| !value.is_null());
        stored.as_object_mut().unwrap().extend(set);
        Some(stored)
    });
    let seo = page.seo.clone().unwrap_or_default();
    let document = serde_json::json!({
        "urlPath": page.url_path, "contentLocale": page.content_locale, "template": page.template, "pageType": page.page_type,
        "className": "", "favicon": "",
        "seo": {"title": seo.title, "description": "", "noindex": false, "nofollow": false, "imageUrl": "", "canonicalPath": "",
                "breadcrumbs": [], "speakable": [], "organization": false},
        "sections": known.collect::<Vec<_>>(),
    });
    document.to_string().into_bytes()
}

impl Content {
    fn fail_if_down(&self) -> Result<(), Status> {
        if self.0.content_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("connect to 10.0.0.7:50051 refused"));
        }
        Ok(())
    }
}

#[async_trait]
impl content::content_service_server::ContentService for Content {
    async fn get_page(&self, request: Request<content::GetPageRequest>) -> Answer<content::GetPageResponse> {
        self.0.page_reads.fetch_add(1, Ordering::SeqCst);
        self.fail_if_down()?;
        let request = request.into_inner();
        let mut page = match request.url_path.as_str() {
            "/" => home(&request.locale, &self.0.title.lock().unwrap()),
            "/offers/Turkcell" => content::Page {
                url_path: request.url_path.clone(),
                ..home(&request.locale, "Turkcell")
            },
            "/broken" => return Err(Status::internal("relation \"page\" does not exist")),
            _ => return refuse(Kind::NotFound, "PAGE_NOT_FOUND", "There is no such page."),
        };
        let document = document(&page);
        if request.form() == content::PageForm::Document {
            page.sections.clear();
            page.seo = None;
        }
        Ok(Response::new(content::GetPageResponse {
            page: Some(page),
            document,
        }))
    }

    async fn get_preview(
        &self,
        request: Request<content::GetPreviewRequest>,
    ) -> Answer<content::GetPreviewResponse> {
        if request.into_inner().token != PREVIEW_TOKEN || self.0.preview_over.load(Ordering::SeqCst) {
            return refuse(Kind::NotFound, "PREVIEW_NOT_FOUND", "There is no such preview.");
        }
        let page = home("tr", "A draft");
        Ok(Response::new(content::GetPreviewResponse {
            document: document(&page),
            page: Some(page),
            errors: Vec::new(),
            expires_at: Some(a_month_on()),
        }))
    }

    async fn get_record(
        &self,
        request: Request<content::GetRecordRequest>,
    ) -> Answer<content::GetRecordResponse> {
        let request = request.into_inner();
        let props = match (request.kind.as_str(), request.id.as_str()) {
            ("B2bBookADemo", "demo") => {
                serde_json::json!({"formHeading": "Talk to us", "sideColTitle": "Calm teams", "iconRedirect": "/business",
                    "sideImage": {"url": "/art/orb/team.svg", "alt": "A team"},
                    "whatsYourInterest": [{"id": "sleep", "value": "sleep", "label": "Sleep", "tooltipText": "Nights"}],
                    "b2bBuyButton": "Send", "thankU": "Thank you", "b2bThankUMessage": "Soon"})
            }
            ("HeroComponent", "home") => {
                serde_json::json!({"section": {"componentName": "Hero", "title": "Breathe"}})
            }
            ("ScrollThrough", "steps") => serde_json::json!({"sections": [
                {"id": "one", "title": "One", "description": "First", "image": {"url": "/art/waves/one.svg", "alt": ""}}]}),
            _ => return refuse(Kind::NotFound, "RECORD_NOT_FOUND", "There is no such record."),
        };
        Ok(Response::new(content::GetRecordResponse {
            record: Some(block(&request.id, &request.kind, &props)),
            content_locale: "en".into(),
            snapshot_id: "snp_2".into(),
        }))
    }

    async fn list_samples(
        &self,
        request: Request<content::ListSamplesRequest>,
    ) -> Answer<content::ListSamplesResponse> {
        self.fail_if_down()?;
        let request = request.into_inner();
        let samples = serde_json::json!([{"title": format!("Rain {} {}", request.locale, request.category)}]);
        Ok(Response::new(content::ListSamplesResponse {
            items_json: samples.to_string(),
            content_locale: "en".into(),
        }))
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
        self.fail_if_down()?;
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

    async fn publish_record(
        &self,
        _: Request<content::PublishRecordRequest>,
    ) -> Answer<content::PublishRecordResponse> {
        Err(Status::unimplemented("not from here"))
    }

    async fn publish_chrome(
        &self,
        _: Request<content::PublishChromeRequest>,
    ) -> Answer<content::PublishChromeResponse> {
        Err(Status::unimplemented("not from here"))
    }
}

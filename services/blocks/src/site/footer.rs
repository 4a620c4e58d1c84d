//! The footer of every page.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::parts::link::Link;

/// The footer of every page: links, app stores and company details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["logo"]))]
pub struct Footer {
    pub logo: Image,
    pub quote: Option<String>,
    pub social_urls: SocialUrls,
    pub app_store: Option<Store>,
    pub play_store: Option<Store>,
    pub link_groups: Vec<LinkGroup>,
    pub terms_and_policy: Vec<Link>,
    /// The last line, with the company details.
    pub legal: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct SocialUrls {
    pub instagram: Option<String>,
    pub facebook: Option<String>,
    pub telegram: Option<String>,
    pub youtube: Option<String>,
    pub linkedin: Option<String>,
    pub x: Option<String>,
}

/// An app store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["url"]))]
pub struct Store {
    pub url: String,
    /// The store's badge; absent: the design's own.
    pub image: Option<Image>,
}

/// One column of links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "links"]))]
pub struct LinkGroup {
    pub name: String,
    pub links: Vec<Link>,
}

impl Model for Footer {
    const NAME: &'static str = "Footer";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("logo", &self.logo);
        at.optional("quote", self.quote.as_deref());
        at.nested("socialUrls", &self.social_urls);
        at.nested_if_present("appStore", self.app_store.as_ref());
        at.nested_if_present("playStore", self.play_store.as_ref());
        at.each("linkGroups", &self.link_groups);
        at.each("termsAndPolicy", &self.terms_and_policy);
        at.optional("legal", self.legal.as_deref());
    }
}

impl Model for SocialUrls {
    const NAME: &'static str = "SocialUrls";

    fn inspect(&self, at: &mut Inspection) {
        at.outside("instagram", self.instagram.as_deref());
        at.outside("facebook", self.facebook.as_deref());
        at.outside("telegram", self.telegram.as_deref());
        at.outside("youtube", self.youtube.as_deref());
        at.outside("linkedin", self.linkedin.as_deref());
        at.outside("x", self.x.as_deref());
    }
}

impl Model for Store {
    const NAME: &'static str = "Store";

    fn inspect(&self, at: &mut Inspection) {
        at.required("url", &self.url);
        at.outside("url", (!self.url.is_empty()).then_some(self.url.as_str()));
        at.nested_if_present("image", self.image.as_ref());
    }
}

impl Model for LinkGroup {
    const NAME: &'static str = "LinkGroup";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.some_of_each("links", &self.links);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_groups_stores_and_social_addresses() {
        let json = r#"{
            "logo": {"url": "/favicon.svg", "alt": "Stillpoint"}, "quote": "Breathe.",
            "socialUrls": {"instagram": "https://instagram.com/stillpoint", "telegram": "https://t.me/stillpoint"},
            "appStore": {"url": "https://apps.apple.com/app/id1", "image": {"url": "/app.svg", "alt": "App Store"}},
            "playStore": {"url": "https://play.google.com/store"},
            "linkGroups": [{"name": "Product", "links": [{"text": "Annual", "url": "/payment/annual"}]}],
            "termsAndPolicy": [{"text": "Terms", "url": "https://www.stillpoint.example/terms/"}]
        }"#;
        let footer: Footer = check_record(json).unwrap();
        assert_eq!(footer.link_groups[0].links[0].url, "/payment/annual");
    }

    #[test]
    fn names_every_invalid_address() {
        let json = r#"{"logo": {"url": "/favicon.svg", "alt": "Stillpoint"}, "socialUrls": {"x": "x.com"}, "appStore": {}, "linkGroups": [{"name": "A"}]}"#;
        let errors = check_record::<Footer>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["socialUrls.x", "appStore.url", "linkGroups[0].links"]);
    }
}

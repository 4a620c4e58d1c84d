//! The opening of a landing page that starts the survey.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::payment::price_badge::PriceBadgePart;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;
use crate::parts::link::Link;
use crate::renderer::Renderer;

/// Texts, a banner and one button.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["markdown", "button"]))]
#[graphql(complex)]
pub struct SurveyLandingHero {
    #[serde(skip)]
    pub id: String,
    pub whats_new: Option<Link>,
    pub price_badge: Option<PriceBadgePart>,
    pub campaign_banner: Option<CampaignBanner>,
    /// Markdown; its first heading should be the page's `h1`.
    pub markdown: String,
    /// `markdown`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub markdown_html: String,
    /// Shown in turn.
    pub revolving_texts: Vec<String>,
    pub icon_markdown: Option<IconMarkdown>,
    pub button: Button,
    pub image: Option<Image>,
}

/// A line over the hero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
pub struct CampaignBanner {
    pub text: String,
    pub url: Option<String>,
}

/// A text with an icon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["icon", "markdown"]))]
pub struct IconMarkdown {
    /// Name of a design icon.
    pub icon: String,
    pub markdown: String,
    /// `markdown`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub markdown_html: String,
}

impl Model for SurveyLandingHero {
    const NAME: &'static str = "SurveyLandingHero";

    fn inspect(&self, at: &mut Inspection) {
        at.nested_if_present("whatsNew", self.whats_new.as_ref());
        at.nested_if_present("priceBadge", self.price_badge.as_ref());
        at.nested_if_present("campaignBanner", self.campaign_banner.as_ref());
        at.markdown("markdown", &self.markdown);
        at.lines("revolvingTexts", &self.revolving_texts);
        at.nested_if_present("iconMarkdown", self.icon_markdown.as_ref());
        at.nested("button", &self.button);
        at.nested_if_present("image", self.image.as_ref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.markdown_html = (with.markdown)(&self.markdown);
        if let Some(icon) = &mut self.icon_markdown {
            Model::render(icon, with);
        }
    }
}

impl Model for CampaignBanner {
    const NAME: &'static str = "CampaignBanner";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.optional_link("url", self.url.as_deref());
    }
}

impl Model for IconMarkdown {
    const NAME: &'static str = "IconMarkdown";

    fn inspect(&self, at: &mut Inspection) {
        at.icon("icon", &self.icon);
        at.markdown("markdown", &self.markdown);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.markdown_html = (with.markdown)(&self.markdown);
    }
}

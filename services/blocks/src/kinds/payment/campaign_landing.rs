//! The landing page of a campaign: plans to choose from, with a countdown.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::kinds::account::consent;
use crate::locale::Locale;
use crate::model::Model;
use crate::offer::Quote;
use crate::parts::image::Image;
use crate::renderer::Renderer;

const LONGEST_COUNTDOWN_SECS: i32 = 86_400;

/// Options side by side and one button. Prices come from the campaigns of the options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "options", "continueLabel"]))]
#[graphql(complex)]
pub struct CampaignLanding {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub image: Option<Image>,
    /// Text beside the countdown.
    pub countdown_label: Option<String>,
    /// Absent: ten minutes.
    pub countdown_secs: Option<i32>,
    pub options: Vec<CampaignOption>,
    /// The preselected option; absent: the first.
    pub default_option_id: Option<String>,
    pub continue_label: String,
    /// Markdown under the button.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
    /// The visitor must agree to the terms before continuing.
    pub terms_and_conditions_checkbox: bool,
    /// Markdown beside that checkbox; without text, or with `none`, there is no checkbox.
    pub terms_and_conditions_text: Option<String>,
    /// `termsAndConditionsText`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub terms_and_conditions_text_html: Option<String>,
    /// The visitor must consent to the use of data before continuing.
    pub gdpr_checkbox: bool,
    /// Markdown beside that checkbox; without text, or with `none`, there is no checkbox.
    pub gdpr_text: Option<String>,
    /// `gdprText`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub gdpr_text_html: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "campaignName", "title", "link"]))]
pub struct CampaignOption {
    pub id: String,
    pub campaign_name: String,
    pub coupon_code: Option<String>,
    /// Divisor of the displayed price, for a price per day; 0 or absent: not divided.
    pub divider: Option<i32>,
    pub title: String,
    pub text: Option<String>,
    /// Label on the edge of the option, such as "Best value".
    pub badge: Option<String>,
    /// Text after the divided price.
    pub per_day_suffix: Option<String>,
    /// Path of the page of this site behind the button while this option is chosen.
    pub link: String,
    /// The analytics event of choosing this option.
    pub event_name: Option<String>,
    /// The campaign's current price; null if it is not available.
    #[serde(skip)]
    pub offer: Quote,
}

impl Model for CampaignLanding {
    const NAME: &'static str = "CampaignLanding";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.optional("countdownLabel", self.countdown_label.as_deref());
        at.within("countdownSecs", self.countdown_secs, 1..=LONGEST_COUNTDOWN_SECS);
        at.some_of_each("options", &self.options);
        at.unique_ids("options", self.options.iter().map(|option| option.id.as_str()));
        let is_an_option = |id: &String| self.options.iter().any(|option| option.id == *id);
        if !self.default_option_id.iter().all(is_an_option) {
            at.error(
                "defaultOptionId",
                BlockErrorCode::NotAllowed,
                "must be the id of one of the options",
            );
        }
        at.required("continueLabel", &self.continue_label);
        at.optional_markdown("note", self.note.as_deref());
        at.optional_markdown(
            "termsAndConditionsText",
            self.terms_and_conditions_text.as_deref(),
        );
        at.optional_markdown("gdprText", self.gdpr_text.as_deref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.note_html = self.note.as_deref().map(with.markdown);
        self.terms_and_conditions_text_html =
            consent::rendered(self.terms_and_conditions_text.as_deref(), with);
        self.gdpr_text_html = consent::rendered(self.gdpr_text.as_deref(), with);
    }

    fn quote(&mut self, locale: Locale) {
        for option in &mut self.options {
            option.offer = Quote::of(&option.campaign_name, option.coupon_code.as_deref(), locale);
        }
    }

    fn quotes(&self) -> Vec<&Quote> {
        self.options.iter().map(|option| &option.offer).collect()
    }
}

impl Model for CampaignOption {
    const NAME: &'static str = "CampaignOption";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.campaign("campaignName", &self.campaign_name, self.coupon_code.as_deref());
        at.within("divider", self.divider, 0..=366);
        at.required("title", &self.title);
        at.optional("text", self.text.as_deref());
        at.optional("badge", self.badge.as_deref());
        at.optional("perDaySuffix", self.per_day_suffix.as_deref());
        at.required_page("link", &self.link);
        at.token("eventName", self.event_name.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::BlockError;
    use crate::model::check_record;

    use super::*;

    fn option(id: &str) -> Value {
        json!({
            "id": id, "campaignName": "web-annual", "couponCode": "WELCOME20", "divider": 365, "title": "Annual",
            "link": "/payment/annual", "eventName": "landing_annual",
        })
    }

    fn landing(fields: &Value) -> Result<CampaignLanding, Vec<BlockError>> {
        let mut landing =
            json!({"title": "Sleep", "options": [option("a"), option("b")], "continueLabel": "Continue"});
        for (name, value) in fields.as_object().unwrap() {
            landing[name] = value.clone();
        }
        check_record(&landing.to_string())
    }

    fn invalid_fields(fields: &Value) -> Vec<String> {
        landing(fields)
            .unwrap_err()
            .into_iter()
            .map(|error| error.field)
            .collect()
    }

    #[test]
    fn reads_an_option_with_its_seven_specified_fields() {
        assert_eq!(option("a").as_object().unwrap().len(), 7);
        let read = serde_json::to_value(&landing(&json!({})).unwrap().options[0]).unwrap();
        for (field, value) in option("a").as_object().unwrap() {
            assert_eq!(&read[field], value, "{field}");
        }
    }

    #[test]
    fn opens_on_one_of_its_options() {
        assert!(landing(&json!({"defaultOptionId": "b"})).is_ok());
        assert_eq!(
            invalid_fields(&json!({"defaultOptionId": "c"})),
            ["defaultOptionId"]
        );
    }

    #[test]
    fn every_option_has_an_id_of_its_own_and_leads_somewhere() {
        let mut second = option("a");
        second["link"] = json!("https://evil.example");
        let errors = invalid_fields(&json!({"options": [option("a"), second]}));
        assert_eq!(errors, ["options[1].link", "options[1].id"]);
    }

    #[test]
    fn a_countdown_runs_for_a_second_to_a_day() {
        assert!(landing(&json!({"countdownSecs": 86_400})).is_ok());
        for secs in [0, -1, 86_401] {
            assert_eq!(invalid_fields(&json!({"countdownSecs": secs})), ["countdownSecs"]);
        }
    }

    #[test]
    fn asks_for_the_price_of_every_option_in_the_locale_of_the_page() {
        let mut landing = landing(&json!({})).unwrap();
        landing.quote(Locale::Tr);
        let keys: Vec<_> = landing.quotes().into_iter().filter_map(Quote::key).collect();
        assert_eq!(keys.len(), 2);
        assert_eq!(
            (keys[1].campaign.as_str(), keys[1].coupon_code.as_str()),
            ("web-annual", "WELCOME20")
        );
        assert_eq!(keys[1].locale, Locale::Tr);
    }
}

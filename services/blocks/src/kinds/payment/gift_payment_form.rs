//! The checkout of a gift card.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::account::consent;
use crate::model::Model;
use crate::renderer::Renderer;

/// Pays for a card created before. Guests can use it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "campaign"]))]
#[graphql(complex)]
pub struct GiftPaymentForm {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub campaign: String,
    pub coupon_code: Option<String>,
    pub product_id: Option<String>,
    pub product_name: Option<String>,
    pub product_category: Option<String>,
    /// Markdown beside the form about what follows the payment.
    pub info: Option<String>,
    /// `info`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub info_html: Option<String>,
    pub price_label: Option<String>,
    pub submit_label: Option<String>,
    /// The buyer must agree to the terms before paying.
    pub terms_and_conditions_checkbox: bool,
    /// Markdown beside that checkbox; `none` hides the checkbox.
    pub terms_and_conditions_text: Option<String>,
    /// `termsAndConditionsText`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub terms_and_conditions_text_html: Option<String>,
    /// The buyer must consent to the use of data before paying.
    pub gdpr_checkbox: bool,
    /// Markdown beside that checkbox; `none` hides the checkbox.
    pub gdpr_text: Option<String>,
    /// `gdprText`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub gdpr_text_html: Option<String>,
    /// Shown if there is no card to pay.
    pub missing_card_text: Option<String>,
    /// Label of the link to the builder of cards.
    pub builder_label: Option<String>,
    /// Path of the page of this site with the builder.
    pub builder_path: Option<String>,
    /// A path of this site.
    pub success_redirect: Option<String>,
}

impl Model for GiftPaymentForm {
    const NAME: &'static str = "GiftPaymentForm";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.campaign("campaign", &self.campaign, self.coupon_code.as_deref());
        at.token("productId", self.product_id.as_deref());
        at.token("productCategory", self.product_category.as_deref());
        at.optional_markdown("info", self.info.as_deref());
        at.optional_markdown(
            "termsAndConditionsText",
            self.terms_and_conditions_text.as_deref(),
        );
        at.optional_markdown("gdprText", self.gdpr_text.as_deref());
        at.optionals(&[
            ("productName", &self.product_name),
            ("priceLabel", &self.price_label),
            ("submitLabel", &self.submit_label),
            ("missingCardText", &self.missing_card_text),
            ("builderLabel", &self.builder_label),
        ]);
        at.page_of_this_site("builderPath", self.builder_path.as_deref());
        at.page_of_this_site("successRedirect", self.success_redirect.as_deref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.info_html = self.info.as_deref().map(with.markdown);
        self.terms_and_conditions_text_html =
            consent::rendered(self.terms_and_conditions_text.as_deref(), with);
        self.gdpr_text_html = consent::rendered(self.gdpr_text.as_deref(), with);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn leads_only_to_pages_of_this_site() {
        let json = r#"{"title": "Pay", "campaign": "gift-12", "builderPath": "https://a.example", "successRedirect": "//evil"}"#;
        let errors = check_record::<GiftPaymentForm>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["builderPath", "successRedirect"]);
    }

    #[test]
    fn renders_its_texts() {
        let json = r#"{"title": "Pay", "campaign": "gift-12", "info": "A year", "termsAndConditionsText": "Terms", "gdprText": "Data"}"#;
        let mut form: GiftPaymentForm = check_record(json).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.info_html.as_deref(), Some("<p>A year</p>"));
        assert_eq!(
            form.terms_and_conditions_text_html.as_deref(),
            Some("<p>Terms</p>")
        );
        assert_eq!(form.gdpr_text_html.as_deref(), Some("<p>Data</p>"));
    }
}

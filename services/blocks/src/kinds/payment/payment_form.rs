//! The checkout of one campaign, and the common parts of all checkouts.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::renderer::Renderer;

/// Defines a checkout block: the common specified fields, then its own. Flattened structs are not used, because
/// serde's errors
/// would no longer name the field of the wrong type.
macro_rules! payment_form_block {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$note:meta])* pub $field:ident: $kind:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
        #[serde(default, rename_all = "camelCase")]
        #[schemars(extend("required" = ["title", "campaign"]))]
        #[graphql(complex)]
        pub struct $name {
            #[serde(skip)]
            pub id: String,
            pub title: String,
            pub campaign: String,
            pub coupon_code: Option<String>,
            pub product_id: Option<String>,
            pub product_name: Option<String>,
            pub product_category: Option<String>,
            pub product_price: Option<String>,
            pub package_validity_period: Option<String>,
            pub free_trial_period: Option<String>,
            pub auto_renew: bool,
            pub transaction_type: Option<String>,
            pub button_list: Vec<Button>,
            /// Markdown beside the form about what follows the payment.
            pub info: Option<String>,
            /// `info`, rendered and sanitised at publication.
            #[schemars(extend("readOnly" = true))]
            pub info_html: Option<String>,
            pub price_label: Option<String>,
            /// Label of the submit button.
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
            /// A path of this site.
            pub success_redirect: Option<String>,
            pub leanplum_key: Option<String>,
            pub leanplum_value: Option<String>,
            /// Shows the wallet button.
            pub apple_google_pay: bool,
            pub apple_google_pay_product_name: Option<String>,
            /// A path of this site; takes precedence over every other redirect.
            pub next_page: Option<String>,
            $($(#[$note])* pub $field: $kind,)*
        }

        impl $name {
            fn inspect_checkout(&self, at: &mut Inspection) {
                at.heading("title", 1, &self.title);
                at.campaign("campaign", &self.campaign, self.coupon_code.as_deref());
                at.optionals(&[
                    ("productName", &self.product_name),
                    ("productCategory", &self.product_category),
                    ("productPrice", &self.product_price),
                    ("packageValidityPeriod", &self.package_validity_period),
                    ("freeTrialPeriod", &self.free_trial_period),
                    ("priceLabel", &self.price_label),
                    ("submitLabel", &self.submit_label),
                    ("appleGooglePayProductName", &self.apple_google_pay_product_name),
                ]);
                for (field, token) in [
                    ("productId", &self.product_id),
                    ("transactionType", &self.transaction_type),
                    ("leanplumKey", &self.leanplum_key),
                    ("leanplumValue", &self.leanplum_value),
                ] {
                    at.token(field, token.as_deref());
                }
                for (field, markdown) in [
                    ("info", &self.info),
                    ("termsAndConditionsText", &self.terms_and_conditions_text),
                    ("gdprText", &self.gdpr_text),
                ] {
                    at.optional_markdown(field, markdown.as_deref());
                }
                at.each("buttonList", &self.button_list);
                at.page_of_this_site("successRedirect", self.success_redirect.as_deref());
                at.page_of_this_site("nextPage", self.next_page.as_deref());
            }

            fn render_checkout(&mut self, with: &$crate::renderer::Renderer<'_>) {
                self.info_html = self.info.as_deref().map(with.markdown);
                self.terms_and_conditions_text_html =
                    $crate::kinds::account::consent::rendered(self.terms_and_conditions_text.as_deref(), with);
                self.gdpr_text_html = $crate::kinds::account::consent::rendered(self.gdpr_text.as_deref(), with);
            }
        }
    };
}

pub(crate) use payment_form_block;

payment_form_block! {
    /// Sells a subscription. Prices come from the campaign; price texts in this block are only displayed.
    pub struct PaymentForm {}
}

impl Model for PaymentForm {
    const NAME: &'static str = "PaymentForm";

    fn inspect(&self, at: &mut Inspection) {
        self.inspect_checkout(at);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.render_checkout(with);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_the_twenty_one_specified_fields_and_its_own() {
        let specified = json!({
            "campaign": "web-annual", "couponCode": "WELCOME20", "productId": "annual", "productName": "Annual",
            "productCategory": "subscription", "productPrice": "59.99", "packageValidityPeriod": "12 months",
            "freeTrialPeriod": "7 days", "autoRenew": true, "transactionType": "subscription",
            "buttonList": [], "info": "Cancel any time", "priceLabel": "Due today",
            "termsAndConditionsCheckbox": true, "gdprCheckbox": false, "successRedirect": "/success-page",
            "leanplumKey": "k", "leanplumValue": "v", "appleGooglePay": false,
            "appleGooglePayProductName": "Stillpoint", "nextPage": "/success-page",
        });
        assert_eq!(specified.as_object().unwrap().len(), 21);
        let mut given = specified.clone();
        given["title"] = json!("Annual");
        let form: PaymentForm = check_record(&given.to_string()).unwrap();
        let read = serde_json::to_value(&form).unwrap();
        for (field, value) in specified.as_object().unwrap() {
            assert_eq!(&read[field], value, "{field}");
        }
    }

    #[test]
    fn needs_a_title_and_a_campaign() {
        let errors = check_record::<PaymentForm>("{}").unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["title", "campaign"]);
    }

    #[test]
    fn redirects_only_inside_the_site() {
        let json = r#"{"title": "Pay", "campaign": "web", "nextPage": "https://evil.example", "successRedirect": "//evil"}"#;
        let errors = check_record::<PaymentForm>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["successRedirect", "nextPage"]);
    }

    #[test]
    fn renders_its_info() {
        let mut form: PaymentForm =
            check_record(r#"{"title": "Pay", "campaign": "web", "info": "Cancel any time"}"#).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.info_html.as_deref(), Some("<p>Cancel any time</p>"));
    }

    #[test]
    fn renders_the_words_of_its_checkboxes() {
        let json =
            r#"{"title": "Pay", "campaign": "web", "termsAndConditionsText": "Terms", "gdprText": "none"}"#;
        let mut form: PaymentForm = check_record(json).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(
            form.terms_and_conditions_text_html.as_deref(),
            Some("<p>Terms</p>")
        );
        assert_eq!(form.gdpr_text_html, None);
    }

    #[test]
    fn a_switch_of_the_wrong_type_is_named() {
        let json = r#"{"title": "Pay", "campaign": "web", "autoRenew": "yes"}"#;
        assert_eq!(
            check_record::<PaymentForm>(json).unwrap_err()[0].field,
            "autoRenew"
        );
    }
}

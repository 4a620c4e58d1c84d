//! Checkouts of one-time purchases.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::kinds::account::consent::has_words;
use crate::kinds::payment::payment_form::payment_form_block;
use crate::model::Model;
use crate::parts::button::Button;
use crate::renderer::Renderer;

payment_form_block! {
    /// Sells a one-time purchase, also to guests: it asks for name and e-mail address.
    pub struct OneTimePaymentForm {
        pub variant: OneTimeVariant,
    }
}

/// Decides the page after the payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum OneTimeVariant {
    #[default]
    Program,
    /// The page in `successRedirect`.
    LiveProgram,
    CoachingNew,
}

payment_form_block! {
    /// Sells an add-on to a signed-in member: it asks for the card only.
    pub struct OneTimePaymentWithAdditionForm {
        pub variant: AdditionVariant,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum AdditionVariant {
    #[default]
    Soul,
    Therapy,
}

impl Model for OneTimePaymentForm {
    const NAME: &'static str = "OneTimePaymentForm";

    fn inspect(&self, at: &mut Inspection) {
        self.inspect_checkout(at);
        if self.variant == OneTimeVariant::LiveProgram && self.success_redirect.is_none() {
            at.error(
                "successRedirect",
                BlockErrorCode::Required,
                "a live program must say where its buyer goes",
            );
        }
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.render_checkout(with);
    }
}

impl Model for OneTimePaymentWithAdditionForm {
    const NAME: &'static str = "OneTimePaymentWithAdditionForm";

    fn inspect(&self, at: &mut Inspection) {
        self.inspect_checkout(at);
        if self.variant == AdditionVariant::Therapy {
            let (terms, gdpr) = (&self.terms_and_conditions_text, &self.gdpr_text);
            let asks = |text: &Option<String>| text.as_deref().is_some_and(has_words);
            for (field, is_asked) in [
                ("termsAndConditionsCheckbox", self.terms_and_conditions_checkbox),
                ("termsAndConditionsText", asks(terms)),
                ("gdprCheckbox", self.gdpr_checkbox),
                ("gdprText", asks(gdpr)),
            ] {
                if !is_asked {
                    at.error(
                        field,
                        BlockErrorCode::Required,
                        "therapy requires the buyer's consent",
                    );
                }
            }
        }
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
    fn sells_a_program_unless_it_says_otherwise() {
        let form: OneTimePaymentForm = check_record(r#"{"title": "Pay", "campaign": "deep-focus"}"#).unwrap();
        assert_eq!(form.variant, OneTimeVariant::Program);
        for (written, variant) in [
            ("program", OneTimeVariant::Program),
            ("liveProgram", OneTimeVariant::LiveProgram),
            ("coachingNew", OneTimeVariant::CoachingNew),
        ] {
            let json =
                json!({"title": "Pay", "campaign": "x", "variant": written, "successRedirect": "/success"});
            assert_eq!(
                check_record::<OneTimePaymentForm>(&json.to_string())
                    .unwrap()
                    .variant,
                variant
            );
        }
    }

    #[test]
    fn a_live_program_says_where_its_buyer_goes() {
        let json = r#"{"title": "Pay", "campaign": "live", "variant": "liveProgram"}"#;
        let errors = check_record::<OneTimePaymentForm>(json).unwrap_err();
        assert_eq!(errors[0].field, "successRedirect");
    }

    #[test]
    fn therapy_asks_for_both_consents_and_soul_for_none() {
        let json = r#"{"title": "Pay", "campaign": "add", "variant": "therapy"}"#;
        let errors = check_record::<OneTimePaymentWithAdditionForm>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        let both = [
            "termsAndConditionsCheckbox",
            "termsAndConditionsText",
            "gdprCheckbox",
            "gdprText",
        ];
        assert_eq!(fields, both);

        // A checkbox without a text is not shown.
        let json = r#"{"title": "Pay", "campaign": "add", "variant": "therapy", "termsAndConditionsCheckbox": true,
            "termsAndConditionsText": "I accept the rules.", "gdprCheckbox": true, "gdprText": "none"}"#;
        let errors = check_record::<OneTimePaymentWithAdditionForm>(json).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].field, "gdprText");

        let json = r#"{"title": "Pay", "campaign": "add", "variant": "soul"}"#;
        let form: OneTimePaymentWithAdditionForm = check_record(json).unwrap();
        assert_eq!(form.variant, AdditionVariant::Soul);
    }

    #[test]
    fn names_the_variant_it_does_not_know() {
        let json = r#"{"title": "Pay", "campaign": "add", "variant": "body"}"#;
        let errors = check_record::<OneTimePaymentWithAdditionForm>(json).unwrap_err();
        assert_eq!(errors[0].field, "variant");
    }

    #[test]
    fn renders_what_every_checkout_renders() {
        let json = r#"{"title": "Pay", "campaign": "deep-focus", "info": "Yours to keep"}"#;
        let mut form: OneTimePaymentForm = check_record(json).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.info_html.as_deref(), Some("<p>Yours to keep</p>"));
    }
}

//! An offer for the cards of one bank, identified by their first digits.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::locale::Locale;
use crate::model::Model;
use crate::offer::Quote;
use crate::parts::button::Button;

/// Checks the first digits of a card. The payment link is shown only for eligible cards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "campaignName", "cardLabel", "checkLabel", "button", "rejectedTitle", "rejectedText", "continueLabel"]))]
#[graphql(complex)]
pub struct BinOffer {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub campaign_name: String,
    pub coupon_code: Option<String>,
    pub card_label: String,
    pub card_hint: Option<String>,
    pub check_label: String,
    pub eligible_title: Option<String>,
    pub eligible_text: Option<String>,
    /// Links an eligible card to the payment.
    pub button: Button,
    pub rejected_title: String,
    pub rejected_text: String,
    /// Label of the link from the refusal to another offer.
    pub continue_label: String,
    /// Path of the page of this site with the other offer.
    pub rejected_path: Option<String>,
    /// The campaign's current price; null if it is not available.
    #[serde(skip)]
    pub offer: Quote,
}

impl Model for BinOffer {
    const NAME: &'static str = "BinOffer";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.campaign("campaignName", &self.campaign_name, self.coupon_code.as_deref());
        at.optionals(&[
            ("text", &self.text),
            ("cardHint", &self.card_hint),
            ("eligibleTitle", &self.eligible_title),
            ("eligibleText", &self.eligible_text),
        ]);
        at.required("cardLabel", &self.card_label);
        at.required("checkLabel", &self.check_label);
        at.nested("button", &self.button);
        at.required("rejectedTitle", &self.rejected_title);
        at.required("rejectedText", &self.rejected_text);
        at.required("continueLabel", &self.continue_label);
        at.page_of_this_site("rejectedPath", self.rejected_path.as_deref());
    }

    fn quote(&mut self, locale: Locale) {
        self.offer = Quote::of(&self.campaign_name, self.coupon_code.as_deref(), locale);
    }

    fn quotes(&self) -> Vec<&Quote> {
        vec![&self.offer]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn asks_for_its_price_in_the_locale_of_the_page() {
        let json = json!({
            "title": "An offer", "campaignName": "web-annual", "cardLabel": "Card", "checkLabel": "Check", "button": {"text": "Pay", "url": "/payment/annual"},
            "rejectedTitle": "Not this card", "rejectedText": "Sorry.", "continueLabel": "Free trial",
        });
        let mut offer: BinOffer = check_record(&json.to_string()).unwrap();
        offer.quote(Locale::Tr);
        let key = offer.quotes()[0].key().unwrap();
        assert_eq!((key.campaign.as_str(), key.locale), ("web-annual", Locale::Tr));
    }

    #[test]
    fn a_refused_card_stays_on_this_site() {
        let json = json!({
            "title": "An offer", "campaignName": "web-annual", "cardLabel": "Card", "checkLabel": "Check", "button": {"text": "Pay", "url": "/payment/annual"},
            "rejectedTitle": "Not this card", "rejectedText": "Sorry.", "continueLabel": "Free trial",
            "rejectedPath": "https://evil.example",
        });
        let errors = check_record::<BinOffer>(&json.to_string()).unwrap_err();
        assert_eq!((errors.len(), errors[0].field.as_str()), (1, "rejectedPath"));
    }
}

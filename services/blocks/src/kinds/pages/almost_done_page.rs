//! A page after the payment, before the last step.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::ResponsiveImage;
use crate::renderer::Renderer;

/// The order is paid; one step is left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct AlmostDonePage {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    /// Markdown: the last step.
    pub text: Option<String>,
    /// `text`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub text_html: Option<String>,
    pub button: Option<Button>,
    pub image: Option<ResponsiveImage>,
    pub customer: OrderCustomer,
}

/// The customer for whom the page reports the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum OrderCustomer {
    #[default]
    FollowUp,
    #[graphql(name = "b2b")]
    B2b,
}

impl Model for AlmostDonePage {
    const NAME: &'static str = "AlmostDonePage";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional_markdown("text", self.text.as_deref());
        at.nested_if_present("button", self.button.as_ref());
        at.nested_if_present("image", self.image.as_ref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.text_html = self.text.as_deref().map(with.markdown);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reports_for_a_consumer_unless_it_says_otherwise() {
        let page: AlmostDonePage = check_record(r#"{"title": "Almost there"}"#).unwrap();
        assert_eq!(page.customer, OrderCustomer::FollowUp);
        let page: AlmostDonePage = check_record(r#"{"title": "Almost there", "customer": "b2b"}"#).unwrap();
        assert_eq!(page.customer, OrderCustomer::B2b);
    }
}

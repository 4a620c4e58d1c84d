//! The checkout of one campaign beside its benefits.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::payment::payment_form::payment_form_block;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;
use crate::renderer::Renderer;

payment_form_block! {
    /// A payment form with a second column.
    pub struct TwoColPaymentForm {
        /// Heading of the second column.
        pub side_title: Option<String>,
        pub side_items: Vec<String>,
        pub side_image: Option<Image>,
    }
}

impl Model for TwoColPaymentForm {
    const NAME: &'static str = "TwoColPaymentForm";

    fn inspect(&self, at: &mut Inspection) {
        self.inspect_checkout(at);
        at.optional_heading("sideTitle", 2, self.side_title.as_deref());
        at.lines("sideItems", &self.side_items);
        at.nested_if_present("sideImage", self.side_image.as_ref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.render_checkout(with);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn names_what_is_wrong_in_either_column() {
        let json = r#"{"title": "Pay", "sideItems": ["Every meditation", " "], "sideImage": {"url": "/art/waves/a.svg"}}"#;
        let errors = check_record::<TwoColPaymentForm>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["campaign", "sideItems", "sideImage.alt"]);
    }
}

//! The first thing a visitor sees of a page.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::button::Button;
use crate::inspection::Inspection;
use crate::model::Model;

/// The opening of a page: its one `h1`, a sentence, and what to do next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct Hero {
    #[serde(skip)]
    pub id: String,
    pub eyebrow: Option<String>,
    pub title: String,
    pub description: Option<String>,
    pub buttons: Vec<Button>,
    /// One line of proof beside the buttons.
    pub proof_line: Option<String>,
    /// What it costs, in words.
    pub price_note: Option<String>,
    /// Same seed, same drawing. Without one it is the block's id.
    pub art_seed: Option<String>,
}

impl Model for Hero {
    const NAME: &'static str = "Hero";

    fn inspect(&self, at: &mut Inspection) {
        at.optional("eyebrow", self.eyebrow.as_deref());
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.each("buttons", &self.buttons);
        at.optional("proofLine", self.proof_line.as_deref());
        at.optional("priceNote", self.price_note.as_deref());
        at.optional_slug("artSeed", self.art_seed.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_a_hero_with_its_buttons() {
        let json = r#"{
            "eyebrow": "Meditation, coaching, therapy", "title": "A quieter mind, in ten minutes",
            "description": "Short practices.", "buttons": [{"text": "Start", "url": "/signup", "primary": true}],
            "proofLine": "Rated 4.8", "priceNote": "Cancel any time", "artSeed": "dusk"
        }"#;
        let hero: Hero = check_record(json).unwrap();
        assert_eq!(hero.buttons[0].url, "/signup");
        assert_eq!(hero.art_seed.as_deref(), Some("dusk"));
    }

    #[test]
    fn names_the_button_that_lacks_its_url() {
        let json = r#"{"title": "Hello", "buttons": [{"text": "A", "url": "/"}, {"text": "B"}]}"#;
        assert_eq!(check_record::<Hero>(json).unwrap_err()[0].field, "buttons[1].url");
    }

    #[test]
    fn a_field_it_does_not_have_is_named() {
        let faults =
            check_record::<Hero>(r#"{"title": "Hello", "buttons": [{"text": "A", "url": "/", "tone": 1}]}"#);
        assert_eq!(faults.unwrap_err()[0].field, "buttons[0].tone");
    }
}
